// Connections that stand still are ended, but for those whose request has come whole and is being worked on.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Nothing may come or go for so long. */
const idleMs = 120_000

/** Ends connections where nothing has moved for a while. A long piece of work, such as a copy, is no standstill. */
export function endIdleConnections(server: Server): void {
  const newest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.on('request', (request, response) => newest.set(request.socket, { request, response }))
  server.setTimeout(idleMs, (socket: Socket) => {
    const { request, response } = newest.get(socket) ?? {}
    if (request?.complete === true && response?.headersSent === false) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
}
