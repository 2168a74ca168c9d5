// A PostgreSQL that is not the one that comes along: of the system and so usually of another version, else ours once more.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { type Place, testFolder } from './restored.ts'

const installed = '/usr/lib/postgresql'

/** Starts it empty; it ends with the test. Reached through a socket, like ours. */
export async function startOtherPostgres(): Promise<Place['database']> {
  const folder = await testFolder()
  const bin = (existsSync(installed) ? readdirSync(installed) : [])
    .map((version) => join(installed, version, 'bin'))
    .find((path) => existsSync(join(path, 'postgres')))
  if (bin === undefined) {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'other'), log: () => {} })
    onTestFinished(() => postgres.stop())
    return postgres.target
  }
  // PostgreSQL refuses root; the package has made a user for it.
  const user = process.geteuid?.() === 0 ? userOf('postgres') : undefined
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const dataDir = join(folder, 'other')
  const options = { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } }
  execFileSync(join(bin, 'initdb'), ['-D', dataDir, '-U', 'cloudoc', '-A', 'trust', '-E', 'UTF8'], {
    ...options,
    stdio: 'ignore',
  })
  const child = spawn(join(bin, 'postgres'), ['-D', dataDir, '-h', '', '-k', dataDir], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
  })
  await accepting(child)
  return { host: dataDir, port: 5432, user: 'cloudoc', database: 'postgres' }
}

/** The address of a database that is reached through a socket. */
export function urlOf({ host, port, user, database }: Place['database']): string {
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
