/*
 * Who waits for a file that somebody else edits ([R171], [R179], [R180]). Whatever makes a file free is heard of as a change
 * of it, in its own transaction: the lock goes on to who waits first and may still edit it, for a few minutes and for no
 * session yet. Who does not take it by then lets the next one have it.
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

/** Who asks again within this time is not told of again. */
const renotifyMs = 60_000

/** Waits for a file whose row is locked; with `asks` its holder is to be asked. Answers whether they are to be told. */
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

/** How many wait before somebody. */
export async function waitingBefore(db: Db, fileId: number, accountId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from edit_wait w
    join edit_wait me on me.item_id = w.item_id and me.account_id = ${accountId}
    where w.item_id = ${fileId} and (w.since, w.account_id) < (me.since, me.account_id)`.execute(db)
  return rows[0]?.n ?? 0
}

/** Nobody waits for what they have, or do not want any more. */
export async function endWaiting(tx: Tx, fileId: number, accountId: number): Promise<void> {
  await tx.deleteFrom('edit_wait').where('item_id', '=', fileId).where('account_id', '=', accountId).execute()
}

/** Who asked for a file is the next to have it; false where they did not ask, or not any more. */
export async function letFirst(tx: Tx, fileId: number, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    update edit_wait set since = 0
    where item_id = ${fileId} and account_id = ${accountId} and asked_at is not null returning 1`.execute(tx)
  return rows.length > 0
}

/** Keeps files that have become free for who waits first, and tells them. */
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
    // Several edit it together by now: they go on waiting.
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
