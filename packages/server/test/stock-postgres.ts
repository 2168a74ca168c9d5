// A PostgreSQL other than the embedded one: the system's, usually of another version, or else the embedded one once
// more.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'

const installed = '/usr/lib/postgresql'

type Target = Exclude<DatabaseTarget, { url: string }>

export interface OtherPostgres {
  readonly target: Target
  /** Whether it is the system's PostgreSQL with its default configuration. */
  readonly isStock: boolean
  stop(): Promise<void>
}

/** Starts an empty one in a folder, with the configuration in `settings` only. */
export async function openOtherPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<OtherPostgres> {
  const bin = (existsSync(installed) ? readdirSync(installed) : [])
    .map((version) => join(installed, version, 'bin'))
    .find((path) => existsSync(join(path, 'postgres')))
  const dataDir = join(folder, 'other')
  if (bin === undefined)
    return { ...(await startEmbeddedPostgres({ dataDir, log: () => {}, settings })), isStock: false }
  // PostgreSQL refuses to run as root; the package has created a user for it.
  const user = process.geteuid?.() === 0 ? userOf('postgres') : undefined
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const options = { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } }
  execFileSync(join(bin, 'initdb'), ['-D', dataDir, '-U', 'cloudoc', '-A', 'trust', '-E', 'UTF8'], {
    ...options,
    stdio: 'ignore',
  })
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(bin, 'postgres'), ['-D', dataDir, '-h', '', '-k', dataDir, ...given], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await accepting(child)
  return {
    target: { host: dataDir, port: 5432, user: 'cloudoc', database: 'postgres' },
    isStock: true,
    async stop() {
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
}

/** The URL of a database that is reached over a socket. */
export function urlOf({ host, port, user, database }: Target): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = (line ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function accepting(child: ChildProcess): Promise<void> {
  if (child.stderr === null) return
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('ready to accept connections')) break
  }
  child.stderr.resume()
}
