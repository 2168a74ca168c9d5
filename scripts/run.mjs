// The only entry point: node scripts/run.mjs <command> [args…]. Plain JavaScript for any Node from 20 on: it installs
// what is missing, then runs the command with the Node that the lockfile pins.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode, runServer, tool } from './processes.mjs'
import { prepare, prepareWeb, root } from './setup.mjs'
import { check, test } from './tests.mjs'

const SERVER = 'packages/server/src/main.ts'

/** Each takes the command's arguments and resolves to an exit code. */
const commands = {
  async start(args) {
    return (await prepareWeb()) || runServer(SERVER, args)
  },
  async dev(args) {
    const server = runNode(['--watch', '--watch-preserve-output', SERVER, ...args])
    const web = runNode(['scripts/dev-web.mjs', ...args])
    return Promise.race([server, web])
  },
  check: () => check(),
  docs: () => runNode(['tools/docs.ts']),
  format: () => runNode([...tool('biome'), 'check', '--write', '.']),
  test: (args) => test(args, 'test'),
  'test:full': (args) => test(args, 'full'),
  backup: (args) => runServer(SERVER, ['backup', ...args]),
  restore: (args) => runServer(SERVER, ['restore', ...args]),
  fsck: (args) => runServer(SERVER, ['fsck', ...args]),
  audit: (args) => runServer(SERVER, ['audit', ...args]),
  recover: (args) => runServer(SERVER, ['recover', ...args]),
  'test:crash': (args) =>
    runNode([
      ...tool('vitest'),
      'run',
      '--project',
      'machine',
      '--mode',
      'full',
      'packages/server/test/crash',
      ...args,
    ]),
  async bench(args) {
    return (await prepareWeb()) || runNode(['packages/server/bench/main.ts', ...args])
  },
  async release(args) {
    return (await prepareWeb()) || runNode(['scripts/release.mjs', ...args])
  },
  async screenshots(args) {
    return (await prepareWeb()) || runNode(['e2e/screenshots/main.ts', ...args])
  },
}

const [name = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(commands, name)) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')} [args…]`)
  process.exit(2)
}
/** Rejects flags that npm start does not know at once, before everything is installed and built. */
function unknownFlag(given) {
  const options = JSON.parse(readFileSync(join(root, 'packages/server/src/options.json'), 'utf8'))
  const optionOf = (argument = '') => options[/^--([^=]+)/.exec(argument)?.[1]]
  const isValue = (at) => Boolean(optionOf(given[at - 1])?.value) && !given[at - 1].includes('=')
  return given.find((argument, at) => argument.startsWith('-') && !optionOf(argument) && !isValue(at))
}

const unknown = ['start', 'dev'].includes(name) ? unknownFlag(args) : undefined
if (unknown) {
  console.error(`unknown flag ${unknown.split('=')[0]}: see --help`)
  process.exit(2)
}
process.chdir(root)
process.exit((await prepare()) || (await commands[name](args)))
