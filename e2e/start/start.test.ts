import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnWithoutNamespaces } from '@cloudoc/server/confined'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest } from '../long-test.ts'
import { ready, signIn } from '../running-server.ts'

const checkout = join(import.meta.dirname, '../..')
const NOT_COPIED = ['.git', 'data', 'release', 'node_modules']
/** Folders that other tests write to while this test copies. */
const WRITTEN_MEANWHILE = ['.cache', '.vite']
const IS_ROOT = process.geteuid?.() === 0
const NOBODY = 65534

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloudoc-start-'))
  chmodSync(folder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A home directory with a copy of the checkout, including installed packages; hard links make this cheap. */
function homeWithCheckout(name: string): { home: string; copy: string } {
  const home = join(folder, name)
  const copy = join(home, 'cloudoc')
  mkdirSync(join(copy, 'node_modules'), { recursive: true })
  copyEntries(checkout, copy, NOT_COPIED)
  copyEntries(join(checkout, 'node_modules'), join(copy, 'node_modules'), WRITTEN_MEANWHILE)
  return { home, copy }
}

function copyEntries(from: string, to: string, left: readonly string[]): void {
  const entries = readdirSync(from).filter((entry) => !left.includes(entry))
  const paths = entries.map((entry) => join(from, entry))
  if (!['-al', '-a'].some((how) => spawnSync('cp', [how, ...paths, to]).status === 0))
    throw new Error(`${from} cannot be copied to ${to}`)
}

const npmStart = ['start', '--', '--port', '0']

/** Starts, signs in, stops, starts again: the second time with the data of the first. */
async function expectToServe(dataDir: string, start: () => ChildProcess | Promise<ChildProcess>): Promise<void> {
  const first = await ready(await start())
  expect(await signIn(first)).toBe('admin')
  const page = await fetch(first.url)
  expect(page.headers.get('content-type')).toContain('text/html')
  // The duration is tested in lifecycle.test.ts (machine tests).
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)

  const second = await ready(await start())
  expect(second.password).toBe('')
  expect(await signIn({ ...second, password: first.password })).toBe('admin')
}

describe.runIf(IS_ROOT)('npm start as root', () => {
  test('serves from a checkout in a 0700 home', async () => {
    const { home, copy } = homeWithCheckout('closed')
    chmodSync(home, 0o700)
    const dataDir = join(copy, 'data')
    await expectToServe(dataDir, () => spawn('npm', npmStart, { cwd: copy, stdio: 'pipe' }))
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(0)
  })

  longTest('serves from a 0700 home where user namespaces are refused', async () => {
    const { home, copy } = homeWithCheckout('confined')
    chmodSync(home, 0o700)
    const dataDir = join(copy, 'data')
    await expectToServe(dataDir, () => spawnWithoutNamespaces('npm', npmStart, { cwd: copy }))
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).not.toBe(0)
  })
})

longTest('npm start serves an ordinary user', async () => {
  const { home, copy } = homeWithCheckout('ordinary')
  const dataDir = join(home, 'data')
  const user = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}
  // Only the folders: the files are hard links to those of the checkout.
  if (IS_ROOT) execFileSync('find', [home, '-type', 'd', '-exec', 'chown', `${NOBODY}:${NOBODY}`, '{}', '+'])
  const env = { ...process.env, HOME: home }
  await expectToServe(dataDir, () =>
    spawn('npm', [...npmStart, '--data', dataDir], { cwd: copy, env, stdio: 'pipe', ...user }),
  )
})

interface Refusal {
  status: number | null
  output: string
}

function start(args: string[], nodeArgs: string[] = []): Refusal {
  const data = ['--data', join(folder, 'refused')]
  const runner = [...nodeArgs, 'scripts/run.mjs', 'start', ...data, ...args]
  const { status, stderr } = spawnSync(process.execPath, runner, { cwd: checkout, encoding: 'utf8' })
  return { status, output: stderr }
}

/** Makes Node report a different platform. */
const pretending = (script: string): string[] => ['--import', `data:text/javascript,${script}`]
const musl = 'process.report.getReport = () => ({ header: {} })'
const riscv = `Object.defineProperty(process, 'arch', { value: 'riscv64' })`

describe('npm start says in one line, with exit code 2, what it cannot do:', () => {
  const refusals: [string, string[], string[], RegExp][] = [
    ['an unknown flag', ['--colour'], [], /^unknown flag --colour: see --help\n$/],
    [
      'an unknown flag before anything else',
      ['--port', '0', '--colour=red'],
      pretending(riscv),
      /^unknown flag --colour: see --help\n$/,
    ],
    ['a bad value', ['--port', 'many'], [], /^--port: many is not a port \(0 to 65535\)\n$/],
    ['an unwritable folder', ['--data', '/proc/x'], [], /^--data: the folder \/proc\/x cannot be written to .*\n$/],
    ['an unreachable database', ['--database-url', 'postgres://127.0.0.1:1/x'], [], /^[^\n]*database[^\n]*\n$/],
    ['an unknown platform', [], pretending(riscv), /^linux-riscv64 is not supported: use one of [^\n]*\n$/],
    ['musl', [], pretending(musl), /^musl is not supported: use a Linux with glibc, such as Debian\n$/],
  ]
  test.each(refusals)('%s', (_what, args, nodeArgs, message) => {
    const { status, output } = start(args, nodeArgs)
    expect(output).toMatch(message)
    expect(status).toBe(2)
  })

  longTest('a busy port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => other.once('listening', listening))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { status, output } = start(['--port', `${port}`])
    other.close()
    expect(output).toMatch(/^[^\n]*port[^\n]*\n$/)
    expect(status).toBe(2)
  })

  longTest('data that another running server uses', async () => {
    const dataDir = join(folder, 'shared')
    const args = ['scripts/run.mjs', 'start', '--port', '0', '--data', dataDir]
    const running = await ready(spawn(process.execPath, args, { cwd: checkout, stdio: 'pipe' }))
    const { status, output } = start(['--port', '0', '--data', dataDir])
    expect(output).toMatch(/^[^\n]* is in use by another running server\n$/)
    expect(status).toBe(2)
    expect(await running.stop()).toBe(0)
  })
})

test('npm start -- --help lists every setting and starts nothing', () => {
  const help = execFileSync(process.execPath, ['scripts/run.mjs', 'start', '--help'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  expect(help).toContain('CLOUDOC_ADMIN_PASSWORD')
})
