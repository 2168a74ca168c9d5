/*
 * How long a body may take. Before it is known who sends it, all of it has to be here within a time; one that drips, or that
 * was announced (`Expect: 100-continue`) and does not come, holds a connection for no longer. Who is signed in may take as
 * long as something moves (idle-connections.ts). What a refused request still sends is read for a while: a connection that
 * is closed under it loses the answer.
 */
import type { IncomingMessage, Server } from 'node:http'
import { refuseMalformed } from './malformed-requests.ts'

/** Milliseconds for the body of a caller who is not known, and for the rest of one whose request was refused. */
export const usualBodyTimes = { unknownMs: 60_000, refusedMs: 10_000 }
export type BodyTimes = typeof usualBodyTimes

interface Waiting {
  readonly refusedMs: number
  timer: NodeJS.Timeout
}

const waiting = new WeakMap<IncomingMessage, Waiting>()

/** Gives every request of a server a time for its body. */
export function limitBodies(server: Server, { unknownMs, refusedMs }: BodyTimes): void {
  server.on('request', (request) => {
    const { headers } = request
    if ((headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined) return
    const late = (): void => {
      const error = Object.assign(new Error('the body does not come'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      refuseMalformed(error, request.socket)
    }
    const wait = { refusedMs, timer: setTimeout(late, unknownMs) }
    waiting.set(request, wait)
    const end = (): void => clearTimeout(wait.timer)
    request.once('end', end)
    request.once('close', end)
  })
}

/** Lets the body of a caller who is known take its time. */
export function letBodyCome(request: IncomingMessage): void {
  clearTimeout(waiting.get(request)?.timer)
}

/** Reads the rest of a refused request for a while, so that its answer is read. */
export function readRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
  const wait = waiting.get(request)
  if (wait === undefined) return
  clearTimeout(wait.timer)
  // What has ended by now has nobody left to clear a timer, and may have lost its socket.
  if (request.readableEnded || request.destroyed) return
  wait.timer = setTimeout(() => request.destroy(), wait.refusedMs)
}
