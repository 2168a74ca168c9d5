import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PUSH_PATH } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { longTest } from './full.ts'
import { ServerProcess } from './server-process.ts'

let folder: string
const started: ServerProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-life-'))
})
afterAll(async () => {
  for (const server of started) {
    if (server.child.exitCode === null) server.child.kill('SIGTERM')
    await server.exited
  }
  await rm(folder, { recursive: true, force: true })
})

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ServerProcess {
  const server = new ServerProcess(['--data', join(folder, 'data'), '--port', '0', ...args], env)
  started.push(server)
  return server
}

interface Api {
  readonly origin: string
  readonly token: string
  readonly library: number
}

async function call(
  api: Pick<Api, 'origin' | 'token'>,
  path: string,
  body?: object,
): Promise<{ result: number; data: never }> {
  const response = await fetch(`${api.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { result: number; data: never }
}

async function signIn(origin: string): Promise<Api> {
  const response = await fetch(`${origin}/services/json/login/login3`, {
    method: 'POST',
    body: new URLSearchParams({ userName: 'admin', password: 'Test#2026', clientType: '6' }),
  })
  const { data } = (await response.json()) as { data: { accessToken: string } }
  const api = { origin, token: data.accessToken }
  const roots = await call(api, '/services2/setting/getRootFolderSetting')
  const { list } = roots.data as { list: { fId: number; kind: string }[] }
  return { ...api, library: list.find((one) => one.kind === 'company')?.fId ?? 0 }
}

const makeFolder = (api: Api, folderName: string) =>
  call(api, '/services2/file/operate/folderCreate', { parentId: api.library, folderName })

async function put(api: Api, fileName: string, body: string | Buffer<ArrayBuffer>): Promise<number> {
  const response = await fetch(`${api.origin}/services2/upload/raw?folderId=${api.library}&fileName=${fileName}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.token}` },
    body,
  })
  return ((await response.json()) as { data: { fileId: number } }).data.fileId
}

/** Opens a socket and sends only this part of a request. */
async function begin(api: Api, text: string): Promise<Socket> {
  const { hostname, port } = new URL(api.origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const [line = '', ...rest] = text.split('\r\n')
  socket.write([line, 'host: x', `authorization: Bearer ${api.token}`, ...rest].join('\r\n'))
  return socket
}

describe('a running server', () => {
  test('stops within five seconds with an upload, a download, a channel and a transaction in flight, and keeps all that was acknowledged', async () => {
    const server = start([])
    const api = await signIn(await server.ready())
    const fileId = await put(api, 'big.bin', Buffer.alloc(32 * 1024 * 1024, 7))
    await put(api, 'small.txt', 'kept')

    const upload = await begin(
      api,
      `PUT /services2/upload/raw?folderId=${api.library}&fileName=half.bin HTTP/1.1\r\ncontent-length: 999\r\n\r\nhalf`,
    )
    const download = await begin(api, `GET /DownloadServlet?fileId=${fileId} HTTP/1.1\r\n\r\n`)
    await once(download, 'readable')
    const channel = new WebSocket(`${api.origin.replace('http', 'ws')}${PUSH_PATH}`)
    await once(channel, 'open')
    channel.send(JSON.stringify({ cmd: 'login', token: api.token }))
    await once(channel, 'message')
    const database = new pg.Client({
      host: join(folder, 'data/postgres'),
      port: 5432,
      user: 'cloudoc',
      database: 'postgres',
    })
    database.on('error', () => {})
    await database.connect()
    await database.query('begin')
    await database.query('select 1 from item where id = $1 for update', [api.library])
    const waiting = makeFolder(api, 'never').catch(() => undefined)
    await vi.waitFor(async () => {
      const { rows } = await database.query<{ n: number }>('select count(*)::int as n from pg_locks where not granted')
      expect(rows[0]?.n).toBe(1)
    }, 10_000)

    const closed = once(channel, 'close')
    const at = performance.now()
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(performance.now() - at).toBeLessThan(5000)
    await closed
    await waiting
    upload.destroy()
    download.destroy()
    await database.end().catch(() => {})
    expect(await readdir(join(folder, 'data/blobs/staging'))).toEqual([])

    const again = await signIn(await start(['--host', '0.0.0.0']).ready())
    const list = await call(again, `/services2/file/query/getSubItemList3/${api.library}`)
    expect((list.data as { list: { fName: string }[] }).list.map((item) => item.fName)).toEqual([
      'big.bin',
      'small.txt',
    ])
  })

  test('that others can reach without TLS warns at its start, and one for this machine alone does not', () => {
    expect(started.map(({ out }) => /^Warning: .*without TLS/m.test(out))).toEqual([false, true])
  })

  test('PostgreSQL killed under it is started again: calls fail clearly until then, and nothing acknowledged is lost', async () => {
    const server = started.at(-1)
    const api = await signIn((await server?.ready()) ?? '')
    await put(api, 'acknowledged.txt', 'kept')
    const [pid = ''] = (await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    // The kill takes effect late: a call right afterwards could still be answered.
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow(), 120_000)
    const seen = new Set<number>()
    await vi.waitFor(
      async () => {
        const { result } = await makeFolder(api, `after ${seen.size} ${Math.random()}`)
        seen.add(result)
        expect(result).toBe(-1)
      },
      { timeout: 120_000, interval: 50 },
    )
    const { success, serverException } = codes
    expect([...seen].filter((result) => result !== success.code && result !== serverException.code)).toEqual([])
    const channel = new WebSocket(`${api.origin.replace('http', 'ws')}${PUSH_PATH}`)
    await once(channel, 'open')
    channel.send(JSON.stringify({ cmd: 'login', token: api.token }))
    await once(channel, 'message')
    const frames: string[] = []
    channel.on('message', (frame: Buffer) => frames.push(frame.toString()))
    expect((await makeFolder(api, 'told')).result).toBe(success.code)
    await vi.waitFor(() => expect(frames.join()).toContain('"fName":"told"'), 120_000)
    channel.close()
    const list = await call(api, `/services2/file/query/getSubItemList3/${api.library}`)
    expect(JSON.stringify(list.data)).toContain('acknowledged.txt')
  })
})

describe('a server ends with whoever runs it', () => {
  const script = (name: string): string => join(import.meta.dirname, '../../../scripts', name)
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }
  const flags = (name: string): string => JSON.stringify(['--port', '0', '--data', join(folder, name)])
  const runner = (name: string): string =>
    `const { runServer } = await import(${JSON.stringify(script('processes.mjs'))})
     process.exit(await runServer(${JSON.stringify(join(import.meta.dirname, '../src/main.ts'))}, ${flags(name)}))`

  test.each([
    ['its runner', (name: string) => ['--input-type=module', '-e', runner(name)]],
    [
      'npm, which runs it through a shell',
      (name: string) => [
        '-e',
        `const { spawn } = require('node:child_process')
         const env = { ...process.env, npm_lifecycle_event: 'start', RUNNER: ${JSON.stringify(runner(name))} }
         spawn('/bin/sh', ['-c', '"$0" --input-type=module -e "$RUNNER"; exit $?', process.execPath], { env, stdio: 'inherit' })`,
      ],
    ],
  ] as const)('also where %s is killed', async (who, args) => {
    const child = spawn(process.execPath, args(who), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: dirname(process.execPath), CLOUDOC_ADMIN_PASSWORD: 'Test#2026' },
    })
    for await (const text of child.stdout as AsyncIterable<Buffer>) if (text.toString().includes('ready at')) break
    const [pid = ''] = (await readFile(join(folder, who, 'postgres/postmaster.pid'), 'utf8')).split('\n')
    expect(isAlive(Number(pid))).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => isAlive(Number(pid)), { timeout: 120_000 }).toBe(false)
  })
})

longTest('what the operator can mend is one line and exit code 2', async () => {
  const busy = createServer()
  busy.listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const { port } = busy.address() as AddressInfo
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'unrestored'))
  await writeFile(join(folder, 'unrestored/postgres.restoring'), '/backups')
  const { host, user } = inject('cluster')
  const unsafe = `postgresql:///cloudoc_template?host=${encodeURIComponent(host)}&user=${user}&port=5432`
  const url = (DATABASE_URL: string) => ({ DATABASE_URL })
  const cases: [what: string, args: string[], env: NodeJS.ProcessEnv, line: RegExp][] = [
    ['an unknown flag', ['--colour'], {}, /--colour/],
    ['a value that is none', ['--port', 'many'], {}, /port/],
    ['a folder that is a file', ['--data', join(folder, 'file')], {}, /folder|data/],
    ['a folder nobody may write to', ['--data', '/proc/cloudoc'], {}, /folder/],
    ['a folder in use', [], {}, /in use by another running server/],
    ['a busy port', ['--data', join(folder, 'other'), '--port', String(port)], {}, /port is in use/],
    [
      'a database that is not there',
      ['--data', join(folder, 'third')],
      url('postgres://x:y@127.0.0.1:1/z'),
      /database cannot be used/,
    ],
    [
      'a host that is not there',
      ['--data', join(folder, 'third')],
      url('postgres://x:y@host.invalid/z'),
      /database cannot be used/,
    ],
    [
      'a database that is missing',
      ['--data', join(folder, 'third')],
      url(unsafe.replace('cloudoc_template', 'none')),
      /database cannot be used/,
    ],
    [
      'a password for admin that breaks the rules',
      ['--data', join(folder, 'fourth'), '--port', '0'],
      { CLOUDOC_ADMIN_PASSWORD: 'weak' },
      /CLOUDOC_ADMIN_PASSWORD cannot be used/,
    ],
    [
      'a restore that broke off before its database could say so',
      ['--data', join(folder, 'unrestored')],
      {},
      /npm run restore -- \/backups again.* or remove \S*postgres\.restoring\.\n$/,
    ],
    ['an unsafe database', ['--data', join(folder, 'third')], url(unsafe), /fsync = off/],
  ]
  const results = await Promise.all(
    cases.map(async ([what, args, env, line]) => {
      const server = start(args, env)
      const code = await server.exited
      return { what, code, lines: server.err.trim().split('\n').length, says: line.test(server.err) || server.err }
    }),
  )
  busy.close()
  expect(results).toEqual(cases.map(([what]) => ({ what, code: 2, lines: 1, says: true })))
})
