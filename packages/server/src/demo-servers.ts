/*
 * Further servers of the demo: each is a process with its own database and contents, and filled with the same company.
 * At the first start every one is linked with the first, in both directions.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { callsByName, type Envelope, type Fields, placeInput } from '@cloudoc/contract'

/** The names of the servers in each other's trees. */
const branchNames = ['深圳分部', '成都分部', '武汉分部', '西安分部']
const mainName = '总部'
/** The data folder is elsewhere, and so are its database and its contents. */
const ownVariables =
  /^(DATABASE_URL|BLOB_URL|PUBLIC_URL|PORT|PUSH_PORT|IM_PORT|IM_PUSH_PORT|CLOUDOC_DATA|CLOUDOC_DEMO_SERVERS)$/

export interface DemoServer {
  readonly name: string
  readonly origin: string
  /** Resolves when it serves and is filled; fails if it ends before. */
  readonly ready: Promise<void>
  stop(): void
}

interface Starting {
  /** The port of the first server; the others take the following ones. */
  readonly port: number
  readonly count: number
  readonly dataDir: string
  /** The password of `admin`, if this is the first start. */
  readonly password: string | undefined
  /** The environment of this process. */
  readonly env: NodeJS.ProcessEnv
}

/** Starts the other servers of the demo. They end with this process. */
export function startDemoServers({ port, count, dataDir, password, env }: Starting): DemoServer[] {
  return Array.from({ length: count }, (_, n) => {
    const own = port + n + 1
    const main = process.argv[1] ?? ''
    const args = ['--demo', '--servers', '1', '--port', String(own), '--data', join(dataDir, `server-${n + 2}`)]
    const inherited = Object.entries(env).filter(([name]) => !ownVariables.test(name))
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
      env: { ...Object.fromEntries(inherited), ...(password !== undefined && { CLOUDOC_ADMIN_PASSWORD: password }) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    return {
      name: branchNames[n] ?? `${n + 2}`,
      origin: `http://127.0.0.1:${own}`,
      ready: readyOf(child),
      stop: () => void child.kill('SIGTERM'),
    }
  })
}

async function readyOf(child: ChildProcess): Promise<void> {
  let said = ''
  const isReady = new Promise<void>((resolve) => {
    child.stdout?.on('data', (text: Buffer) => {
      said += text.toString()
      if (/ready at \S/.test(said)) resolve()
    })
  })
  let problem = ''
  child.stderr?.on('data', (text: Buffer) => {
    problem = text.toString()
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a further server of the demo has ended: ${problem.trim()}`)
  })
  await Promise.race([isReady, ended])
  // Its end later concerns only itself.
  ended.catch(() => {})
}

type LinkCall = 'login3' | 'probeServer' | 'setLinkedServer' | 'checkLinkedServer' | 'logout2'

async function send(origin: string, name: LinkCall, input: Fields, token?: string): Promise<unknown> {
  const { method, path, body } = placeInput(callsByName[name], input)
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': body.type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: body.text }),
  })
  const { result, data, msg } = (await response.json()) as Envelope<unknown>
  if (result !== -1) throw new Error(`${name} at ${origin}: ${result} ${msg}`)
  return data
}

interface Linking {
  readonly origin: string
  readonly password: string | undefined
  readonly say: (line: string) => void
}

/** Waits for the other servers and, at the first start, links them with this one. */
export async function linkDemoServers(
  servers: readonly DemoServer[],
  { origin, password, say }: Linking,
): Promise<void> {
  await Promise.all(servers.map(({ ready }) => ready))
  for (const server of servers) {
    if (password !== undefined) {
      const signIn = async (at: string): Promise<string> =>
        ((await send(at, 'login3', { userName: 'admin', password, clientType: 6 })) as { accessToken: string })
          .accessToken
      const [here, there] = await Promise.all([signIn(origin), signIn(server.origin)])
      const add = async (at: string, token: string, apiHost: string, serverName: string): Promise<number> => {
        const { publicKey } = (await send(at, 'probeServer', { apiHost }, token)) as { publicKey: string }
        const input = { serverName, apiHost, publicKey, checkedWith: 'demo' }
        return ((await send(at, 'setLinkedServer', input, token)) as { serverId: number }).serverId
      }
      const number = await add(origin, here, server.origin, server.name)
      const back = await add(server.origin, there, origin, mainName)
      await send(origin, 'checkLinkedServer', { serverId: number }, here)
      await send(server.origin, 'checkLinkedServer', { serverId: back }, there)
      await Promise.all([send(origin, 'logout2', {}, here), send(server.origin, 'logout2', {}, there)])
    }
    say(`Linked server ${server.name}: ${server.origin}`)
  }
}
