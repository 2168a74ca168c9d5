/*
 * Time limits for request bodies. Until the sender is authenticated, the whole body must arrive within a time limit. A
 * slow body, or one that is announced (`Expect: 100-continue`) and never sent, holds a connection no longer than that.
 * A signed-in caller has no limit as long as data arrives (idle-connections.ts). The rest of a refused request is read
 * for a while: closing the connection while the client still sends would lose the answer.
 */
import type { IncomingMessage, Server } from 'node:http'
import { refuseMalformed } from './malformed-requests.ts'

/** Milliseconds for the body of an unauthenticated caller, and for the rest of a refused request. */
export const usualBodyTimes = { unknownMs: 60_000, refusedMs: 10_000 }
export type BodyTimes = typeof usualBodyTimes

interface Waiting {
  readonly refusedMs: number
  timer: NodeJS.Timeout
}

const waiting = new WeakMap<IncomingMessage, Waiting>()

/** Sets a body time limit for every request of a server. */
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

/** Removes the body time limit of an authenticated caller. */
export function letBodyCome(request: IncomingMessage): void {
  clearTimeout(waiting.get(request)?.timer)
}

/** Reads the rest of a refused request for a while, so that the client receives the answer. */
export function readRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
  const wait = waiting.get(request)
  if (wait === undefined) return
  clearTimeout(wait.timer)
  // For a request that has ended, nothing would clear the timer, and its socket may be gone.
  if (request.readableEnded || request.destroyed) return
  wait.timer = setTimeout(() => request.destroy(), wait.refusedMs)
}
