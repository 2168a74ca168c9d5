// The web client for `npm run dev`: vite's server, which proxies calls, transfers and the push channel to ours.
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { root } from './platform.mjs'

const { values } = parseArgs({ options: { port: { type: 'string' } }, strict: false, args: process.argv.slice(2) })
const target = `http://127.0.0.1:${values.port ?? process.env.PORT ?? 8080}`
const paths = ['/services', '/services2', '/DownloadServlet', '/DownloadMultiFile', '/UploadServlet', '/healthz']

const vite = await createServer({
  root: `${root}packages/web`,
  server: { proxy: Object.fromEntries(paths.map((path) => [path, { target, ws: path === '/services2' }])) },
})
await vite.listen()
vite.printUrls()
