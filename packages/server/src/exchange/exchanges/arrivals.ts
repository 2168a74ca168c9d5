/*
 * What arrives from another network, by wire or in a bundle. Its contents come one after the other and are compared with
 * the hashes of the manifest; the receivers learn of it when all are there. Nothing of it is in a list, a search or a
 * space before the receiver picks it up. All steps can be repeated: what is there already changes nothing.
 */
import { ExchangeStatus, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, personal } from '../../core/events.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { contentRow, type PendingContent } from '../../drive/content/index.ts'
import type { Manifest } from './messages.ts'

const dayMs = 24 * 60 * 60_000

/** The network that something comes from. */
export interface Origin {
  readonly code: string
  readonly name: string
}

interface Arrival {
  readonly id: number
  readonly manifest: Manifest
  readonly complete_at: number | null
  readonly recalled_at: number | null
}

/** The arrival of an exchange, locked until the transaction ends. */
export async function lockArrival(tx: Tx, origin: string, number: string): Promise<Arrival> {
  const { rows } = await sql<Arrival>`
    select id, manifest, complete_at, recalled_at from exchange_arrival
    where origin = ${origin} and number = ${number} for update`.execute(tx)
  return rows[0] ?? fail('notFound')
}

/** Records what another network announces. A repeated announcement replaces an unfinished one. */
export async function announceArrival(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  origin: Origin,
  manifest: Manifest,
): Promise<readonly string[]> {
  await sql`
    insert into exchange_arrival as a (origin, number, network_name, manifest, created_at)
    values (${origin.code}, ${manifest.number}, ${origin.name}, ${JSON.stringify(manifest)}::jsonb, ${now})
    on conflict (origin, number) do update set manifest = excluded.manifest, created_at = excluded.created_at
      where a.complete_at is null and a.recalled_at is null`.execute(tx)
  const arrival = await lockArrival(tx, origin.code, manifest.number)
  if (arrival.recalled_at !== null) return fail('alreadyHandled')
  return arrival.complete_at === null ? missingOf(tx, arrival) : []
}

/** The hashes of the contents that have not arrived. */
async function missingOf(db: Db, { id, manifest }: Arrival): Promise<string[]> {
  const { rows } = await sql<{ sha256: Buffer }>`
    select sha256 from exchange_arrival_content where arrival_id = ${id}`.execute(db)
  const there = new Set(rows.map(({ sha256 }) => sha256.toString('hex')))
  return [...new Set(manifest.files.map(({ sha256 }) => sha256))].filter((sha256) => !there.has(sha256))
}

/** Records a content that has arrived and is stored. Returns the key of its object. */
export async function addArrived(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  arrivalId: number,
  content: PendingContent,
): Promise<string> {
  const row = await contentRow(tx, content, now)
  await sql`
    insert into exchange_arrival_content (arrival_id, sha256, blob_id)
    values (${arrivalId}, ${content.sha256}, ${row.id}) on conflict do nothing`.execute(tx)
  return row.key
}

/** The receivers of a manifest who are here, active, and may read its secret level. */
async function receiversOf(tx: Tx, { receivers, secretLevel }: Manifest, now: number): Promise<number[]> {
  const ids = receivers.flatMap(({ userId }) => (userId > 0 ? [userId] : []))
  const accounts = receivers.flatMap(({ userId, account }) => (userId > 0 ? [] : [account.trim().toLowerCase()]))
  const { rows } = await sql<{ id: number }>`
    select id from account a
    where (a.id = any(${ids}) or a.account_key = any(${accounts})) and a.state = 'normal'
      and (a.expires_at is null or a.expires_at > ${now}) and a.secret_level >= ${secretLevel}
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Ends an arrival whose contents are all there: its receivers can pick it up from now on. */
export async function finishArrival(
  { tx, now, event }: Pick<WriteContext, 'tx' | 'now'> & { readonly event: (event: NewEvent) => void },
  origin: Origin,
  number: string,
): Promise<{ readonly accepted: readonly number[]; readonly expiresAt: number }> {
  const arrival = await lockArrival(tx, origin.code, number)
  const { id, manifest } = arrival
  if (arrival.recalled_at !== null) return fail('alreadyHandled')
  if (arrival.complete_at === null) {
    if ((await missingOf(tx, arrival)).length > 0) return fail('uploadNotFinished')
    const accounts = await receiversOf(tx, manifest, now)
    if (accounts.length === 0)
      return fail('notFound', { zh: '接收人不存在、已停用或密级不够', en: 'no receiver is here and may read it' })
    const expiresAt = now + manifest.keepDays * dayMs
    for (const accountId of accounts) {
      const { rows } = await sql<{ id: number }>`
        insert into exchange_received (arrival_id, account_id, state, created_at, expires_at)
        values (${id}, ${accountId}, 'waiting', ${now}, ${expiresAt}) returning id`.execute(tx)
      const approveId = rows[0]?.id ?? fail('serverException')
      event(arrived(accountId, approveId, origin.name, manifest, now))
    }
    await sql`update exchange_arrival set complete_at = ${now} where id = ${id}`.execute(tx)
  }
  const { rows } = await sql<{ accountId: number; expiresAt: number }>`
    select account_id as "accountId", expires_at as "expiresAt" from exchange_received where arrival_id = ${id}`.execute(
    tx,
  )
  return { accepted: rows.map(({ accountId }) => accountId), expiresAt: rows[0]?.expiresAt ?? now }
}

const arrived = (accountId: number, approveId: number, from: string, manifest: Manifest, now: number) =>
  personal('fileExchange', [accountId], {
    ...{ serverId: 0, remindStatus: ExchangeStatus.approved, notifyId: approveId, approveId, applyId: 0 },
    ...{ name: manifest.sender.name, itemName: manifest.title, itemCount: manifest.files.length },
    ...{ networkName: from, delivery: 'delivered' as const, requirePwd: manifest.passwordHash !== '', createTime: now },
  })

/** Takes back what nobody has picked up. */
export async function recallArrival({ tx, now }: Pick<WriteContext, 'tx' | 'now'>, origin: string, number: string) {
  const { id } = await lockArrival(tx, origin, number)
  const { rows } = await sql`
    update exchange_received set state = 'recalled' where arrival_id = ${id} and state = 'waiting' returning 1`.execute(
    tx,
  )
  await sql`
    update exchange_arrival set recalled_at = ${now} where id = ${id} and not exists (
      select 1 from exchange_received where arrival_id = ${id} and state = 'fetched')`.execute(tx)
  await dropContents(tx, [id])
  return { recalled: rows.length }
}

/** Who has picked up which exchanges of a network. */
export async function statesOf(db: Db, origin: string, numbers: readonly string[]) {
  const { rows } = await sql<{ number: string; fetched: { userId: number; at: number }[] | null; isOver: boolean }>`
    select a.number, not coalesce(bool_or(r.state = 'waiting'), false) as "isOver",
      json_agg(json_build_object('userId', r.account_id, 'at', r.fetched_at)) filter (where r.state = 'fetched') as fetched
    from exchange_arrival a left join exchange_received r on r.arrival_id = a.id
    where a.origin = ${origin} and a.number = any(${[...numbers]}) and a.complete_at is not null
    group by a.id`.execute(db)
  return { list: rows.map((row) => ({ ...row, fetched: row.fetched ?? [] })) }
}

/** Lets go of the contents of arrivals that nobody can pick up any more. */
async function dropContents(tx: Tx, arrivalIds: readonly number[]): Promise<void> {
  await sql`
    delete from exchange_arrival_content c where c.arrival_id = any(${[...arrivalIds]}) and not exists (
      select 1 from exchange_received r where r.arrival_id = c.arrival_id and r.state = 'waiting')`.execute(tx)
}

const staleMs = 7 * dayMs
const chunk = 100

/** Ends what was not picked up in time, and announcements that were never completed. Returns whether there is more. */
export async function expireArrivals(tx: Tx, now: number): Promise<boolean> {
  const { rows } = await sql<{ arrival_id: number }>`
    update exchange_received set state = 'expired' where id in (
      select id from exchange_received where state = 'waiting' and expires_at <= ${now}
      order by expires_at limit ${chunk} for update skip locked)
    returning arrival_id`.execute(tx)
  await dropContents(
    tx,
    rows.map(({ arrival_id }) => arrival_id),
  )
  await sql`
    delete from exchange_arrival where id in (
      select id from exchange_arrival where complete_at is null and created_at < ${now - staleMs} limit ${chunk})`.execute(
    tx,
  )
  return rows.length === chunk
}

/** The people who could receive something, by name or account, or with these ids. */
export async function findReceivers(
  db: Db,
  { keyword, ids }: { keyword: string; ids: readonly number[] },
  now: number,
) {
  const word = likeAnywhere(foldTyped(keyword))
  const { rows } = await sql<{ userId: number; account: string; accountName: string; groups: string[] }>`
    select a.id as "userId", a.account, a.name as "accountName", to_json(array(
      with recursive up as (
        select g.id, g.parent_id, g.name, 0 as depth from org_group g where g.id = a.group_id
        union all
        select g.id, g.parent_id, g.name, u.depth + 1 from up u join org_group g on g.id = u.parent_id where u.depth < 64
      ) select name from up order by depth)) as groups
    from account a
    where a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now})
      and ${ids.length > 0 ? sql`a.id = any(${[...ids]})` : sql`a.search_text like ${word}`}
    order by a.name_sort, a.id limit 50`.execute(db)
  return { list: rows }
}
