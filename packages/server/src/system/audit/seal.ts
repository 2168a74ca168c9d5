/*
 * Seals the audit: gives committed rows their numbers and hashes, one batch per transaction, by the elected process.
 *
 * Ids are assigned before rows commit, so a lower id may appear after a higher one was sealed. `settled` is the id
 * below which no row can appear any more: every transaction that was open when the newest row was examined has ended
 * since, and a minute has passed, far more than the time between the assignment of an id and its row. An unsealed row
 * below it was not inserted by the product, and is never sealed.
 */
import { auditKindOf, auditKinds, defaultSetting } from '@cloudoc/contract'
import { calendarDay, LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type AuditKeys, type Head, hashOf, loadAuditKeys, noHash, rowAccount, rowText, signHead } from './chain.ts'

const rowBatch = 2000
const settleMs = 60_000
/** The lock of the sealer and of whatever changes sealed rows. */
export const auditLock = 0x61756474
/** One head is retained per this many rows, and per day. */
const headRows = 4096
const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000

interface Unsealed {
  readonly id: number
  readonly at: number
  readonly account_id: number | null
  readonly call: string
  readonly address: string
  readonly items: readonly number[]
  readonly refused: boolean
  /** The row is a download. */
  readonly taken: boolean
  readonly text: string
}

/** What the sealer remembers of the newest row between two rounds. */
interface Looked {
  readonly newest: number
  readonly xmax: bigint
  readonly at: number
}

/** Seals one batch; returns whether more rows wait. */
export type Sealer = () => Promise<boolean>

/** Downloads are counted by the calendar day of the company's time zone. */
export function createSealer(
  db: Db,
  now: () => number,
  timeZone: () => Promise<string> = async () => defaultSetting.setting.download_time_zone,
): Sealer {
  let keys: AuditKeys | undefined
  let looked: Looked | undefined
  return async () => {
    keys ??= await loadAuditKeys(db)
    const { more, next } = await sealSome(db, keys, now(), looked, await timeZone())
    looked = next
    return more
  }
}

async function sealSome(
  db: Db,
  keys: AuditKeys,
  now: number,
  looked: Looked | undefined,
  timeZone: string,
): Promise<{ more: boolean; next: Looked | undefined }> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${auditLock})`.execute(tx)
    const last = await tx.selectFrom('audit_head').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst()
    const { rows: snapshots } = await sql<{ xmin: string; xmax: string; newest: number }>`
      select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax,
        coalesce((select max(id) from audit), 0) as newest from pg_current_snapshot() s`.execute(tx)
    const [snapshot] = snapshots
    const settled = last?.settled ?? 0
    if (snapshot === undefined || snapshot.newest <= settled) return { more: false, next: undefined }
    const { rows } = await sql<Unsealed>`
      select a.id, a.at, ${rowAccount} as account_id, a.call, a.address, a.items, a.detail ? 'refused' as refused,
        not a.detail ? 'refused' and coalesce((a.detail ->> 'log')::bigint, 0) & ${LogBit.download}::bigint <> 0 as taken, ${rowText} as text
      from audit a
      where a.id > ${settled} and not exists (select 1 from audit_seal s where s.audit_id = a.id)
      order by a.id limit ${rowBatch}`.execute(tx)
    const more = rows.length === rowBatch
    const isSettled =
      !more && looked !== undefined && BigInt(snapshot.xmin) >= looked.xmax && looked.at + settleMs <= now
    const upTo = isSettled ? Math.max(settled, looked.newest) : settled
    if (rows.length > 0 || upTo > settled) await write(tx, rows, { last, settled: upTo, now, keys, timeZone })
    const next =
      isSettled || looked === undefined ? { newest: snapshot.newest, xmax: BigInt(snapshot.xmax), at: now } : looked
    return { more, next }
  })
}

interface Ending {
  readonly last: Head | undefined
  readonly settled: number
  readonly now: number
  readonly keys: AuditKeys
  readonly timeZone: string
}

async function write(tx: Db, rows: readonly Unsealed[], { last, settled, now, keys, timeZone }: Ending): Promise<void> {
  let known = calendarDay(now, timeZone)
  const dayOf = (at: number): number => {
    if (at < known.from || at >= known.until) known = calendarDay(at, timeZone)
    return known.number
  }
  let [seq, end] = [last?.seq ?? 0, last?.hash ?? noHash]
  const seals = rows.map(({ id, at, account_id, call, address, items, refused, taken, text }) => {
    seq += 1
    end = hashOf(end, text)
    const kind = auditKinds.indexOf(auditKindOf(call, items.length > 0))
    return {
      seq,
      audit_id: id,
      kind,
      at,
      account_id,
      address,
      refused,
      hash: end.toString('hex'),
      items,
      taken,
      day: dayOf(at),
    }
  })
  const json = JSON.stringify(seals)
  await sql`
    with sealed as (
      insert into audit_seal (seq, audit_id, kind, at, account_id, address, refused, hash)
      select seq, audit_id, kind, at, account_id, address, refused, decode(hash, 'hex')
      from json_to_recordset(${json}) as s (seq bigint, audit_id bigint, kind smallint, at bigint, account_id bigint,
        address text, refused boolean, hash text)
    ), counted as (
      insert into audit_hour as h (hour, kind, n)
      select at / ${hourMs}, kind, count(*) from json_to_recordset(${json}) as s (at bigint, kind smallint) group by 1, 2
      on conflict (hour, kind) do update set n = h.n + excluded.n
    ), downloaded as (
      insert into audit_download as d (day, item_id, n)
      select s.day, i.value::bigint, count(*)
      from json_to_recordset(${json}) as s (day int, items json, taken boolean), json_array_elements_text(s.items) as i (value)
      where s.taken group by 1, 2
      on conflict (day, item_id) do update set n = d.n + excluded.n
    ), named as (
      select distinct i.value::bigint as item_id, s.seq
      from json_to_recordset(${json}) as s (seq bigint, items json), json_array_elements_text(s.items) as i (value)
    ), placed as (
      insert into audit_library (library_id, seq)
      select distinct t.library_id, n.seq
      from named n cross join lateral (select library_id from item where id = n.item_id offset 0) t
    )
    insert into audit_item (item_id, seq) select item_id, seq from named`.execute(tx)
  const head = signHead({ seq, hash: end, settled, at: now }, keys)
  const blockOf = (one: Pick<Head, 'seq' | 'at'>): string =>
    `${Math.floor(one.seq / headRows)} ${Math.floor(one.at / dayMs)}`
  // An earlier head of the same block is redundant.
  if (last !== undefined && blockOf(last) === blockOf(head))
    await tx.deleteFrom('audit_head').where('seq', '=', last.seq).execute()
  await tx
    .insertInto('audit_head')
    .values(head)
    .onConflict((conflict) => conflict.column('seq').doUpdateSet(head))
    .execute()
}
