// Items that the user shared and items shared with the user ([R213]): by entries, each item once, limited to what is
// visible now.
import type { features } from '@cloudoc/contract'
import { denial, gates } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { accessToMany, type CompleteRecords, nameMatches, recordOf } from '../tree/index.ts'

type Calls = typeof features.rights.calls
type Names = 'getSharedToMeList' | 'getMyShareList' | 'getShareReceivers'

/** Maximum number of items listed. */
const mostListed = 2000
const mostReceivers = 12

interface SharedItem {
  readonly id: number
  readonly at: number
  readonly until: number | null
  readonly names: string[]
}

/** Entries by item. Library roots are excluded, and so are entries whose subjects have all left. */
async function sharedItems(
  db: Db,
  where: RawBuilder<unknown>,
  name: RawBuilder<unknown>,
  keyword: string,
  now: number,
): Promise<SharedItem[]> {
  const { rows } = await sql<SharedItem>`
    select e.item_id as id, max(e.created_at) as at, min(e.expires_at) as until,
      to_json(array_agg(distinct named.name)) as names
    from entry e cross join lateral (select ${name} as name) named join item i on i.id = e.item_id
    where ${sql.join([where, ...nameMatches(keyword)], sql` and `)} and named.name is not null
      and (e.expires_at is null or e.expires_at > ${now}) and i.parent_id is not null and i.deleted_at is null and e.rights & 1 = 0
    group by e.item_id order by max(e.created_at) desc, e.item_id desc limit ${mostListed}`.execute(db)
  return rows
}

interface Page {
  readonly from: number
  readonly rows: number
}

async function pageOf(
  db: Db,
  actor: Account,
  found: readonly SharedItem[],
  { from, rows }: Page,
  now: number,
  complete: CompleteRecords,
) {
  const access = await accessToMany(
    db,
    actor,
    found.map(({ id }) => id),
    now,
  )
  const there = found.flatMap((one) => {
    const met = access.get(one.id)
    if (met === undefined || denial(gates.see, met.facts) !== undefined) return []
    return [{ one, met }]
  })
  const list = there.slice(from, from + rows).map(({ one, met }) => ({
    ...recordOf(met, actor),
    shareTime: one.at,
    shareNames: one.names,
    expireTime: one.until,
  }))
  return { list: await complete(actor, list), total: there.length }
}

/** The handlers of the lists of shared items. */
export const sharedHandlers = (complete: CompleteRecords): Pick<Handlers<Calls>, Names> => ({
  async getSharedToMeList(context, input) {
    const { db, now } = context
    const actor = actorOf(context)
    const { userId, groupIds, roleIds } = actor.subjects
    const mine = sql`(
      (e.subject_type = 'user' and e.subject_id = ${userId})
      or (e.subject_type = 'group' and e.subject_id = any(${[...groupIds]}))
      or (e.subject_type = 'role' and e.subject_id = any(${[...roleIds]}))) and e.created_by <> ${userId} and ${input.userId === undefined ? sql`true` : sql`e.created_by = ${input.userId}`}`
    const by = sql`(select a.name from account a where a.id = e.created_by)`
    return pageOf(db, actor, await sharedItems(db, mine, by, input.keyword, now), input, now, complete)
  },

  async getMyShareList(context, input) {
    const { db, now } = context
    const actor = actorOf(context)
    const mine = sql`e.created_by = ${actor.accountId} and e.kind = 'independent'
      and not (e.subject_type = 'user' and e.subject_id = ${actor.accountId})`
    return pageOf(db, actor, await sharedItems(db, mine, subjectName, input.keyword, now), input, now, complete)
  },

  async getShareReceivers(context) {
    const actor = actorOf(context)
    const { rows: list } = await sql<{ type: 'user' | 'group' | 'role'; id: number; name: string }>`
      select type, id, name from (
        select subject_type as type, subject_id as id, max(at) as at, ${subjectName} as name
        from (
          select subject_type, subject_id, created_at as at from entry
          where created_by = ${actor.accountId} order by created_at desc limit 500
        ) e group by subject_type, subject_id
      ) s where name is not null and not (type = 'user' and id = ${actor.accountId})
      order by at desc limit ${mostReceivers}`.execute(context.db)
    return { list }
  },
})

const subjectName = sql`case e.subject_type
  when 'user' then (select a.name from account a where a.id = e.subject_id and a.state <> 'disabled')
  when 'group' then (select g.name from org_group g where g.id = e.subject_id)
  else (select r.name from role r where r.id = e.subject_id) end`
