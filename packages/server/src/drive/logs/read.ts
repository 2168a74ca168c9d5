// Reads the log of items from the audit, page by page.
import type { features, Parsed } from '@cloudoc/contract'
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import { foldQuery, likeAnywhere } from '../../core/text-keys.ts'

const dayMs = 24 * 60 * 60_000

/** Kinds that tell of people rather than of the item. */
const ofPeople =
  LogBit.download | LogBit.preview | LogBit.permissionChange | LogBit.createLink | LogBit.modifyLink | LogBit.cancelLink

export type Filters = Omit<Parsed<typeof features.logs.calls.exportFileLog>, 'fileId'>
export type LogEntry = Awaited<ReturnType<typeof readLog>>['list'][number]

/** The items whose log is read: of which all is told, and of which only what changed. */
export interface Scope {
  readonly itemId: number
  readonly whole: readonly number[]
  readonly changes: readonly number[]
  readonly isComplete: boolean
}

interface Row {
  readonly seq: number
  readonly at: number
  readonly log: number
  readonly account_id: number | null
  readonly name: string | null
  readonly outsider: { readonly name: string } | null
  readonly item_id: number
  readonly f_type: 1 | 2 | null
  readonly item_name: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** When a range of days begins; undefined for no beginning. */
function sinceOf(range: Filters['range'], now: number): number {
  if (range === 'all') return 0
  const days = { today: 0, last7days: 6, last30days: 29 }[range]
  return new Date(now).setHours(0, 0, 0, 0) - days * dayMs
}

/** A page of the log, the newest first; the next begins after the last row of this one. */
export async function readLog(
  context: Context,
  { itemId, whole, changes, isComplete }: Scope,
  { types, userId, query, range }: Filters,
  { after, rows: most }: { readonly after: number | undefined; readonly rows: number },
) {
  const { db, now } = context
  const { accountId } = actorOf(context)
  const mask = types === 0 ? Object.values(LogBit).reduce((sum, bit) => sum | bit, 0) : types
  const ids = [...whole, ...changes]
  const name = query.trim()
  // Of each item the newest few: however much happened to all of them, no more is read than may be shown.
  const { rows } = await sql<Row>`
    with known as (select * from unnest(${ids}::bigint[], ${ids.map((_, n) => n < whole.length)}::boolean[]) k (id, whole)),
    found as (
      select distinct on (f.seq) f.seq, f.audit_id, f.at, f.account_id, k.id as item_id
      from known k cross join lateral (
        select i.seq, s.audit_id, s.at, s.account_id
        from audit_item i join audit_seal s on s.seq = i.seq join audit a on a.id = s.audit_id
        where i.item_id = k.id and not s.refused
          and s.at >= ${sinceOf(range, now)}::bigint ${after === undefined ? sql`` : sql`and i.seq < ${after}::bigint`}
          and (a.detail ->> 'log')::bigint & ${mask}::bigint <> 0
          and (k.whole or a.account_id = ${accountId} or (a.detail ->> 'log')::bigint & ${ofPeople}::bigint = 0)
          ${userId === undefined ? sql`` : sql`and a.account_id = ${userId}`}
          ${name === '' ? sql`` : sql`and exists (select 1 from account p where p.id = a.account_id and p.search_text like ${likeAnywhere(foldQuery(name))})`}
        order by i.seq desc limit ${most + 1}) f
      -- What was done to something in the folder is told of that.
      order by f.seq desc, (k.id = ${itemId})::int
      limit ${most + 1}
    )
    select f.seq, f.at, (a.detail ->> 'log')::bigint as log, a.account_id, p.name, a.outsider, f.item_id, t.f_type,
      t.name as item_name, a.detail
    from found f join audit a on a.id = f.audit_id
    left join account p on p.id = a.account_id left join item t on t.id = f.item_id
    order by f.seq desc`.execute(db)
  return {
    list: rows.slice(0, most).map((row) => ({
      logId: row.seq,
      time: row.at,
      type: row.log,
      userId: row.account_id ?? 0,
      userName: row.outsider?.name ?? row.name ?? '',
      fId: row.item_id,
      fType: row.f_type ?? (1 as const),
      fName: row.item_name ?? '',
      version: numberIn(row.detail['version']),
      from: textIn(row.detail['restoredFrom'] ?? row.detail['from'] ?? row.detail['versions']),
      to: textIn(row.detail['name'] ?? row.detail['comment'] ?? row.detail['to']),
    })),
    more: rows.length > most,
    isComplete,
  }
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)
const textIn = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
