// Upgrades a connection to a live channel. The path selects which of the two.
import type { IncomingMessage, Server } from 'node:http'
import { LEGACY_PUSH_PATH, PUSH_PATH, TALK_PUSH_PATH } from '@cloudoc/contract'
import { WebSocketServer } from 'ws'
import { hasSeveralHosts } from '../call/malformed-requests.ts'
import { type Wire, wires } from './frames.ts'
import type { Hub } from './hub.ts'
import type { SocketCaller, SocketRoute } from './other-sockets.ts'

/** Frames of clients are small. */
const longestFrame = 4096

const wireOf = (pathname: string | undefined): Wire | undefined => {
  if (pathname === PUSH_PATH || pathname === TALK_PUSH_PATH) return wires.json
  // Clients written to the documents send no path (X32).
  return pathname === LEGACY_PUSH_PATH || pathname === '/' ? wires.binary : undefined
}

/** Passes every socket that requests a push channel to the hub. */
export function upgradeToPush(
  server: Server,
  {
    hub,
    cookieOf,
    addressOf,
    closing,
    serves,
    others,
    callerOf,
  }: {
    hub: Hub
    cookieOf: (request: IncomingMessage) => string | undefined
    addressOf: (request: IncomingMessage) => string
    closing: () => boolean
    /** Whether the server settings enable that channel. */
    serves: (wire: Wire) => Promise<boolean>
    /** Sockets at other addresses. */
    others: readonly SocketRoute[]
    /** Who a session cookie belongs to. Undefined if nobody is signed in by it. */
    callerOf: (cookie: string, address: string) => Promise<SocketCaller | undefined>
  },
): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: longestFrame })
  server.on('upgrade', (request, socket, head) => {
    // Until ws takes the socket over, nothing else handles its errors, and an unhandled error ends the process.
    socket.on('error', () => socket.destroy())
    const refuse = (): void => void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
    if (hasSeveralHosts(request)) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
    const pathname = URL.parse(request.url ?? '/', 'http://localhost')?.pathname
    const wire = wireOf(pathname)
    const [other] = others.flatMap((route) => {
      const named = route.of(pathname ?? '')
      return named === undefined ? [] : [{ route, named }]
    })
    if ((wire === undefined && other === undefined) || closing()) return refuse()
    const origin = request.headers.origin
    const sameOrigin = origin === undefined || URL.parse(origin)?.host === request.headers.host
    // A cookie is accepted only from pages of the same origin.
    const cookieToken = origin !== undefined && sameOrigin ? cookieOf(request) : undefined
    const address = addressOf(request)
    if (other !== undefined) {
      const caller = cookieToken === undefined ? Promise.resolve(undefined) : callerOf(cookieToken, address)
      caller.then((found) => {
        if (closing()) return refuse()
        sockets.handleUpgrade(request, socket, head, (opened) => other.route.open(opened, other.named, found))
      }, refuse)
      return
    }
    if (wire === undefined) return refuse()
    serves(wire).then((isServed) => {
      if (!isServed || closing()) return refuse()
      sockets.handleUpgrade(request, socket, head, (opened) => hub.accept(opened, { wire, address, cookieToken }))
    }, refuse)
  })
}
