// Reads the log of items from the audit, page by page.
import type { features, Parsed } from '@cloudoc/contract'
import { calendarDays, denial, type Facts, gates, LogBit } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { visibleDescendants } from '../tree/index.ts'

/** Kinds whose rows name the created item last. Rows of other kinds name the affected item first. */
const makes = LogBit.add | LogBit.copy

/** Rows of a library's audit that are read per batch, and per page. */
const scanBatch = 500
const lookedMost = 4000

/** Kinds that disclose people's actions rather than changes of the item. */
const ofPeople =
  LogBit.download | LogBit.preview | LogBit.permissionChange | LogBit.createLink | LogBit.modifyLink | LogBit.cancelLink

export type Filters = Omit<Parsed<typeof features.logs.calls.exportFileLog>, 'fileId'>
export type LogEntry = Awaited<ReturnType<typeof readLog>>['list'][number]

/** The items whose log is read: `whole` with all entries, `changes` with changes only. */
interface Items {
  readonly itemId: number
  readonly whole: readonly number[]
  readonly changes: readonly number[]
}

/** A folder with too many items to list: the log of its library is read, and the rights are checked for each entry. */
interface Large {
  readonly itemId: number
  readonly folder: Access
}

export type Scope = Items | Large

export interface Page {
  readonly after: number | undefined
  readonly rows: number
}

interface Happened {
  readonly seq: number
  readonly at: number
  readonly log: number
  readonly account_id: number | null
  readonly name: string | null
  readonly outsider: { readonly name: string } | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The start of a range of days in a time zone; 0 for an unlimited range. */
function sinceOf(range: Filters['range'], now: number, timeZone: string): number {
  if (range === 'all') return 0
  const days = { today: 1, last7days: 7, last30days: 30 }[range]
  return calendarDays(now, timeZone, days)[0]?.from ?? now
}

/**
 * Whether the caller may see entries about people: users who may grant rights on the item. Others see changes and their
 * own actions.
 */
export const mayKnowPeople = (facts: Facts): boolean => denial(gates.viewShares, facts) === undefined

/** The SQL filter on an audit row `a` and its seal `s`. */
function filterConditions({ types, userId, query, range }: Filters, context: Context): RawBuilder<unknown> {
  const since = sinceOf(range, context.now, actorOf(context).settings.setting.download_time_zone)
  const mask = types === 0 ? Object.values(LogBit).reduce((sum, bit) => sum | bit, 0) : types
  const name = query.trim()
  return sql`not s.refused and s.at >= ${since}::bigint
    and (a.detail ->> 'log')::bigint & ${mask}::bigint <> 0
    ${userId === undefined ? sql`` : sql`and a.account_id = ${userId}`}
    ${name === '' ? sql`` : sql`and exists (select 1 from account p where p.id = a.account_id and p.search_text like ${likeAnywhere(foldTyped(name))})`}`
}

const happened = sql.raw(`s.seq, s.at, (a.detail ->> 'log')::bigint as log, a.account_id, p.name, a.outsider, a.detail`)

function entryOf(row: Happened, item: { id: number; f_type: 1 | 2 | null; name: string | null }) {
  return {
    logId: row.seq,
    time: row.at,
    type: row.log,
    userId: row.account_id ?? 0,
    userName: row.outsider?.name ?? row.name ?? '',
    fId: item.id,
    fType: item.f_type ?? (1 as const),
    fName: item.name ?? '',
    version: numberIn(row.detail['version']),
    from: textIn(row.detail['restoredFrom'] ?? row.detail['from'] ?? row.detail['versions']),
    to: textIn(row.detail['name'] ?? row.detail['comment'] ?? row.detail['to'] ?? row.detail['way']),
  }
}

/** Returns a page of the log, newest first. The next page continues after `next`. */
export async function readLog(context: Context, scope: Scope, filters: Filters, page: Page) {
  return 'folder' in scope ? readLarge(context, scope, filters, page) : readItems(context, scope, filters, page)
}

async function readItems(context: Context, { itemId, whole, changes }: Items, filters: Filters, page: Page) {
  const { db } = context
  const { after, rows: most } = page
  const ids = [...whole, ...changes]
  // Only the newest entries of each item are read, so the amount read is bounded by the page size however long their
  // logs are.
  const { rows } = await sql<Happened & { id: number; f_type: 1 | 2 | null; item_name: string | null }>`
    with known as (select * from unnest(${ids}::bigint[], ${ids.map((_, n) => n < whole.length)}::boolean[]) k (id, whole)),
    found as (
      select distinct on (f.seq) f.seq, f.audit_id, k.id as item_id
      from known k cross join lateral (
        select i.seq, s.audit_id, array_position(a.items, i.item_id)
          * case when (a.detail ->> 'log')::bigint & ${makes}::bigint = 0 then 1 else -1 end as place
        from audit_item i join audit_seal s on s.seq = i.seq join audit a on a.id = s.audit_id
        where i.item_id = k.id ${after === undefined ? sql`` : sql`and i.seq < ${after}::bigint`}
          and ${filterConditions(filters, context)}
          and (k.whole or a.account_id = ${actorOf(context).accountId}
            or (a.detail ->> 'log')::bigint & ${ofPeople}::bigint = 0)
        order by i.seq desc limit ${most + 1}) f
      -- What was done to something in the folder is told of that.
      order by f.seq desc, (k.id = ${itemId})::int, f.place
      limit ${most + 1}
    )
    select ${happened}, f.item_id as id, t.f_type, t.name as item_name
    from found f join audit_seal s on s.seq = f.seq join audit a on a.id = f.audit_id
    left join account p on p.id = a.account_id left join item t on t.id = f.item_id
    order by f.seq desc`.execute(db)
  return pageOf(
    rows.map((row) => entryOf(row, { id: row.id, f_type: row.f_type, name: row.item_name })),
    most,
    0,
  )
}

/** Scans the library's log from the newest entry in batches, up to a maximum per page, even if few entries match. */
async function readLarge(context: Context, { itemId, folder }: Large, filters: Filters, page: Page) {
  const { db, now } = context
  const actor = actorOf(context)
  const found: ReturnType<typeof entryOf>[] = []
  let { after } = page
  for (let looked = 0; found.length <= page.rows; looked += scanBatch) {
    if (looked >= lookedMost) return pageOf(found, page.rows, after ?? 0)
    const { rows: numbers } = await sql<{ seq: number }>`
      select seq from audit_library where library_id = ${folder.library.id}
        ${after === undefined ? sql`` : sql`and seq < ${after}::bigint`}
      order by seq desc limit ${scanBatch}`.execute(db)
    const { rows } = await sql<Happened & { items: readonly number[] }>`
      select ${happened}, to_json(a.items) as items
      from audit_seal s join audit a on a.id = s.audit_id left join account p on p.id = a.account_id
      where s.seq = any(${numbers.map(({ seq }) => seq)}::bigint[]) and ${filterConditions(filters, context)}
      order by s.seq desc`.execute(db)
    const ids = new Set(rows.flatMap(({ items }) => items))
    const seen = await visibleDescendants(db, actor, folder, [...ids], now)
    seen.set(itemId, folder)
    for (const row of rows) {
      const told = row.items.filter((id) => {
        const facts = seen.get(id)?.facts
        if (facts === undefined) return false
        return row.account_id === actor.accountId || (row.log & ofPeople) === 0 || mayKnowPeople(facts)
      })
      const within = told.filter((id) => id !== itemId)
      const item = seen.get(within.at((row.log & makes) === 0 ? 0 : -1) ?? told[0] ?? 0)?.row
      if (item !== undefined) found.push(entryOf(row, item))
    }
    if (numbers.length < scanBatch) break
    after = numbers.at(-1)?.seq
  }
  return pageOf(found, page.rows, 0)
}

/** Cuts the page to the requested size. If that leaves nothing out, the next page continues at `next`. */
function pageOf(found: readonly ReturnType<typeof entryOf>[], most: number, next: number) {
  const list = found.slice(0, most)
  return { list, next: found.length > most ? (list.at(-1)?.logId ?? 0) : next }
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)
const textIn = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
