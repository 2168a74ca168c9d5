// Entries created by an approved request (kind application). They add to the rights of their subject, belong to the
// request and are removed with it.
import { mayWithhold, type RightsEntry, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { WriteContext } from '../../core/call/context.ts'
import type { LevelBefore } from '../../core/events.ts'
import type { Settings } from '../../core/settings.ts'
import { itemEvent } from '../tree/index.ts'
import { plainLevel, record } from './change.ts'
import { loadLevels } from './levels.ts'
import { reminders } from './reminders.ts'

/** The rights that an approval grants to one user. */
export interface Applied {
  readonly reviewId: number
  readonly accountId: number
  readonly rights: number
  readonly expireTime: number | null
}

/** Adds the entry. The caller must check that the approver has these rights. */
export async function addApplied(
  context: WriteContext,
  row: ItemRow,
  author: Account,
  { reviewId, accountId, rights, expireTime }: Applied,
): Promise<void> {
  const { tx, now } = context
  const before = await levelOf(context, row.id)
  await tx
    .insertInto('entry')
    .values({
      item_id: row.id,
      subject_type: 'user',
      subject_id: accountId,
      rights,
      kind: 'application',
      expires_at: expireTime,
      created_by: author.accountId,
      created_at: now,
      review_id: reviewId,
    })
    .execute()
  await tx.updateTable('item').set({ own_rules: true }).where('id', '=', row.id).execute()
  await record(context, row.id, author.accountId, 'approve', before, await levelOf(context, row.id))
  context.event(itemEvent(row, 'rights', author.name, { before }))
}

/** Removes the entry and notifies the user who had it. If the item is deleted, the entry is already gone. */
export async function removeApplied(
  context: WriteContext,
  settings: Settings,
  author: Account,
  reviewId: number,
): Promise<void> {
  const { tx, now } = context
  const { rows } = await sql<ItemRow & { entry_id: number }>`
    select i.*, e.id as entry_id from entry e join item i on i.id = e.item_id where e.review_id = ${reviewId}`.execute(
    tx,
  )
  const [row] = rows
  if (row === undefined) return
  const levels = (await loadLevels(tx, [row.id])).get(row.id) ?? []
  const before = await levelOf(context, row.id)
  await tx.deleteFrom('entry').where('review_id', '=', reviewId).execute()
  const own = (await loadLevels(tx, [row.id])).get(row.id)?.at(-1)
  const entries: readonly RightsEntry[] = own?.entries ?? []
  await tx
    .updateTable('item')
    .set({
      own_rules: !row.inherit || row.restricted || entries.length > 0,
      withholds: mayWithhold(entries),
    })
    .where('id', '=', row.id)
    .execute()
  await record(context, row.id, author.accountId, 'revoke', before, await levelOf(context, row.id))
  context.event(itemEvent(row, 'rights', author.name, { before }))
  const after = own === undefined ? levels : [...levels.slice(0, -1), own]
  for (const reminder of await reminders(tx, settings, { row, levels, after, author, now })) context.event(reminder)
}

/** A process, and those who get to read its file. */
export interface ProcessReaders {
  readonly processId: number
  /** Whose rights are given: the launcher. */
  readonly authorId: number
}

/**
 * Lets the handlers of a process see and preview its file as long as it runs; they may not download or change it.
 * Returns the level before, if anything has changed.
 */
export async function addProcessEntries(
  context: Pick<WriteContext, 'tx' | 'now'>,
  itemId: number,
  { processId, authorId, accountIds }: ProcessReaders & { readonly accountIds: readonly number[] },
): Promise<LevelBefore | undefined> {
  const { tx, now } = context
  const before = await levelOf(context, itemId)
  const { rows } = await sql`
    insert into entry (item_id, subject_type, subject_id, rights, kind, created_by, created_at, process_id)
    select ${itemId}, 'user', a.id, ${rightsGroup.preview}, 'application', ${authorId}, ${now}, ${processId}
    from unnest(${[...accountIds]}::bigint[]) as a (id)
    on conflict do nothing returning 1`.execute(tx)
  if (rows.length === 0) return undefined
  await tx.updateTable('item').set({ own_rules: true }).where('id', '=', itemId).execute()
  await record(context, itemId, authorId, 'approve', before, await levelOf(context, itemId))
  return before
}

/** Takes these rights back, at the end of the process, or from some people. */
export async function removeProcessEntries(
  context: Pick<WriteContext, 'tx' | 'now'>,
  itemId: number,
  { processId, authorId, accountIds }: ProcessReaders & { readonly accountIds?: readonly number[] },
): Promise<LevelBefore | undefined> {
  const { tx } = context
  const before = await levelOf(context, itemId)
  const { rows } = await sql`
    delete from entry where process_id = ${processId} and (${accountIds === undefined} or subject_id = any(${[...(accountIds ?? [])]}))
    returning 1`.execute(tx)
  if (rows.length === 0) return undefined
  await sql`
    update item i set own_rules = not inherit or restricted or exists (select 1 from entry e where e.item_id = i.id)
    where id = ${itemId}`.execute(tx)
  await record(context, itemId, authorId, 'revoke', before, await levelOf(context, itemId))
  return before
}

async function levelOf({ tx }: Pick<WriteContext, 'tx'>, id: number): Promise<LevelBefore> {
  const own = (await loadLevels(tx, [id])).get(id)?.at(-1)
  return plainLevel(own ?? { inherit: true, restricted: false, entries: [] })
}
