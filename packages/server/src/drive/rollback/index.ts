/*
 * Returning a library or folder to a moment: preview, act and undo, for the managers of the library. The act is a job,
 * so that it does not depend on the connection of the caller; one runs in a library at a time.
 */
import { features, type RollbackKind, rollbackKinds } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { planAnew, type Tx } from '../../core/db/database.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { withFreeNames } from './apply.ts'
import { earliestMoment } from './history.ts'
import { linksOf, returning } from './job.ts'
import { planReturn, rollbackProtections, type Step } from './plan.ts'

export { forgetHistory } from './history.ts'
export { returnEnding, returnJob } from './job.ts'
export { type LinkPart, type LinkState, type LinkStep, linkParts } from './links.ts'
export { type RollbackProtection, rollbackProtections } from './plan.ts'

const folder = (fId: number) => ({ fType: 2, fId }) as const
const tooEarly = {
  zh: '这个时间没有保留记录，请选择更晚的时间',
  en: 'nothing is recorded of that time; choose a later one',
}
const inFuture = { zh: '请选择过去的时间', en: 'choose a time in the past' }

interface Listed {
  readonly id: number
  readonly account_name: string
  readonly created_at: number
  readonly target_time: number | null
  readonly undo_of: number | null
  readonly with_rights: boolean
  readonly with_links: boolean
  readonly state: 'waiting' | 'done' | 'failed'
  readonly ended_at: number | null
  readonly problem: number
  readonly changed: number
  readonly skipped: number
  readonly progress: number | null
  readonly lost: boolean
  readonly undone: boolean
}

type Change = {
  fId: number
  fType: 1 | 2
  fName: string
  kinds: RollbackKind[]
  skipped: Step['skipped']
  folderName: string
  toFolderName: string
  toName: string
  version: number
  toVersion: number
  modifierName: string
  modifyTime: number
}

/** The call handlers of returns to a moment. */
export function rollbackHandlers({ db: pool, contributed }: Pick<Services, 'db' | 'contributed'>) {
  return implement(features.rollback.calls, {
    async previewRollback(context, { folderId, at, withRights, withLinks, from, rows: most, kind }) {
      const { now } = context
      const { row } = context.item(folder(folderId))
      return pool
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await checkMoment(tx, at, now)
          await planAnew(tx)
          const asked = { folderId, libraryId: row.library_id, at, withRights }
          const plan = await planReturn(tx, asked, contributed(rollbackProtections))
          const links = await linksOf(tx, plan, withLinks, { contributed, now })
          const changing = plan.steps.filter(({ kinds }) => kinds.length > 0)
          const named = new Map((await withFreeNames(tx, changing)).steps.map((step) => [step.row.id, step]))
          const all: Change[] = [
            ...plan.steps.map((step) => changeOf(named.get(step.row.id) ?? step, plan.nameOf)),
            ...links.map(
              (link): Change => ({
                ...{ fId: link.itemId, fType: link.fType, fName: link.itemName, toName: link.itemName },
                kinds: link.skipped === '' ? ['link'] : [],
                ...{ skipped: link.skipped, folderName: '', toFolderName: '', version: 0, toVersion: 0 },
                ...{ modifierName: '', modifyTime: 0 },
              }),
            ),
            ...plan.gone.map(
              ({ id, name }): Change => ({
                ...{ fId: id, fType: 1, fName: name, toName: name, kinds: [], skipped: 'gone', folderName: '' },
                ...{ toFolderName: '', version: 0, toVersion: 0, modifierName: '', modifyTime: 0 },
              }),
            ),
          ]
          const count = (one: RollbackKind): number => all.filter(({ kinds }) => kinds.includes(one)).length
          const list = all.filter(({ kinds, skipped }) =>
            kind === 'all' ? true : kind === 'skipped' ? skipped !== '' : kinds.includes(kind),
          )
          return {
            counts: {
              ...(Object.fromEntries(rollbackKinds.map((one) => [one, count(one)])) as Record<RollbackKind, number>),
              changed: all.filter(({ kinds }) => kinds.length > 0).length,
              skipped: all.filter(({ skipped }) => skipped !== '').length,
              bytes: plan.steps.reduce((sum, { bytes }) => sum + bytes, 0),
            },
            list: list.slice(from, from + most),
            total: list.length,
          }
        })
    },

    async startRollback(context, { folderId, at, withRights, withLinks }) {
      await checkMoment(context.tx, at, context.now)
      await refuseSecond(context, folderId)
      return begin(context, { folderId, targetTime: at, undoOf: null, withRights, withLinks })
    },

    async getRollbacks(context, { folderId, rows: most }) {
      const { db, now } = context
      const { rows } = await sql<Listed>`
        select r.*, a.name as account_name, j.progress, r.state = 'waiting' and coalesce(j.state in ('failed', 'cancelled'), true) as lost,
          exists (select 1 from rollback u where u.undo_of = r.id and u.state <> 'failed') as undone
        from rollback r join account a on a.id = r.account_id
        left join job j on j.kind = ${returning.name} and j.key = r.id::text
        where r.item_id = ${folderId} order by r.id desc limit ${most}`.execute(db)
      return {
        earliest: await earliestMoment(db, now),
        list: rows.map((row) => ({
          rollbackId: row.id,
          accountName: row.account_name,
          createTime: row.created_at,
          time: row.target_time ?? 0,
          undoOf: row.undo_of ?? 0,
          withRights: row.with_rights,
          withLinks: row.with_links,
          state: row.lost ? ('failed' as const) : row.state,
          progress: row.state === 'waiting' ? (row.progress ?? 0) : 1000,
          endTime: row.ended_at ?? 0,
          problem: row.problem,
          changed: row.changed,
          skipped: row.skipped,
          undone: row.undone,
        })),
      }
    },

    async getRollbackChanges(context, { folderId, rollbackId, skipped, from, rows: most }) {
      const { db } = context
      const which = sql`rollback_id = (select id from rollback where id = ${rollbackId} and item_id = ${folderId})
        and ${skipped ? sql`skipped <> ''` : sql`kind <> ''`}`
      const [{ rows }, { rows: counts }] = await Promise.all([
        sql<{ item_id: number; f_type: 1 | 2; name: string; kind: string; skipped: Step['skipped'] }>`
          select item_id, f_type, name, kind, skipped from rollback_change
          where ${which} order by item_id, link_id limit ${most} offset ${from}`.execute(db),
        sql<{ total: number }>`
          select count(*)::int as total from rollback_change where ${which}`.execute(db),
      ])
      return {
        list: rows.map((row) => ({
          fId: row.item_id,
          fType: row.f_type,
          fName: row.name,
          kinds: row.kind.split(' ').filter((kind): kind is RollbackKind => kind !== ''),
          skipped: row.skipped,
        })),
        total: counts[0]?.total ?? 0,
      }
    },

    async undoRollback(context, { folderId, rollbackId }) {
      const { tx } = context
      const done = await found(tx, folderId, rollbackId)
      await refuseSecond(context, folderId)
      const { rows } = await sql`
        select 1 from rollback where undo_of = ${rollbackId} and state <> 'failed'`.execute(tx)
      if (done.state !== 'done' || rows.length > 0) return fail('duplicateOperation')
      const { with_rights: withRights, with_links: withLinks } = done
      return begin(context, { folderId, targetTime: null, undoOf: rollbackId, withRights, withLinks })
    },
  })
}

async function checkMoment(db: Tx, at: number, now: number): Promise<void> {
  if (at > now) fail('badRequest', inFuture)
  if (at < (await earliestMoment(db, now))) fail('badRequest', tooEarly)
}

async function found(
  db: Tx,
  folderId: number,
  rollbackId: number,
): Promise<{ state: string; with_rights: boolean; with_links: boolean }> {
  const row = await db
    .selectFrom('rollback')
    .select(['state', 'with_rights', 'with_links'])
    .where('id', '=', rollbackId)
    .where('item_id', '=', folderId)
    .executeTakeFirst()
  return row ?? fail('notFound')
}

/** One return runs in a library at a time. */
async function refuseSecond(context: WriteContext, folderId: number): Promise<void> {
  const { tx } = context
  const { library } = context.item(folder(folderId))
  await sql`select pg_advisory_xact_lock(${0x726f6c6c}, ${library.id % 0x7fffffff})`.execute(tx)
  const { rows } = await sql`
    select 1 from rollback r join item i on i.id = r.item_id
    join job j on j.kind = ${returning.name} and j.key = r.id::text
    where r.state = 'waiting' and i.library_id = ${library.id} and j.state in ('waiting', 'running') limit 1`.execute(
    tx,
  )
  if (rows.length > 0) fail('duplicateOperation')
}

async function begin(
  context: WriteContext,
  asked: {
    folderId: number
    targetTime: number | null
    undoOf: number | null
    withRights: boolean
    withLinks: boolean
  },
): Promise<{ rollbackId: number }> {
  const { tx, now } = context
  const { id } = await tx
    .insertInto('rollback')
    .values({
      item_id: asked.folderId,
      account_id: actorOf(context).accountId,
      created_at: now,
      target_time: asked.targetTime,
      undo_of: asked.undoOf,
      with_rights: asked.withRights,
      with_links: asked.withLinks,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(context, returning, { rollbackId: id })
  context.audit({ rollbackId: id })
  return { rollbackId: id }
}

function changeOf({ row, after, kinds, skipped }: Step, nameOf: (folderId: number) => string): Change {
  const to = after.parentId ?? row.parent_id ?? 0
  return {
    fId: row.id,
    fType: row.f_type,
    fName: row.name,
    kinds: [...kinds],
    skipped,
    folderName: nameOf(row.parent_id ?? 0),
    toFolderName: nameOf(to),
    toName: after.name ?? row.name,
    version: after.version === undefined ? 0 : row.version,
    toVersion: after.version ?? 0,
    modifierName: row.modifier,
    modifyTime: row.changed_at,
  }
}
