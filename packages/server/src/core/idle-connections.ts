// Closes idle connections, except those with a completely received request that is being processed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum time without any data in either direction. */
const idleMs = 120_000

/** Closes connections without traffic for a while. Long processing, such as a copy, does not count as idle. */
export function endIdleConnections(server: Server): void {
  const newest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.on('request', (request, response) => newest.set(request.socket, { request, response }))
  server.setTimeout(idleMs, (socket: Socket) => {
    const { request, response } = newest.get(socket) ?? {}
    if (request?.complete === true && response?.headersSent === false) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
}
