/*
 * Linked servers: the registry, its trust and keys, and the sign-in of their people ([R343], [R345]). Other features make
 * signed calls to a linked server with `askServer`, read its contents with `contentOfServer`, and learn in the calls that
 * it makes here with `takeMessage` which server it is.
 */
export { askServer, type Caller, contentOfServer, type PeerContent } from './calls.ts'
export { isSignedBy } from './keys.ts'
export { type Peer, type SignedFields, takeMessage } from './messages.ts'
export { nameOfServer } from './registry.ts'
export {
  type Content,
  openPeerSession,
  openRemote,
  type PeerSession,
  type Remote,
  remoteFor,
  requestAs,
  type Traveller,
} from './remote.ts'
export { findPeer, type KnownPeer, noteAnswer, noteFailure, reachablePeer, withPeer } from './states.ts'
export {
  PeerFailure,
  peerFailure,
  type RemoteTimes,
  refusing,
  requestPeer,
  slowestBytesPerMs,
  usualTimes,
} from './transport.ts'
