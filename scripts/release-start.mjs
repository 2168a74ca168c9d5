// `npm start` of a release: runs the bundled server with the included Node, started by any Node from 20 on.
import { hasPlatformParts, root, unsupported } from './platform.mjs'
import { runServer } from './processes.mjs'

const reason =
  unsupported() ??
  (hasPlatformParts()
    ? undefined
    : `the packages for ${process.platform}-${process.arch} are missing: run npm ci --omit=dev`)
if (reason) {
  console.error(reason)
  process.exit(2)
}
process.chdir(root)
process.exit(await runServer('server.mjs', process.argv.slice(2)))
