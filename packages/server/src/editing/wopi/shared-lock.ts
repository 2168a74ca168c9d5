/*
 * The lock of a co-edited file (decisions "Locks"): that of the office server, by its id, for 30 minutes unless
 * renewed. The item's status shows it. While it exists the file cannot be edited exclusively or changed except on the
 * office page.
 */
import { ItemStatusBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { commitEnded } from '../../drive/tree/index.ts'

/** The lock id of co-editing in the page; an office server uses an id of its own. */
export const coeditLock = 'cloudoc together'

const chunkSize = 500
/** How long a co-editing key is valid: one working day. The session and every right are checked on each use. */
export const keyLifeMs = 10 * 60 * 60_000
/** The office page gets its key before it takes the lock. */
const openingMs = 5 * 60_000

/** The id of the lock; undefined if there is none. */
export async function sharedLock(db: Db, fileId: number, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_edit')
    .select('lock_id')
    .where('item_id', '=', fileId)
    .where('until', '>', now)
    .executeTakeFirst()
  return row?.lock_id
}

/** Takes or renews the lock of a file whose row is locked; false while the file is edited exclusively. */
export async function takeSharedLock(tx: Tx, fileId: number, lockId: string, now: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update item set status = status | ${ItemStatusBit.editMulti}::int,
      editor_id = null, editor_session = null, editing_since = null, editor_until = null
    where id = ${fileId} and (editor_id is null or editor_until <= ${now}) returning id`.execute(tx)
  if (rows.length === 0) return false
  const until = now + limits.editLockMs
  await tx
    .insertInto('shared_edit')
    .values({ item_id: fileId, lock_id: lockId, since: now, until })
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet({ lock_id: lockId, until }))
    .execute()
  return true
}

/** Releases the lock. */
export async function endSharedLocks(tx: Tx, fileIds: readonly number[]): Promise<void> {
  await sql`delete from shared_edit where item_id = any(${[...fileIds]})`.execute(tx)
  await sql`
    update item set status = status & ~${ItemStatusBit.editMulti}::int where id = any(${[...fileIds]})`.execute(tx)
}

/**
 * Ends the co-editing of files by force. For co-editing in the page a version is made first: the lock only expires now
 * and is removed with that version (editing/coedit).
 */
export async function forceSharedLock(tx: Tx, fileIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update shared_edit set until = 0 where item_id = any(${[...fileIds]}) and lock_id = ${coeditLock}
    returning item_id as id`.execute(tx)
  const kept = new Set(rows.map(({ id }) => id))
  await endSharedLocks(
    tx,
    fileIds.filter((id) => !kept.has(id)),
  )
}

/** Releases one batch of expired locks; returns how many. */
export async function endExpiredSharedLocks(
  { db, commit }: Pick<Services, 'db' | 'commit'>,
  now: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      select i.* from item i where i.id in (
        select item_id from shared_edit where until <= ${now} and lock_id <> ${coeditLock} order by until limit ${chunkSize})
      order by i.id for no key update of i skip locked`.execute(tx)
    // Locks that were renewed while their rows were waited for remain.
    const over = await sql<{ id: number }>`
      select item_id as id from shared_edit where item_id = any(${rows.map(({ id }) => id)}) and until <= ${now}
        and lock_id <> ${coeditLock}`.execute(tx)
    const ids = new Set(over.rows.map(({ id }) => id))
    if (ids.size === 0) return 0
    await endSharedLocks(tx, [...ids])
    await commitEnded(
      commit,
      tx,
      rows.filter(({ id }) => ids.has(id)),
      { call: 'sharedEditEnds', now, detailOf: () => ({}) },
    )
    return ids.size
  })
}

/** Records that a user may participate until then. */
export async function recordEditor(db: Db, fileId: number, accountId: number, until: number): Promise<void> {
  await db
    .insertInto('shared_editor')
    .values({ item_id: fileId, account_id: accountId, until })
    .onConflict((conflict) => conflict.columns(['item_id', 'account_id']).doUpdateSet({ until }))
    .execute()
}

/** A row `e` of shared_editor has opened its file since the co-editing `s` of shared_edit began. */
export const hasJoined = sql`e.until >= s.since + ${keyLifeMs - openingMs}`

/** Users who have opened a file since its co-editing began; they are notified when it ends. */
export async function sharingNow(db: Db, fileId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.account_id as id from shared_editor e join shared_edit s on s.item_id = e.item_id
    where e.item_id = ${fileId} and ${hasJoined} order by e.account_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Filters the accounts that an office server names to possible participants. */
export async function editorsAmong(db: Db, fileId: number, accountIds: readonly number[]): Promise<number[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select account_id as id from shared_editor where item_id = ${fileId} and account_id = any(${[...accountIds]})
    order by account_id`.execute(db)
  return rows.map(({ id }) => id)
}
