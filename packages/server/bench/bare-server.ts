// A minimal HTTP file server in Node, in its own process like the server.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [path = ''] = process.argv.slice(2)
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': statSync(path).size })
  createReadStream(path, { highWaterMark: 512 * 1024 }).pipe(response)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
