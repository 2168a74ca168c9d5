/*
 * WebSockets at other addresses than those of the push channel. A feature contributes what answers there. Core
 * authenticates the page by its cookie, as for the channel, and tells for how long its session holds.
 */
import type { WebSocket } from 'ws'
import type { AccountActor } from '../actor.ts'
import { extensionPoint } from '../extension-points.ts'

/** Who has opened a socket. */
export interface SocketCaller {
  readonly actor: AccountActor
  /** Whether the session holds now. */
  readonly holds: () => Promise<boolean>
}

/** What answers sockets at some addresses. */
export interface SocketRoute {
  /** What an address names; undefined if this route does not answer there. */
  readonly of: (pathname: string) => number | undefined
  /** Takes over a socket. `caller` is undefined without a session of the page. */
  readonly open: (socket: WebSocket, named: number, caller: SocketCaller | undefined) => void
}

export const socketRoutes = extensionPoint<SocketRoute>('sockets at other addresses')
