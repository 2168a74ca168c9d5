// Available and used space: existing sums, daily growth, and the size of the store.
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { likeAnywhere } from '../../core/text-keys.ts'

/** Number of days of growth reported. */
const reportedDays = 30

/** Sums that are too expensive to compute on request. */
export const measured = resumableScan<{ at: number; stored: number; oldVersions: number }>('storage measured', {
  at: 0,
  stored: 0,
  oldVersions: 0,
})

/** Sums the stored blobs, once each, and the versions that are not the newest. */
export async function measureStorage(db: Db, now: number): Promise<void> {
  const { rows } = await sql<{ stored: number; old: number }>`
    select coalesce((select sum(size) from blob), 0)::bigint as stored,
      (coalesce((select sum(size) from version), 0)
        - coalesce((select sum(size) from item where f_type = 1 and link_to is null), 0))::bigint as old`.execute(db)
  const [sums] = rows
  await measured.write(db, { at: now, stored: sums?.stored ?? 0, oldVersions: Math.max(0, sums?.old ?? 0) })
}

/** Total size of all libraries. */
export async function usedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select (coalesce((select bytes from library_total where library_id = 0), 0)
      + coalesce((select sum(bytes) from tally), 0))::bigint as used`.execute(db)
  return rows[0]?.used ?? 0
}

/** Total size at the end of each of the last days, up to the day with the number `today`, computed from the current size and the growth since. */
export async function usedByDay(
  { db }: Pick<Services, 'db'>,
  used: number,
  today: number,
): Promise<{ day: number; used: number }[]> {
  const { rows } = await sql<{ day: number; bytes: number }>`
    select day, sum(bytes)::bigint as bytes from usage_day where day > ${today - reportedDays} group by day`.execute(db)
  const grown = new Map(rows.map(({ day, bytes }) => [day, bytes]))
  const days: { day: number; used: number }[] = []
  let then = used
  for (let day = today; day > today - reportedDays; day -= 1) {
    days.unshift({ day, used: Math.max(0, then) })
    then -= grown.get(day) ?? 0
  }
  return days
}

export interface SpaceRow {
  readonly type: 'library' | 'group' | 'user'
  readonly id: number
  readonly name: string
  readonly detail: string
  readonly used: number
  readonly total: number
  readonly grown: number
}

interface Wanted {
  readonly by: 'library' | 'group' | 'user' | 'low'
  readonly keyword: string
  readonly from: number
  readonly rows: number
}

/** Space per owner, the largest first; for nearly full ones, the fullest first. */
export async function spaceOf(
  db: Db,
  { by, keyword, from, rows: most }: Wanted,
  { usual, percent, today }: { readonly usual: number; readonly percent: number; readonly today: number },
): Promise<{ list: SpaceRow[]; total: number }> {
  const since = today - reportedDays
  const libraries = sql`
    select 'library' as type, l.id, i.name, i.search_text, coalesce(o.name, '') as detail,
      coalesce(t.bytes, 0) as used, l.quota as total,
      coalesce((select sum(bytes) from usage_day d where d.library_id = l.id and d.day > ${since}), 0) as grown
    from library l join item i on i.id = l.id left join library_total t on t.library_id = l.id
    left join account o on o.id = l.owner_id
    where not i.purged and l.kind <> 'personal'`
  const people = sql`
    select 'user' as type, a.id, a.name, a.search_text, coalesce(g.name, '') as detail,
      coalesce(u.bytes, 0) as used, coalesce(a.quota, ${usual}) as total, coalesce(d.bytes, 0) as grown
    from account a left join org_group g on g.id = a.group_id
    left join (select account_id, sum(bytes) as bytes from usage_total group by account_id) u on u.account_id = a.id
    left join (select account_id, sum(bytes) as bytes from usage_day where day > ${since} group by account_id) d
      on d.account_id = a.id`
  const groups = sql`
    select 'group' as type, g.id, g.name, g.search_text, coalesce(p.name, '') as detail,
      coalesce(sum(u.used), 0) as used, 0::bigint as total, coalesce(sum(u.grown), 0) as grown
    from org_group g left join org_group p on p.id = g.parent_id
    left join (select a.group_id, x.used, x.grown from account a join (${people}) x on x.id = a.id) u on u.group_id = g.id
    group by g.id, g.name, g.search_text, p.name`
  const source = { library: libraries, user: people, group: groups, low: sql`(${libraries}) union all (${people})` }[by]
  const low = by === 'low' ? sql`and total > 0 and used * 100 >= total * ${percent}::bigint` : sql``
  const order = by === 'low' ? sql`used::numeric / total desc` : sql`used desc`
  const { rows } = await sql<SpaceRow & { n: number }>`
    select type, id, name, detail, used::bigint, total::bigint, grown::bigint, count(*) over () as n
    from (${source}) s where search_text like ${likeAnywhere(foldTyped(keyword))} ${low}
    order by ${order}, id limit ${most} offset ${from}`.execute(db)
  return { list: rows.map(({ n: _, ...row }) => row), total: rows[0]?.n ?? 0 }
}
