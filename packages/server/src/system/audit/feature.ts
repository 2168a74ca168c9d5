// Feature: the audit, with its calls, its sealing and its daily verification.

import { features } from '@cloudoc/contract'
import { calendarDay } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { feature } from '../../core/feature.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { archiveByTime, archivedWithin, archivesOf, archivingJob, askForArchive, sendArchive } from './archive.ts'
import { sendExport } from './export.ts'
import { listAudit, peopleCalled, topDownloads } from './list.ts'
import { auditMigrations } from './migrations.ts'
import { createSealer } from './seal.ts'
import { createForwarder, forwarding } from './syslog.ts'
import { auditTables } from './tables.ts'
import { verification, verificationJob, verificationOf } from './verification.ts'
import { exportHeads } from './verify.ts'

const sealEveryMs = 1000
const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000

export const audit = feature({
  wire: features.audit,
  tables: auditTables,
  migrations: auditMigrations,
  open: (services) => ({
    handlers: auditHandlers(services),
    jobs: [verificationJob(services), archivingJob(services)],
    chores: [
      {
        name: 'seals of the audit',
        everyMs: sealEveryMs,
        run: createSealer(
          services.db,
          services.now,
          async () => (await services.settings.current()).setting.download_time_zone,
        ),
      },
      { name: 'forwarding of the audit', everyMs: sealEveryMs, run: createForwarder(services) },
      { name: 'archives of the audit', everyMs: hourMs, run: () => archiveByTime(services) },
      { name: 'daily look at the audit', everyMs: hourMs, run: () => verifyDaily(services) },
    ],
  }),
})

/** One per day, whichever process requests it. */
async function verifyDaily({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  const asked = Math.floor(at / dayMs)
  // A chain younger than a day is not verified yet.
  const old = await db
    .selectFrom('audit_head')
    .select('seq')
    .where('at', '<', at - dayMs)
    .limit(1)
    .executeTakeFirst()
  if (old === undefined) return
  await db.transaction().execute((tx) => enqueue({ tx, now: at }, verification, { asked, by: 0 }))
}

function auditHandlers(services: Services) {
  const contents = createCheckedContents(services)
  return implement(features.audit.calls, {
    async getAuditList({ db }, { afterAt, afterSeq, rows, ...filters }) {
      const after = afterAt === undefined || afterSeq === undefined ? undefined : { at: afterAt, seq: afterSeq }
      const list = await listAudit(db, filters, after, rows + 1)
      const more = list.length > rows
      return { list: list.slice(0, rows), more, archived: more ? null : await archivedWithin(db, filters) }
    },

    async getAuditPeople({ db }, { keyword, rows }) {
      return { list: await peopleCalled(db, keyword, rows) }
    },

    getTopDownloads: (context, input) =>
      topDownloads(
        context.db,
        input,
        calendarDay(context.now, actorOf(context).settings.setting.download_time_zone).number,
      ),

    async exportAudit(context, { format, ...filters }) {
      const { db, now, address } = context
      // The export is audited before it is delivered.
      await db
        .insertInto('audit')
        .values({
          at: now,
          account_id: actorOf(context).accountId,
          call: 'exportAudit',
          address,
          items: [],
          detail: JSON.stringify({ format, filters: JSON.stringify(filters) }),
        })
        .execute()
      await sendExport(context, filters, format)
    },

    async getAuditHeads({ db }) {
      const { publicKey, heads } = await exportHeads(db)
      return { publicKey, heads: [...heads] }
    },

    async verifyAudit(context) {
      const { progress } = await verificationOf(context.tx)
      if (progress === null) {
        await enqueue(context, verification, { asked: context.now, by: actorOf(context).accountId })
      }
      return {}
    },

    async getSyslogStatus({ db }) {
      const { seq, sentAt, problem, problemAt } = await forwarding.read(db)
      const head = await db.selectFrom('audit_head').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return {
        waiting: seq === null ? 0 : Math.max(0, (head?.seq ?? 0) - seq),
        sentAt,
        problem,
        problemAt,
      }
    },

    async getAuditArchives(context) {
      return archivesOf(context.db, (await services.settings.current()).inner.log_archive_space)
    },

    async archiveAudit(context, { before }) {
      await askForArchive(context, before, actorOf(context).accountId)
      return {}
    },

    async downloadAuditArchive(context, { archiveId }) {
      await sendArchive(context, contents, archiveId)
    },

    async getAuditVerification({ db }) {
      return verificationOf(db)
    },
  })
}
