/*
 * The job of a return. One transaction plans under locks, changes everything and marks the return as done: a process
 * that dies in between leaves nothing, and another one starts again. A return that is refused is written as failed, with
 * the code.
 */
import type { RollbackKind } from '@cloudoc/contract'
import { type CodeName, codes, denial, fail, gates, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Account, AccountActor } from '../../core/actor.ts'
import { type Db, planAnew, type Tx } from '../../core/db/database.ts'
import { type Change, writeChanges } from '../../core/events.ts'
import type { JobEnding } from '../../core/queue/endings.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { lockSpace } from '../quotas/index.ts'
import { accessTo, lockFolderMoves } from '../tree/index.ts'
import { type Act, apply, changesOf } from './apply.ts'
import { type LinkStep, linkParts } from './links.ts'
import {
  around,
  entryOf,
  type Plan,
  planReturn,
  readRows,
  rollbackProtections,
  type State,
  type Step,
  sameEntries,
  staying,
  stepOf,
} from './plan.ts'

const Asked = z.strictObject({ rollbackId: z.int() })
type Asked = z.output<typeof Asked>

export const returning: JobKind<Asked, void> = {
  name: 'rollback.run',
  input: Asked,
  key: ({ rollbackId }) => String(rollbackId),
  retentionMs: 24 * 60 * 60_000,
}

export interface RollbackRow {
  readonly id: number
  readonly item_id: number
  readonly library_id: number
  readonly account_id: number
  readonly target_time: number | null
  readonly undo_of: number | null
  readonly with_rights: boolean
  readonly with_links: boolean
  readonly state: 'waiting' | 'done' | 'failed'
}

type Parts = Pick<Services, 'commit' | 'settings' | 'contributed' | 'pause' | 'now'>

const batch = 2000

export function returnJob(services: Parts): Job<Asked> {
  return job<Asked>({
    ...returning,
    attempts: 5,
    concurrency: 1,
    timeoutMs: 60 * 60_000,
    // Not in the transaction that ends the job: that one holds the row of the job, whose lease must be renewed
    // meanwhile. The state of the return decides who carries it out.
    async run(context, { rollbackId }) {
      const { db, signal } = context
      const now = services.now()
      const report = (thousandths: number): void => {
        signal.throwIfAborted()
        context.progress(thousandths)
      }
      try {
        await db.transaction().execute(async (tx) => {
          const row = await lockWaiting(tx, rollbackId)
          if (row !== undefined) await runIn(tx, row, { ...services, now, progress: report })
        })
      } catch (error) {
        // The job was cancelled while the row was locked here.
        if (signal.aborted && (await isCancelled(db, rollbackId)))
          await endAsFailed(db, { rollbackId, now, code: 'cancelledByAdministrator' })
        if (!(error instanceof ResultError)) throw error
        await endAsFailed(db, { rollbackId, now, code: error.code })
      }
    },
  })
}

interface Failed {
  readonly rollbackId: number
  readonly now: number
  readonly code: CodeName
}

async function endAsFailed(db: Db, { rollbackId, now, code }: Failed): Promise<void> {
  await sql`
    update rollback set state = 'failed', ended_at = ${now}, problem = ${codes[code].code}
    where id = ${rollbackId} and state = 'waiting'`.execute(db)
}

async function isCancelled(db: Db, rollbackId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job where kind = ${returning.name} and key = ${returning.key({ rollbackId })}
      and state = 'cancelled'`.execute(db)
  return rows.length > 0
}

/** A return whose job an administrator cancels has failed. One that is being carried out ends itself. */
export const returnEnding: JobEnding<Asked> = {
  kind: returning,
  async cancelled({ tx, now }, { rollbackId }) {
    const { rows } = await sql`
      select 1 from rollback where id = ${rollbackId} and state = 'waiting'
      for no key update skip locked`.execute(tx)
    if (rows.length > 0) await endAsFailed(tx, { rollbackId, now, code: 'cancelledByAdministrator' })
  },
}

/** A return that is not carried out yet. Another process that carries it out is waited for. */
async function lockWaiting(tx: Tx, rollbackId: number): Promise<RollbackRow | undefined> {
  const { rows } = await sql<RollbackRow>`
    select r.*, i.library_id from rollback r join item i on i.id = r.item_id
    where r.id = ${rollbackId} and r.state = 'waiting' for no key update of r`.execute(tx)
  return rows[0]
}

async function runIn(
  tx: Tx,
  row: RollbackRow,
  services: Acting & { readonly progress: Act['progress'] },
): Promise<void> {
  const { now, settings, progress, pause } = services
  const account = (await loadAccounts(tx, settings, [row.account_id], now)).get(row.account_id) ?? fail('noPermission')
  const place = (await accessTo(tx, account, { fType: 2, fId: row.item_id }, now)) ?? fail('notFound')
  const { facts } = place
  const refusal = denial(gates.rollBack, { ...facts, actor: { ...facts.actor, isGuest: false } })
  if (refusal !== undefined) fail(refusal)
  await planAnew(tx)
  await lockFolderMoves(tx, row.library_id)
  const isUndo = row.undo_of !== null
  const plan = isUndo ? await planUndo(tx, row, services) : await planAct(tx, row, services)
  const space = await lockSpace(tx, account, place, now)
  await space.take(plan.steps.reduce((sum, { bytes }) => sum + bytes, 0))
  const act: Act = {
    ...{ tx, now, account, actor: actorFrom(account), call: isUndo ? 'undoRollback' : 'startRollback' },
    ...{ rollbackId: row.id, folderId: row.item_id, libraryId: row.library_id, pause, progress },
  }
  const done = await apply(act, plan.steps)
  const [part] = services.contributed(linkParts)
  const links = plan.links.filter(({ skipped }) => skipped === '')
  const linkEvents = links.length === 0 ? [] : ((await part?.apply(tx, links, { name: account.name, now })) ?? [])
  const skipped = plan.steps.filter((step) => step.skipped !== '')
  await writeDown(tx, row.id, done, skipped, plan)
  const changes: Change[] = changesOf(act, done)
  for (const event of linkEvents)
    changes.push({
      ...{
        events: [event],
        changed: [],
        actor: act.actor,
        now,
        call: act.call,
        address: '',
        detail: { rollbackId: row.id },
      },
      items: event.kind === 'item' && 'itemId' in event ? [event.itemId] : [],
    })
  await services.commit.react(tx, changes)
  progress(850)
  for (let from = 0; from < changes.length; from += batch) await writeChanges(tx, changes.slice(from, from + batch))
  await pause('rollback written')
  progress(990)
  await sql`
    update rollback set state = 'done', ended_at = ${now}, changed = ${done.length + links.length}::int,
      skipped = ${skipped.length + plan.gone.length + plan.links.length - links.length}::int
    where id = ${row.id}`.execute(tx)
}

/** The account as the author of what is written; the job has no session. */
const actorFrom = (account: Account): AccountActor => ({
  ...account,
  ...{ kind: 'account', mustChangePassword: false, passwordUntil: 0, needsSecondFactor: false },
  ...{ sessionId: 0, clientType: 0 },
})

/** The services of one act, with its time. */
type Acting = Omit<Parts, 'now'> & { readonly now: number }

type Planned = Pick<Plan, 'steps' | 'gone'> & { readonly links: readonly LinkStep[] }

const lockRows =
  (tx: Tx) =>
  async (ids: readonly number[]): Promise<void> => {
    await sql`select 1 from item where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx)
  }

async function planAct(tx: Tx, row: RollbackRow, services: Acting): Promise<Planned> {
  const at = row.target_time ?? fail('notFound')
  const asked = { folderId: row.item_id, libraryId: row.library_id, at, withRights: row.with_rights }
  const plan = await planReturn(tx, asked, services.contributed(rollbackProtections), lockRows(tx))
  return { steps: plan.steps, gone: plan.gone, links: await linksOf(tx, plan, row.with_links, services) }
}

/** The steps of the links in the folder. */
export async function linksOf(
  db: Db,
  plan: Plan,
  withLinks: boolean,
  { contributed, now }: Pick<Services, 'contributed'> & { now: number },
): Promise<LinkStep[]> {
  const [part] = contributed(linkParts)
  const past = plan.changes.links.filter(({ itemId }) => plan.isWithin(itemId))
  return !withLinks || part === undefined || past.length === 0 ? [] : part.plan(db, past, now)
}

/** Undoes a return: the items that it changed become what they were before, unless they were changed since. */
async function planUndo(tx: Tx, row: RollbackRow, services: Acting): Promise<Planned> {
  const { rows: all } = await sql<{
    item_id: number
    link_id: number
    f_type: 1 | 2
    name: string
    before: State
    after: State
  }>`
    select item_id, link_id, f_type, name, before, after from rollback_change
    where rollback_id = ${row.undo_of} and kind <> '' order by item_id, link_id`.execute(tx)
  const done = all.filter(({ link_id: linkId }) => linkId === 0)
  const ids = done.map(({ item_id: id }) => id)
  await lockRows(tx)(ids)
  const versions = new Map(done.flatMap(({ item_id: id, before: { version } }) => (version ? [[id, version]] : [])))
  const rows = new Map((await readRows(tx, ids, 0, versions)).map((one) => [one.id, one]))
  const protections = services.contributed(rollbackProtections)
  const kept = new Set((await Promise.all(protections.map((each) => each.items(tx, ids)))).flat())
  const steps: Step[] = []
  const gone: { id: number; name: string }[] = []
  for (const { item_id: id, before, after, name } of done) {
    const now = rows.get(id)
    if (now === undefined) {
      gone.push({ id, name })
      continue
    }
    const isOther =
      (after.name !== undefined && after.name !== now.name) ||
      (after.parentId !== undefined && after.parentId !== now.parent_id) ||
      (after.deleted !== undefined && after.deleted !== now.deleted) ||
      (after.version !== undefined && after.version !== now.version) ||
      (after.entries !== undefined &&
        (after.inherit !== now.inherit ||
          after.restricted !== now.restricted ||
          sameEntries(after.entries) !== sameEntries(now.entries.map(entryOf))))
    const step = stepOf(now, before, [], isOther ? 'changedSince' : now.state, kept.has(id))
    if (step !== undefined) steps.push(step)
  }
  const holding = new Set(await around(tx, protections, steps))
  const linked = all.flatMap((one): LinkStep[] =>
    one.link_id === 0
      ? []
      : [
          {
            ...{ linkId: one.link_id, itemId: one.item_id, fType: one.f_type, itemName: one.name, skipped: '' },
            ...{ before: one.before as LinkStep['before'], after: one.after as LinkStep['after'] },
          },
        ],
  )
  const [part] = services.contributed(linkParts)
  return {
    steps: steps.map((step) => (holding.has(step.row.id) ? staying(step) : step)),
    gone,
    links: linked.length === 0 || part === undefined ? [] : await part.undo(tx, linked),
  }
}

/** Writes what was changed and what stayed. */
async function writeDown(
  tx: Tx,
  rollbackId: number,
  done: readonly Step[],
  skipped: readonly Step[],
  { gone, links }: Planned,
): Promise<void> {
  const rows = new Map<string, object>()
  const add = (
    id: number,
    linkId: number,
    fType: 1 | 2,
    name: string,
    more: { kinds: readonly RollbackKind[]; before: object; after: object; skipped: string },
  ): void =>
    void rows.set(`${id} ${linkId}`, {
      ...{ item_id: id, link_id: linkId, f_type: fType, name, kind: more.kinds.join(' ') },
      ...{ before: more.before, after: more.after, skipped: more.skipped },
    })
  for (const step of [...skipped, ...done]) {
    // The content of a step is a version of its own afterwards.
    const after = step.after.version === undefined ? step.after : { ...step.after, version: step.row.version + 1 }
    add(step.row.id, 0, step.row.f_type, step.row.name, { ...step, after })
  }
  for (const { id, name } of gone) add(id, 0, 1, name, { kinds: [], before: {}, after: {}, skipped: 'gone' })
  for (const link of links)
    add(link.itemId, link.linkId, link.fType, link.itemName, {
      ...link,
      kinds: link.skipped === '' ? ['link'] : [],
    })
  const all = [...rows.values()]
  for (let from = 0; from < all.length; from += batch)
    await sql`
      insert into rollback_change (rollback_id, item_id, link_id, f_type, name, kind, before, after, skipped)
      select ${rollbackId}::bigint, item_id, link_id, f_type, name, kind, before, after, skipped
      from json_to_recordset(${JSON.stringify(all.slice(from, from + batch))}) as c (item_id bigint, link_id bigint,
        f_type smallint, name text, kind text, before jsonb, after jsonb, skipped text)`.execute(tx)
}
