/*
 * Locks of WebDAV clients. A lock on a file goes with the edit lock of its session, so that everybody sees who edits it
 * and no other way in changes it; a lock on a folder binds WebDAV clients alone. A request that changes something must
 * name the token of each lock that covers it.
 */
import { limits } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { ObservedChange } from '../../core/reactions.ts'
import { escapeXml, writeElement } from './xml.ts'

export interface DavLock {
  readonly token: string
  readonly item_id: number
  readonly account_id: number
  readonly session_id: number
  readonly deep: boolean
  readonly shared: boolean
  readonly owner: string
  readonly expires_at: number
}

/** The longest time for which a lock is granted, as edit locks. */
export const mostLockMs = limits.editLockMs

/** The time that a client asks for, in milliseconds, at most that of edit locks. */
export function timeoutOf(header: string | undefined): number {
  const seconds = /Second-(\d{1,10})/i.exec(header ?? '')?.[1]
  return seconds === undefined ? mostLockMs : Math.min(Math.max(1, Number(seconds)) * 1000, mostLockMs)
}

const columns = sql`l.token, l.item_id, l.account_id, l.session_id, l.deep, l.shared, l.owner, l.expires_at`

const read = async (db: Db, condition: RawBuilder<unknown>, now: number): Promise<readonly DavLock[]> =>
  (await sql<DavLock>`select ${columns} from dav_lock l where l.expires_at > ${now} and ${condition}`.execute(db)).rows

/** The locks on each of several items, not those of folders above them. */
export async function locksAt(
  db: Db,
  itemIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, readonly DavLock[]>> {
  const locks = await read(db, sql`l.item_id = any(${[...itemIds]})`, now)
  return Map.groupBy(locks, ({ item_id }) => item_id)
}

/** What a change of an item touches beside the item itself. */
export interface Touched {
  /** The change adds or removes a member of this folder. */
  readonly memberOf?: Access | undefined
  /** The change is about all that the item holds. */
  readonly withInside?: boolean
}

/** The locks that cover an item, and those that a change of it would break. */
export async function locksOver(
  db: Db,
  item: Access | undefined,
  { memberOf, withInside = false }: Touched,
  now: number,
): Promise<readonly DavLock[]> {
  const above = [...(memberOf?.path ?? []), ...(item?.path ?? [])].map(({ id }) => id)
  const itself = item === undefined ? [] : [item.row.id]
  const folder = memberOf === undefined ? [] : [memberOf.row.id]
  const inside =
    item !== undefined && withInside && item.row.f_type === 2
      ? sql`or exists (
          with recursive up as (
            select id, parent_id from item where id = l.item_id
            union all
            select p.id, p.parent_id from up join item p on p.id = up.parent_id
          ) select 1 from up where id = ${item.row.id})`
      : sql``
  return read(
    db,
    sql`(l.item_id = any(${[...itself, ...folder]}) or (l.deep and l.item_id = any(${above})) ${inside})`,
    now,
  )
}

/** The locks among `locks` whose token the request does not name, or names for another account. */
export function foreign(locks: readonly DavLock[], tokens: ReadonlySet<string>, accountId: number): readonly DavLock[] {
  const held = locks.filter(({ token, account_id }) => tokens.has(token) && account_id === accountId)
  // Who holds one of several shared locks may change what they cover.
  const own = new Set(held.filter(({ shared }) => shared).map(({ item_id }) => item_id))
  return locks.filter((lock) => !held.includes(lock) && !(lock.shared && own.has(lock.item_id)))
}

/** Gives the edit lock that an account took in one session to all of its sessions, as the end of that session does. */
export async function shareEditLock(tx: Tx, fileId: number, accountId: number): Promise<void> {
  await tx
    .updateTable('item')
    .set({ editor_session: null })
    .where('id', '=', fileId)
    .where('editor_id', '=', accountId)
    .execute()
}

/** Calls by which an edit lock is taken away, or given to another person. */
const endings: ReadonlySet<string> = new Set(['forceUnlockFiles', 'endEditing', 'answerUnlockRequest'])

/** Ends the exclusive locks of files whose edit lock was taken away: they bind clients only together with it. */
export async function endWithEditLock(tx: Tx, heard: readonly ObservedChange<'item'>[]): Promise<void> {
  const ended = heard.flatMap(({ call, change }) => (endings.has(call) ? [change.itemId] : []))
  if (ended.length === 0) return
  await sql`
    delete from dav_lock l using item i
    where l.item_id = any(${ended}) and not l.shared and i.id = l.item_id and i.editor_id is distinct from l.account_id`.execute(
    tx,
  )
}

/** One lock as clients read it. */
export function activeLock(lock: DavLock, href: string, now: number): string {
  const seconds = Math.max(0, Math.round((lock.expires_at - now) / 1000))
  const dav = (name: string, inside = ''): string => writeElement('DAV:', name, inside)
  return dav(
    'activelock',
    [
      dav('locktype', dav('write')),
      dav('lockscope', dav(lock.shared ? 'shared' : 'exclusive')),
      dav('depth', lock.deep ? 'infinity' : '0'),
      lock.owner === '' ? '' : dav('owner', lock.owner),
      dav('timeout', `Second-${seconds}`),
      dav('locktoken', dav('href', escapeXml(lock.token))),
      dav('lockroot', dav('href', escapeXml(href))),
    ].join(''),
  )
}
