/*
 * The lock of a file that several edit (decisions "Locks"): that of the office server, by its id, for 30 minutes unless it
 * is renewed. The status of the item tells of it; while it is there nobody edits the file alone, and nobody changes it but
 * by the page of the office.
 */
import { ItemStatusBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { commitEnded } from '../../drive/tree/index.ts'

/** What the lock of those is called who write together in the page, where an office server says a name of its own. */
export const coeditLock = 'cloudoc together'

const chunkSize = 500
/** How long a key to edit together is good: as long as a day of work; the session, and each right, are asked with every use. */
export const keyLifeMs = 10 * 60 * 60_000
/** The page of the office is given its key before it takes the lock. */
const openingMs = 5 * 60_000

/** The id of the lock; undefined where there is none any more. */
export async function sharedLock(db: Db, fileId: number, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_edit')
    .select('lock_id')
    .where('item_id', '=', fileId)
    .where('until', '>', now)
    .executeTakeFirst()
  return row?.lock_id
}

/** Takes or renews the lock of a file whose row is locked; false while somebody edits it alone. */
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

/** Gives it back. */
export async function endSharedLocks(tx: Tx, fileIds: readonly number[]): Promise<void> {
  await sql`delete from shared_edit where item_id = any(${[...fileIds]})`.execute(tx)
  await sql`
    update item set status = status & ~${ItemStatusBit.editMulti}::int where id = any(${[...fileIds]})`.execute(tx)
}

/**
 * Ends that several edit files, whoever they are. Where they write together in the page, what they wrote is to become a
 * version first: their lock is over, and goes with that (editing/coedit).
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

/** Gives back one chunk of locks whose time is over; answers how many. */
export async function endExpiredSharedLocks(
  { db, commit }: Pick<Services, 'db' | 'commit'>,
  now: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      select i.* from item i where i.id in (
        select item_id from shared_edit where until <= ${now} and lock_id <> ${coeditLock} order by until limit ${chunkSize})
      order by i.id for no key update of i skip locked`.execute(tx)
    // Those that were renewed while their rows were waited for stay.
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

/** Notes that somebody may take part until then. */
export async function recordEditor(db: Db, fileId: number, accountId: number, until: number): Promise<void> {
  await db
    .insertInto('shared_editor')
    .values({ item_id: fileId, account_id: accountId, until })
    .onConflict((conflict) => conflict.columns(['item_id', 'account_id']).doUpdateSet({ until }))
    .execute()
}

/** Who has opened a file since it is edited together: those whom it concerns when that ends. */
export async function sharingNow(db: Db, fileId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.account_id as id from shared_editor e join shared_edit s on s.item_id = e.item_id
    where e.item_id = ${fileId} and e.until >= s.since + ${keyLifeMs - openingMs} order by e.account_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of the accounts that an office server names, those that can have taken part. */
export async function editorsAmong(db: Db, fileId: number, accountIds: readonly number[]): Promise<number[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select account_id as id from shared_editor where item_id = ${fileId} and account_id = any(${[...accountIds]})
    order by account_id`.execute(db)
  return rows.map(({ id }) => id)
}
