// A minimal broadcast of keystrokes to others: ws alone, in its own process, which forwards what it receives.
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('error', () => socket.terminate())
  socket.on('message', (bytes: Buffer) => {
    for (const other of server.clients) if (other !== socket) other.send(bytes.toString())
  })
})
server.on('listening', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
