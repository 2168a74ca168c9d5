/*
 * The queue of users waiting for a file that another user edits ([R171], [R179], [R180]). Whatever frees a file is
 * observed as a change of it, in the same transaction: the lock is reserved for the first waiting user who may still
 * edit the file, for a few minutes and without a session. If they do not take it in time, the next user gets it.
 */
import { denial, gates, limits, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import type { ObservedChange } from '../../core/reactions.ts'
import type { Settings } from '../../core/settings.ts'
import { accessTo } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { lockChanged } from './lock-broadcast.ts'

/** A repeated request within this time is not announced again. */
const renotifyMs = 60_000

/**
 * Adds a user to the queue of a file whose row is locked. With `asks` the holder is asked for the file. Returns whether
 * the holder is to be notified.
 */
export async function waitFor(
  tx: Tx,
  fileId: number,
  accountId: number,
  now: number,
  asks: boolean,
): Promise<{ readonly tells: boolean }> {
  const before = await tx
    .selectFrom('edit_wait')
    .select('asked_at')
    .where('item_id', '=', fileId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const tells = asks && now - (before?.asked_at ?? 0) >= renotifyMs
  const asked = tells ? { asked_at: now } : {}
  await tx
    .insertInto('edit_wait')
    .values({ item_id: fileId, account_id: accountId, since: now, asked_at: null, kept_until: null, ...asked })
    .onConflict((conflict) => conflict.columns(['item_id', 'account_id']).doUpdateSet({ kept_until: null, ...asked }))
    .execute()
  return { tells }
}

/** Number of users waiting before this one. */
export async function waitingBefore(db: Db, fileId: number, accountId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from edit_wait w
    join edit_wait me on me.item_id = w.item_id and me.account_id = ${accountId}
    where w.item_id = ${fileId} and (w.since, w.account_id) < (me.since, me.account_id)`.execute(db)
  return rows[0]?.n ?? 0
}

/** Removes a user from the queue: they have the file or no longer want it. */
export async function endWaiting(tx: Tx, fileId: number, accountId: number): Promise<void> {
  await tx.deleteFrom('edit_wait').where('item_id', '=', fileId).where('account_id', '=', accountId).execute()
}

/** Moves a user who asked for the file to the front of the queue; false if they did not ask, or no longer do. */
export async function letFirst(tx: Tx, fileId: number, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    update edit_wait set since = 0
    where item_id = ${fileId} and account_id = ${accountId} and asked_at is not null returning 1`.execute(tx)
  return rows.length > 0
}

/** Reserves freed files for the first waiting user, and notifies them. */
export async function reserveForNext(
  tx: Tx,
  settings: Settings,
  heard: readonly ObservedChange<'item'>[],
): Promise<void> {
  const edits = heard.filter(({ change }) => change.fType === 1 && change.operateType === OperateType.edit)
  if (edits.length === 0) return
  const { rows } = await sql<{ id: number; accountId: number; name: string; version: number }>`
    select w.item_id as id, w.account_id as "accountId", i.name, i.version
    from edit_wait w join item i on i.id = w.item_id
    where w.item_id = any(${edits.map(({ change }) => change.itemId)}) and i.editor_id is null and i.deleted_at is null
    order by w.item_id, w.since, w.account_id`.execute(tx)
  const kept = new Set<number>()
  for (const { id, accountId, name, version } of rows) {
    const by = edits.find(({ change }) => change.itemId === id)
    if (by === undefined || kept.has(id)) continue
    const { now } = by
    const account = (await loadAccounts(tx, settings, [accountId], now)).get(accountId)
    const access = account && (await accessTo(tx, account, { fType: 1, fId: id }, now))
    const refused = access === undefined ? 'notFound' : denial(gates.editHere, access.facts)
    // The file is co-edited by now: the queue remains.
    if (refused === undefined && access?.facts.isHeld) continue
    if (account === undefined || refused !== undefined) {
      await endWaiting(tx, id, accountId)
      continue
    }
    kept.add(id)
    const keptUntil = now + limits.editKeptMs
    await tx
      .updateTable('item')
      .set({ editor_id: accountId, editor_session: null, editing_since: now, editor_until: keptUntil })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('edit_wait')
      .set({ kept_until: keptUntil })
      .where('item_id', '=', id)
      .where('account_id', '=', accountId)
      .execute()
    by.event(lockChanged({ id, library_id: by.change.libraryId }))
    const told = { serverId: 0, fileId: id, fileName: name, version, userId: accountId, userName: account.name }
    by.event(personal('fileUnlocked', [accountId], { ...told, lockTime: now, keptUntil }))
  }
}
