// A minimal push to many sockets: ws alone, in its own process. Each message from its parent is a list of `frames`,
// sent to all clients or to each new one.
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface BareOrder {
  readonly frames: readonly string[]
  readonly to: 'all' | 'each who comes'
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 2048 })
let greeting: readonly string[] = []
const send = (socket: WebSocket, frames: readonly string[]): void => {
  for (const frame of frames) socket.send(frame)
}
server.on('connection', (socket) => {
  socket.on('error', () => socket.terminate())
  // Sent like the answer to a login.
  socket.once('message', () => send(socket, greeting))
})
process.on('message', ({ frames, to }: BareOrder) => {
  if (to === 'each who comes') greeting = frames
  else for (const socket of server.clients) send(socket, frames)
})
server.on('listening', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
