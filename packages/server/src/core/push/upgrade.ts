// How a connection becomes a live channel.
import type { IncomingMessage, Server } from 'node:http'
import { PUSH_PATH } from '@cloudoc/contract'
import { WebSocketServer } from 'ws'
import type { Hub } from './hub.ts'

/** Frames of clients are small. */
const longestFrame = 4096

/** Hands every socket that asks for the push channel to the hub. */
export function upgradeToPush(
  server: Server,
  {
    hub,
    cookieOf,
    addressOf,
    closing,
  }: {
    hub: Hub
    cookieOf: (request: IncomingMessage) => string | undefined
    addressOf: (request: IncomingMessage) => string
    closing: () => boolean
  },
): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: longestFrame })
  server.on('upgrade', (request, socket, head) => {
    // Until ws takes the socket over nobody else listens for its errors, and one without a listener ends the process.
    socket.on('error', () => socket.destroy())
    const pathname = URL.parse(request.url ?? '/', 'http://localhost')?.pathname
    const origin = request.headers.origin
    const sameOrigin = origin === undefined || URL.parse(origin)?.host === request.headers.host
    if (pathname !== PUSH_PATH || closing()) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
      return
    }
    // The cookie of a page counts only for pages of our own.
    const cookie = origin !== undefined && sameOrigin ? cookieOf(request) : undefined
    const address = addressOf(request)
    sockets.handleUpgrade(request, socket, head, (opened) => hub.accept(opened, { address, cookieToken: cookie }))
  })
}
