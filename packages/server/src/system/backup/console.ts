/*
 * Backups from the console, in the folder that the operator set. They are jobs: one at a time in the installation,
 * whichever process runs it. The folder is the history; the result of the last check of each backup is stored beside.
 */
import { join } from 'node:path'
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { backedUp } from '../overview/index.ts'
import { backUp, type Progress } from './backup.ts'
import { BackupBroken, openSnapshot, snapshotNames } from './format.ts'
import { verify } from './verify.ts'

const hourMs = 60 * 60_000
/** The newest backups that are listed. */
const mostListed = 100

const Asked = z.object({ what: z.enum(['backup', 'check']), name: z.string(), asked: z.number(), by: z.number() })
type Asked = z.output<typeof Asked>

interface Done {
  readonly name: string
  /** What a check found. */
  readonly problems: readonly string[]
  /** Why a backup failed; empty if it did not. */
  readonly problem: string
}

const running: JobKind<Asked, Done> = {
  name: 'backup.run',
  input: Asked,
  key: ({ asked }) => String(asked),
}

interface Known {
  readonly problem: string
  readonly checks: Readonly<Record<string, { readonly at: number; readonly problems: readonly string[] }>>
}
const known = resumableScan<Known>('backupConsole', { problem: '', checks: {} })

type Parts = Pick<Services, 'blobs' | 'tables' | 'backups'>

/** Makes or checks a backup. A failure is a result, which the page shows. */
export function backupJob({ blobs, tables, backups }: Parts): Job<Asked, Done> {
  return job<Asked, Done>({
    ...running,
    attempts: 1,
    concurrency: 1,
    timeoutMs: 24 * hourMs,
    async run(context, { what, name }) {
      const onProgress = ({ done, of }: Progress): void =>
        context.progress(of === 0 ? 0 : Math.min(999, Math.floor((done * 1000) / of)))
      try {
        if (what === 'check') {
          const { problems } = await verify(join(backups.folder, name), onProgress)
          return { name, problems, problem: '' }
        }
        const { folder, target, product } = backups
        const made = await backUp({ target, tables, store: blobs, folder, product, onProgress })
        return { name: made.manifest.takenAt.replaceAll(':', '-'), problems: [], problem: '' }
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        context.log.warn({ what, name, reason: said }, 'a backup or its check failed')
        return what === 'check' || error instanceof BackupBroken
          ? { name, problems: [said], problem: '' }
          : { name, problems: [], problem: said }
      }
    },
    async commit({ tx, now }, { what }, { name, problems, problem }) {
      const before = await known.read(tx)
      if (what === 'check')
        await known.write(tx, { ...before, checks: { ...before.checks, [name]: { at: now, problems } } })
      else {
        await known.write(tx, { ...before, problem })
        if (problem === '') await backedUp.write(tx, { at: now })
      }
    },
  })
}

const runningNow = (db: Db) =>
  sql<{ progress: number | null; input: Asked }>`
    select progress, input from job where kind = ${running.name} and state in ('waiting', 'running')
    order by id limit 1`
    .execute(db)
    .then(({ rows }) => rows[0])

async function begin(context: WriteContext, what: Asked['what'], name: string): Promise<void> {
  // Serializes requests, so that only one of two finds that nothing runs.
  await sql`select pg_advisory_xact_lock(${0x6261636b})`.execute(context.tx)
  if ((await runningNow(context.tx)) !== undefined) return fail('duplicateOperation')
  await enqueue(context, running, { what, name, asked: context.now, by: actorOf(context).accountId })
}

export function backupHandlers({ backups }: Pick<Services, 'backups'>) {
  return implement(features.backups.calls, {
    async getBackups({ db }) {
      const { folder, isBesideData } = backups
      const names = (await snapshotNames(folder)).toReversed().slice(0, mostListed)
      const { problem, checks } = await known.read(db)
      const list = await Promise.all(
        names.map(async (name) => {
          const { manifest } = await openSnapshot(join(folder, name))
          const { takenAt, tables, objects, damaged } = manifest
          return {
            name,
            takenAt: Date.parse(takenAt),
            rows: tables.reduce((sum, table) => sum + table.rows, 0),
            contents: objects.count,
            bytes: objects.totalBytes + tables.reduce((sum, table) => sum + table.bytes, 0),
            damaged: damaged?.count ?? 0,
            checkedAt: checks[name]?.at ?? 0,
            problems: [...(checks[name]?.problems ?? [])],
          }
        }),
      )
      const now = await runningNow(db)
      return {
        ...{ folder, isBesideData, list, problem },
        backupTime: (await backedUp.read(db)).at,
        running: now === undefined ? null : { what: now.input.what, name: now.input.name, progress: now.progress ?? 0 },
      }
    },

    async backUpNow(context) {
      await begin(context, 'backup', '')
      return {}
    },

    async checkBackup(context, { name }) {
      if (!(await snapshotNames(backups.folder)).includes(name)) return fail('notFound')
      await begin(context, 'check', name)
      context.audit({ name })
      return {}
    },
  })
}
