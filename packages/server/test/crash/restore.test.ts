/*
 * Kills a restore at random, starts a server on the result, and restores again: into the same target, or after the
 * database was recreated, the store emptied, or another backup chosen. Whatever ends with “Restored” is complete. A
 * restore that cannot continue reports the reason. No server starts in between.
 *
 * `npm run test:crash` kills 30 times for every pair of kinds; the ordinary run once for two of them.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { BlobStore } from '../../src/core/blobs/store.ts'
import { openDatabase } from '../../src/core/db/database.ts'
import { startEmbeddedPostgres } from '../../src/core/db/embedded-postgres.ts'
import type { DatabaseTarget } from '../../src/core/db/target.ts'
import { installation } from '../../src/installation.ts'
import { backUp, openSnapshot } from '../../src/system/backup/index.ts'
import { fsck } from '../../src/system/fsck/index.ts'
import { openWorld } from '../harness.ts'
import { startOtherPostgres } from '../other-postgres.ts'
import { randomOf } from '../random.ts'
import { ServerProcess } from '../server-process.ts'
import { urlOf } from '../stock-postgres.ts'
import { type CrashStore, folderStore, s3Store } from './stores.ts'

const full = inject('full')
const seed = randomBytes(3).readUIntBE(0, 3)
const random = randomOf(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Backups of one installation; the later one contains more. */
const backups: string[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-restored-'))
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  for (let n = 0; n < 2; n += 1) {
    const names = Array.from({ length: 150 }, (_, at) => `${n}-${at}.txt`)
    await Promise.all(
      names.map((name) => anna.upload(anna.library, name, name.repeat(1 + Math.floor(random() * 3000)))),
    )
    const { path } = await backUp({
      ...installation,
      target: world.database,
      store: world.app.blobs,
      folder,
      product: 'test',
    })
    backups.push(path)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The target of repeated restores. */
class Target {
  readonly store: CrashStore
  /** The cluster in which databases are created; absent if the embedded one in the data folder is used. */
  private readonly outside: Exclude<DatabaseTarget, { url: string }> | undefined
  private readonly data: string
  private databases = 0

  private constructor(data: string, store: CrashStore, outside: Target['outside']) {
    this.data = data
    this.store = store
    this.outside = outside
  }

  static async create(database: 'embedded' | 'outside', kind: 'a folder' | 'S3'): Promise<Target> {
    const data = await mkdtemp(join(tmpdir(), 'cloudoc-crash-'))
    const store = kind === 'S3' ? await s3Store(data) : folderStore(data)
    const target = new Target(data, store, database === 'outside' ? await startOtherPostgres() : undefined)
    onTestFinished(async () => {
      await store.close()
      await rm(data, { recursive: true, force: true })
    })
    await target.newDatabase()
    return target
  }

  async newDatabase(): Promise<void> {
    if (this.outside === undefined) {
      for (const name of await readdir(this.data)) {
        if (name.startsWith('postgres')) await rm(join(this.data, name), { recursive: true })
      }
      return
    }
    this.databases += 1
    const client = new pg.Client(this.outside)
    await client.connect()
    await client.query(`create database restored${this.databases} template template0`)
    await client.end()
  }

  async emptyStore(): Promise<void> {
    await rm(join(this.data, 'blobs'), { recursive: true, force: true })
    await mkdir(join(this.data, 'blobs'))
  }

  private get database(): DatabaseTarget | undefined {
    return this.outside && { ...this.outside, database: `restored${this.databases}` }
  }

  run(...command: readonly string[]): ServerProcess {
    const { database } = this
    const url = database === undefined || 'url' in database ? [] : ['--database-url', urlOf(database)]
    return new ServerProcess([...command, '--data', this.data, '--port', '0', ...url], this.store.env)
  }

  /** Whether anything of a killed restore is in the target. */
  async isTouched(): Promise<boolean> {
    if (this.database === undefined) return (await readdir(this.data)).some((name) => name.startsWith('postgres'))
    const database = openDatabase(this.database, 1)
    const { rows } = await sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`.execute(database.db)
    await database.close()
    return rows.length > 0
  }

  /** Returns what is missing or wrong compared to the backup. */
  async missing(backup: string): Promise<unknown> {
    const postgres =
      this.outside === undefined
        ? await startEmbeddedPostgres({ dataDir: join(this.data, 'postgres'), log: () => {} })
        : undefined
    const database = openDatabase(this.database ?? postgres?.target ?? { url: '' }, 3)
    const blobs: BlobStore = await this.store.open()
    try {
      const findings = await fsck({ ...installation, db: database.db, blobs, rehash: true })
      const wrong = findings.filter(({ breaks, says }) => breaks > 0 && !says.startsWith('every stored object'))
      const { manifest } = await openSnapshot(backup)
      const fewer: string[] = []
      for (const { table, rows } of manifest.tables.filter((entry) => unmoved.has(entry.table))) {
        const { rows: found } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
          database.db,
        )
        if (found[0]?.n !== rows) fewer.push(`${table}: ${found[0]?.n} of ${rows}`)
      }
      return [...wrong, ...fewer]
    } finally {
      await blobs.close()
      await database.close()
      await postgres?.stop()
    }
  }
}

/** Tables that a starting server leaves unchanged. Sums and indexes are checked by fsck. */
const unmoved = new Set(['org_group', 'account', 'item', 'library', 'blob', 'version', 'entry', 'event', 'audit'])

const halfRestored = /^A restore has begun here and not ended: run npm run restore -- \S+ again/
/** A recreated database does not know of the restore whose contents are still in the store. */
const leftAlone = /^A restore has begun here|holds contents already, of which this new database knows nothing/

/** What happens to a target between a killed restore and the next one. */
const betweens = ['nothing', 'nothing', 'the database anew', 'the store emptied', 'both', 'another backup'] as const

const pairs = [
  ['outside', 'S3'],
  ...(full
    ? ([
        ['embedded', 'S3'],
        ['outside', 'a folder'],
        ['embedded', 'a folder'],
      ] as const)
    : []),
] as const

test.each(pairs)(
  `a restore into an %s PostgreSQL and %s that is killed at random goes on or says why not, and never misses a thing (seed ${seed})`,
  {
    timeout: 3_600_000,
  },
  async (kind, storeKind) => {
    const target = await Target.create(kind, storeKind)
    let backup = pick(backups)
    const started = performance.now()
    expect(await target.run('restore', backup).exited).toBe(0)
    const wholeMs = performance.now() - started
    expect(await target.missing(backup)).toEqual([])

    for (let kills = full ? 30 : 1; kills > 0; ) {
      await target.newDatabase()
      await target.emptyStore()
      const history: string[] = []
      for (let more = 1 + Math.floor(random() * 3); more > 0 && kills > 0; more -= 1) {
        const restore = target.run('restore', backup)
        const afterMs = Math.floor(wholeMs * (0.2 + 0.9 * random()))
        const ended = await Promise.race([restore.exited.then(() => true), delay(afterMs, false)])
        restore.child.kill('SIGKILL')
        await restore.exited
        history.push(`${backup.slice(-4)} killed after ${afterMs} ms${ended ? ', too late' : ''}: ${restore.err}`)
        if (ended && !/already/.test(restore.err)) expect(restore.out, history.join('\n')).toMatch(/^Restored/m)
        if (!ended) kills -= 1
        const isAnew = history.includes('the database anew')
        if (await target.isTouched()) {
          const server = target.run()
          const serves = await Promise.race([server.ready().then(() => true), server.exited.then(() => false)]).catch(
            () => false,
          )
          server.child.kill('SIGTERM')
          await server.exited
          // The restore was killed after its final check, so the target is already an ordinary installation.
          if (serves) expect(await target.missing(backup), history.join('\n')).toEqual([])
          else expect(server.err, history.join('\n')).toMatch(isAnew ? leftAlone : halfRestored)
          if (serves) break
        }
        const between = pick(betweens)
        history.push(between)
        if (between === 'the database anew' || between === 'both') await target.newDatabase()
        if (between === 'the store emptied' || between === 'both') await target.emptyStore()
        if (between === 'another backup') backup = pick(backups)
      }
      let last = target.run('restore', backup)
      let code = await last.exited
      if (code === 2 && last.err.startsWith('There are contents in ')) {
        history.push('told to empty the store')
        expect(history.join('\n')).toMatch(/the database anew/)
        await target.emptyStore()
        last = target.run('restore', backup)
        code = await last.exited
      }
      // The restore was killed at its very end and was already complete.
      if (code === 2) expect(last.err, history.join('\n')).toMatch(/^The installation is in use/)
      else expect(last.out, `${history.join('\n')}\n${last.err}`).toMatch(/^Restored/m)
      expect(await target.missing(backup), history.join('\n')).toEqual([])
    }
  },
)
