/*
 * The connections of the channel: every socket from opening to closing. A client must log in once within a time limit,
 * and then may send only heartbeats. A violation closes the socket with a code.
 */
import { type CodeName, ResultError } from '@cloudoc/domain'
import type { WebSocket } from 'ws'
import type { Log } from '../log.ts'
import type { Bytes, Frames, Wire } from './frames.ts'

/** A login request that is not answered yet. */
export interface Login {
  readonly socket: WebSocket
  readonly wire: Wire
  /** The client's address. */
  readonly address: string
  readonly token: string
  /** The account the client claims to be, if it says so. */
  readonly accountId: number | undefined
  readonly last: number | undefined
  readonly epoch: string | undefined
}

/** How a socket was opened. */
export interface Opened {
  readonly wire: Wire
  readonly address: string
  /** The session cookie of the page that opened it. */
  readonly cookieToken: string | undefined
}

/** A logged-in client. */
export interface LoggedIn {
  /** When the client was last heard, by the monotonic clock. */
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
  /** Takes over a newly opened socket. */
  accept(socket: WebSocket, opened: Opened): void
  /** Closes sockets without a login after the time limit. */
  tidy(): void
  /** Closes all sockets with a close frame. */
  close(): void
  /** Terminates the remaining sockets. */
  terminate(): void
}

/** Why a socket was closed. */
export const closeCodes = {
  noLogin: 4000,
  noSession: 4001,
  noFrame: 4002,
  tooMany: 4003,
  silent: 4004,
  stuck: 4005,
} as const

const loginWithinMs = 10_000
/** Maximum frames of a client within the time window. Normal is one heartbeat every half minute. */
const framesMost = 200
const framesWithinMs = 60_000

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
    accept(socket, { wire, address, cookieToken }) {
      sockets.add(socket)
      waitingForLogin.set(socket, steady())
      let client: C | undefined
      let counted = { since: steady(), frames: 0 }
      const refuse = (code: CodeName, status: number): void => {
        send({ socket, wire }, frames.refusal(code))
        // Later frames are ignored.
        socket.removeAllListeners('message')
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
      if (wire.pongCounts) socket.on('pong', heard)
      socket.on('message', (bytes: Buffer, isBinary: boolean) => {
        heard()
        if (steady() - counted.since > framesWithinMs) counted = { since: steady(), frames: 0 }
        counted.frames += 1
        if (counted.frames > framesMost) return refuse('badRequest', closeCodes.tooMany)
        const frame = wire.read(bytes, isBinary)
        const isNew = waitingForLogin.has(socket)
        if (frame?.cmd === 'heartbeat' && !isNew) return
        if (frame?.cmd !== 'login' || !isNew) return refuse('badRequest', closeCodes.noFrame)
        waitingForLogin.delete(socket)
        const token = frame.token === undefined || frame.token === '' ? cookieToken : frame.token
        if (token === undefined) return refuse('notLoggedIn', closeCodes.noSession)
        login({
          socket,
          wire,
          address,
          token,
          accountId: frame.accountId,
          last: frame.lastIdentity === undefined || frame.lastIdentity === '' ? undefined : Number(frame.lastIdentity),
          epoch: frame.epoch === '' ? undefined : frame.epoch,
        }).then(
          (joined) => {
            client = joined
            if (socket.readyState !== socket.OPEN) left(joined)
          },
          (error: unknown) => {
            if (!(error instanceof ResultError)) log.error({ err: error }, 'a push login failed')
            refuse(error instanceof ResultError ? error.code : 'serverException', closeCodes.noSession)
          },
        )
      })
    },
    tidy() {
      for (const [socket, openedAt] of waitingForLogin)
        if (steady() - openedAt > loginWithinMs) socket.close(closeCodes.noLogin)
    },
    close() {
      for (const socket of sockets) socket.close(1001)
    },
    terminate() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** A socket and its wire format. */
export interface Line {
  readonly socket: WebSocket
  readonly wire: Wire
}

/** Writes a frame to a socket that is still open. */
export function send(line: Line, frame: Bytes): void {
  if (line.socket.readyState === line.socket.OPEN) write(line, frame)
}

/** Writes a frame. Calls `done` once the socket has accepted it. */
export function write({ socket, wire }: Line, frame: Bytes, done?: () => void): void {
  socket.send(frame[wire.name], { binary: wire.name === 'binary' }, done)
}
