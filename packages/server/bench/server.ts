// A server as `npm start` runs it, on its own data folder, with the few calls that the measurements need.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codes } from '@cloudoc/domain'
import { serverEnvironment, serverFlags } from '../../../scripts/server-process.mjs'

const own = join(import.meta.dirname, '../../..')
/** The password of all users. */
export const password = 'Bench#2026'

type Body = string | Buffer | NodeJS.ReadableStream

export interface BenchServer {
  readonly dataDir: string
  readonly origin: string
  /** The Authorization header of the signed-in user. */
  readonly authorization: string
  readonly pid: number
  /** The server's database. */
  readonly database: { host: string; port: number; user: string; database: string }
  makeFolder(name: string): Promise<number>
  /** Returns the file's id. */
  upload(folderId: number, fileName: string, content: Buffer | NodeJS.ReadableStream, size?: number): Promise<number>
  call(path: string): Promise<unknown>
  post(path: string, input: object): Promise<unknown>
  get(path: string): Promise<IncomingMessage>
  /** Creates an account; returns the Authorization header of its session. */
  person(account: string): Promise<string>
  stop(): Promise<void>
}

/** Starts a server on `dataDir`, with further flags if given; resolves after signing in. */
export function startServer(dataDir: string, ...flags: readonly string[]): Promise<BenchServer> {
  return startServerWith([], dataDir, ...flags)
}

/** The same, with preloaded modules. */
export function startServerWith(
  modules: readonly string[],
  dataDir: string,
  ...flags: readonly string[]
): Promise<BenchServer> {
  return startServerOf(own, modules, dataDir, ...flags)
}

/** Starts the server of a checkout, which may be of an earlier state. */
export async function startServerOf(
  checkout: string,
  modules: readonly string[],
  dataDir: string,
  ...flags: readonly string[]
): Promise<BenchServer> {
  const loading = modules.flatMap((path) => ['--import', path])
  const main = join(checkout, 'packages/server/src/main.ts')
  const args = [...serverFlags, ...loading, main, '--data', dataDir, '--port', '0', ...flags]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...serverEnvironment, CLOUDOC_ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await readyAt(child)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let token = ''

  const send = (method: string, path: string, body?: Body, headers: Record<string, string | number> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
      const sent = request(`${origin}${path}`, { method, agent, headers: { ...headers, ...authorization } }, resolve)
      sent.once('error', reject)
      if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body)
      else body.pipe(sent)
    })
  const data = async (path: string, response: IncomingMessage): Promise<unknown> => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as { result: number; data: unknown; msg: string }
    if (answer.result !== codes.success.code) throw new Error(`${path} was refused: ${answer.result} ${answer.msg}`)
    return answer.data
  }
  const call = async (path: string): Promise<unknown> => data(path, await send('GET', path))
  const post = async (path: string, input: object): Promise<unknown> =>
    data(path, await send('POST', path, JSON.stringify(input), { 'content-type': 'application/json' }))

  const signIn = async (userName: string): Promise<string> => {
    const login = '/services/json/login/login3'
    const form = new URLSearchParams({ userName, password, clientType: '6' }).toString()
    const signedIn = await send('POST', login, form, { 'content-type': 'application/x-www-form-urlencoded' })
    return ((await data(login, signedIn)) as { accessToken: string }).accessToken
  }
  token = await signIn('admin')
  const { list } = (await call('/services2/setting/getRootFolderSetting')) as { list: { fId: number }[] }
  const parentId = list[0]?.fId

  return {
    dataDir,
    origin,
    authorization: `authorization: Bearer ${token}`,
    pid: child.pid ?? 0,
    database: { host: join(dataDir, 'postgres'), port: 5432, user: 'cloudoc', database: 'postgres' },
    call,
    post,
    async makeFolder(folderName) {
      const made = await post('/services2/file/operate/folderCreate', { parentId, folderName })
      return (made as { folderId: number }).folderId
    },
    async upload(folderId, fileName, content, size) {
      const path = `/services2/upload/raw?${new URLSearchParams({ folderId: String(folderId), fileName }).toString()}`
      const type = { 'content-type': 'application/octet-stream' }
      const made = await data(
        path,
        await send('PUT', path, content, size === undefined ? type : { ...type, 'content-length': size }),
      )
      return (made as { fileId: number }).fileId
    },
    get: (path) => send('GET', path),
    async person(account) {
      await post('/services2/organization/createAccount', { account, accountName: account, password, groupId: 0 })
      return `authorization: Bearer ${await signIn(account)}`
    },
    async stop() {
      agent.destroy()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * Resolves with the server's address. Reads its output to the end, so that the server is never blocked by a full pipe;
 * prints errors in it.
 */
function readyAt(child: ChildProcess): Promise<string> {
  const ready = Promise.withResolvers<string>()
  if (child.stdout === null) throw new Error('no output')
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const origin = /ready at (\S+)/.exec(line)?.[1]
    if (origin !== undefined) ready.resolve(origin)
    else if (/"level":[56]0/.test(line)) console.error(line)
  })
  lines.on('close', () => ready.reject(new Error('the server did not start')))
  return ready.promise
}
