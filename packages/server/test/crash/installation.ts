// The installation that is killed repeatedly: its server, PostgreSQL and store, and the consistency checks.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { quickFolder } from '../../../../scripts/quick-folder.mjs'
import { type Db, openDatabase } from '../../src/core/db/database.ts'
import { findEmbeddedPostgres } from '../../src/core/db/embedded-postgres.ts'
import { installation } from '../../src/installation.ts'
import { fsck } from '../../src/system/fsck/index.ts'
import { password } from '../harness.ts'
import { ServerProcess } from '../server-process.ts'
import type { Orders } from './points.ts'
import { type CrashStore, folderStore, s3Store } from './stores.ts'
import { ask, type Session } from './workload.ts'

export type StoreKind = 'a folder' | 'S3'

export const isDead = ({ child }: ServerProcess): boolean => child.exitCode !== null || child.signalCode !== null

/**
 * Waits for the end of a server that no longer answers. A server that still runs and reports a failure is an error of
 * its own.
 */
export async function gone(server: ServerProcess, why: unknown = 'it answered no more'): Promise<void> {
  await vi.waitFor(
    () => {
      const failures = server.out.split('\n').filter((line) => line.includes('"level":50'))
      const said = why instanceof Error ? why.stack : String(why)
      expect(isDead(server), `${said}\n${failures.slice(-3).join('\n')}`).toBe(true)
    },
    { timeout: 10_000 },
  )
}

export async function end(server: ServerProcess): Promise<void> {
  server.child.kill('SIGKILL')
  await server.exited
}

export async function signIn(server: ServerProcess): Promise<Session> {
  const origin = await server.ready()
  const { data } = await ask({ origin, token: '' }, 'login3', { userName: 'admin', password, clientType: 6 })
  return { origin, token: (data as { accessToken: string }).accessToken }
}

export class Installation {
  readonly store: CrashStore
  private readonly folder: string
  private running: ServerProcess | undefined

  private constructor(folder: string, store: CrashStore) {
    this.folder = folder
    this.store = store
  }

  static async create(kind: StoreKind): Promise<Installation> {
    const folder = await mkdtemp(join(quickFolder, 'cloudoc-crash-'))
    return new Installation(folder, kind === 'S3' ? await s3Store(folder) : folderStore(folder))
  }

  /** Starts the server; resolves when it serves, or when it has ended during the start. */
  async start(orders: Omit<Orders, 'partBytes'>): Promise<ServerProcess> {
    const { env, partBytes } = this.store
    const script = join(import.meta.dirname, 'server.ts')
    const server = new ServerProcess(['--data', this.folder, '--port', '0', '--scrub-days', '0'], env, script, 'ipc')
    this.running = server
    server.child.send({ ...orders, partBytes })
    await Promise.race([server.ready().catch(() => undefined), server.exited])
    return server
  }

  async killPostgres(): Promise<void> {
    const [pid = ''] = (await readFile(join(this.folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }

  /** Runs work on the server's database. */
  async onDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const target = await findEmbeddedPostgres(join(this.folder, 'postgres'))
    if (target === undefined) throw new Error('PostgreSQL does not run')
    const database = openDatabase(target, 3)
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }

  /** Returns the inconsistencies of the whole installation. */
  inspect(): Promise<string[]> {
    return this.onDatabase(async (db) => {
      const blobs = await this.store.open()
      try {
        const findings = await fsck({ ...installation, db, blobs, rehash: true })
        const { rows } = await sql<{ gaps: number }>`
          select coalesce(max(position) - min(position) + 1 - count(position), 0) as gaps from event`.execute(db)
        return [
          ...findings.filter(({ breaks }) => breaks > 0).map(({ says, examples }) => `${says}: ${examples.join('; ')}`),
          ...(rows[0]?.gaps === 0 ? [] : ['positions of events have gaps']),
        ]
      } finally {
        await blobs.close()
      }
    })
  }

  /** Compares the store's objects with the rows that reference them, after all garbage has been collected. */
  async leftOver() {
    const left = await this.store.left()
    return this.onDatabase(async (db) => {
      const { rows } = await sql<{ blobs: number; dropped: number; uploads: number }>`
        select (select count(*) from blob) as blobs, (select count(*) from dropped_object) as dropped,
          (select count(*) from upload) as uploads`.execute(db)
      return { ...left, ...rows[0] }
    })
  }

  async remove(): Promise<void> {
    this.running?.child.kill('SIGTERM')
    await this.running?.exited
    await this.store.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}
