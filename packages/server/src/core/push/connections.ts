/*
 * The connections of the channel: every socket from its opening to its end. Whoever opens one has a while to log in, once,
 * and then sends heartbeats and nothing else; what does not keep to that is turned away with a code.
 */
import { type CodeName, ResultError } from '@cloudoc/domain'
import type { WebSocket } from 'ws'
import type { Log } from '../log.ts'
import { type Frames, parseFrame } from './frames.ts'

/** A login that waits for its answer. */
export interface Login {
  readonly socket: WebSocket
  /** Where it comes from. */
  readonly address: string
  readonly token: string
  /** Whom the client takes itself for, if it says so. */
  readonly accountId: number | undefined
  readonly last: number | undefined
  readonly epoch: string | undefined
}

/** How a socket was opened. */
export interface Opened {
  readonly address: string
  /** The session of the page that opened it. */
  readonly cookieToken: string | undefined
}

/** Somebody who has logged in. */
export interface LoggedIn {
  /** When they were last heard, on the clock that is never set. */
  heardAt: number
}

export interface ConnectionParts<C extends LoggedIn> {
  readonly log: Log
  readonly frames: Frames
  readonly steady: () => number
  readonly login: (login: Login) => Promise<C>
  readonly left: (client: C) => void
}

export interface Connections {
  /** Takes over a socket that has just been opened. */
  accept(socket: WebSocket, opened: Opened): void
  /** Turns away whoever has not logged in for too long. */
  tidy(): void
  /** Says goodbye to all. */
  close(): void
  /** Cuts off whoever is left. */
  terminate(): void
}

const loginWithinMs = 10_000

export function createConnections<C extends LoggedIn>({
  log,
  frames,
  steady,
  login,
  left,
}: ConnectionParts<C>): Connections {
  const sockets = new Set<WebSocket>()
  const waitingForLogin = new Map<WebSocket, number>()
  return {
    accept(socket, { address, cookieToken }) {
      sockets.add(socket)
      waitingForLogin.set(socket, steady())
      let client: C | undefined
      const refuse = (code: CodeName, status: number): void => {
        say(socket, frames.refusal(code))
        socket.close(status)
      }
      const heard = (): void => {
        if (client !== undefined) client.heardAt = steady()
      }
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        sockets.delete(socket)
        waitingForLogin.delete(socket)
        if (client !== undefined) left(client)
      })
      socket.on('pong', heard)
      socket.on('message', (bytes: Buffer) => {
        heard()
        const frame = parseFrame(bytes)
        const isNew = waitingForLogin.has(socket)
        if (frame?.cmd === 'heartbeat' && !isNew) return
        if (frame?.cmd !== 'login' || !isNew) return refuse('badRequest', 4002)
        waitingForLogin.delete(socket)
        const token = frame.token === undefined || frame.token === '' ? cookieToken : frame.token
        if (token === undefined) return refuse('notLoggedIn', 4001)
        login({
          socket,
          address,
          token,
          accountId: frame.accountId,
          last: frame.lastIdentity === undefined || frame.lastIdentity === '' ? undefined : Number(frame.lastIdentity),
          epoch: frame.epoch,
        }).then(
          (joined) => {
            client = joined
            if (socket.readyState !== socket.OPEN) left(joined)
          },
          (error: unknown) => {
            if (!(error instanceof ResultError)) log.error({ err: error }, 'a push login failed')
            refuse(error instanceof ResultError ? error.code : 'serverException', 4001)
          },
        )
      })
    },
    tidy() {
      for (const [socket, openedAt] of waitingForLogin) if (steady() - openedAt > loginWithinMs) socket.close(4000)
    },
    close() {
      for (const socket of sockets) socket.close(1001)
    },
    terminate() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Writes a frame to a socket that is still open. */
export function say(socket: WebSocket, frame: Buffer): void {
  if (socket.readyState === socket.OPEN) socket.send(frame, { binary: false })
}
