/*
 * The participants and their shared lock (decisions "Locks"): it is the lock of office servers under another id, so it
 * has the same effect on other editors. It lasts 30 minutes and is renewed while members are present. It is released
 * after the last one has left and their changes are in a version.
 */
import type { CoeditMember } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { coeditLock } from '../wopi/index.ts'

const renewBeforeMs = 25 * 60_000

/** Which of the files are being co-edited in the page. */
export async function coeditedFiles(db: Db, fileIds: readonly number[], now: number): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select item_id as id from shared_edit
    where item_id = any(${[...fileIds]}::bigint[]) and lock_id = ${coeditLock} and until > ${now}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Renews the lock if it is about to end; a lock that was ended is not restored. */
export async function renew(tx: Tx, fileId: number, now: number): Promise<void> {
  await sql`
    update shared_edit set until = ${now + limits.editLockMs}
    where item_id = ${fileId} and lock_id = ${coeditLock} and until > ${now}
      and until < ${now + renewBeforeMs}`.execute(tx)
}

export interface Presence {
  readonly fileId: number
  readonly client: number
  readonly accountId: number
  readonly sessionId: number
  readonly cursor: string
  readonly canWrite: boolean
}

/** Records a user's presence. */
export async function recordPresence(tx: Tx, { fileId, ...who }: Presence, now: number): Promise<void> {
  await sql`
    insert into together_member (item_id, client, account_id, session_id, cursor, can_write, seen_at)
    values (${fileId}, ${who.client}, ${who.accountId}, ${who.sessionId}, ${who.cursor}, ${who.canWrite}, ${now})
    on conflict (item_id, client) do update set session_id = excluded.session_id, cursor = excluded.cursor,
      can_write = excluded.can_write, seen_at = excluded.seen_at`.execute(tx)
}

/** Any action renews the presence. */
export async function renewPresence(tx: Tx, fileId: number, client: number, now: number): Promise<void> {
  await sql`
    update together_member set seen_at = ${now} where item_id = ${fileId} and client = ${client}`.execute(tx)
}

/** Records that a member has left; true if they could write. */
export async function leave(tx: Tx, fileId: number, client: number): Promise<boolean> {
  const left = await tx
    .deleteFrom('together_member')
    .where('item_id', '=', fileId)
    .where('client', '=', client)
    .returning('can_write')
    .executeTakeFirst()
  return left?.can_write === true
}

/** A member, with the session that receives their updates. */
export interface Present extends CoeditMember {
  readonly fileId: number
  readonly sessionId: number
}

/** The members present, by file. */
export async function presentIn(db: Db, fileIds: readonly number[], now: number): Promise<Map<number, Present[]>> {
  const { rows } = await sql<Present>`
    select m.item_id as "fileId", m.session_id as "sessionId", m.client, m.account_id as "userId", a.name, m.cursor,
      m.can_write as "canWrite"
    from together_member m join account a on a.id = m.account_id
    where m.item_id = any(${[...fileIds]}::bigint[]) and m.seen_at > ${now - limits.togetherGoneMs}
    order by m.item_id, m.client`.execute(db)
  return Map.groupBy(rows, ({ fileId }) => fileId)
}

/** The public data of a member. */
export const memberOf = ({ client, userId, name, cursor, canWrite }: Present): CoeditMember => ({
  client,
  userId,
  name,
  cursor,
  canWrite,
})
