/*
 * What the engine of workflows asks about people: who is named by a rule, who can act, who is whose superior. Read
 * before an act, in a few statements whatever the size of the template, so that the engine itself needs no database.
 */
import type { ConditionFacts, FormValues, HandlerRule, Template, WorkflowWorld } from '@cloudoc/domain'
import { sql } from 'kysely'
import { ableOf, currentStandIns } from '../approvals/review/index.ts'
import type { Db, Tx } from '../core/db/database.ts'
import { byCalendar, companyCalendar, noCalendar } from '../core/work-calendar.ts'

/** What a world is read for. */
export interface Asked {
  readonly template: Template
  readonly launcherId: number
  /** Everybody else who may be named: those in the state, chosen ones, and those of the act. */
  readonly people: readonly number[]
  readonly itemId: number | null
  readonly form: FormValues
  /** Instead of the attachment, for a simulation. */
  readonly fileType?: string
  readonly now: number
}

/** How far superiors of superiors are looked for. */
const mostLevels = 8
/** The people whom one role or department names. */
const mostNamed = 500

const ruleKey = (rule: HandlerRule): string => JSON.stringify(rule)

/** Reads the world of one act. */
export async function loadWorld(db: Db, asked: Asked): Promise<WorkflowWorld & { readonly calendar: string | null }> {
  const { template, launcherId, itemId, form, now } = asked
  const rules = template.nodes.flatMap((node) => (node.type === 'task' || node.type === 'cc' ? node.handlers : []))
  const named = await namedBy(db, rules, launcherId)
  const listed = rules.flatMap((rule) => (rule.by === 'people' ? rule.ids : []))
  const later = template.nodes.flatMap((node) =>
    node.type !== 'task'
      ? []
      : [...(node.empty.to === 'people' ? node.empty.ids : []), ...(node.deadline === null ? [] : node.deadline.to)],
  )
  const administrators = await administratorsOf(db)
  const some = [
    ...new Set([launcherId, ...asked.people, ...listed, ...later, ...[...named.values()].flat(), ...administrators]),
  ]
  const superiors = await superiorsOf(db, some)
  const possible = [...new Set([...some, ...superiors.values()])].filter((id) => id > 0)
  const standIns = await standInsByPerson(db, possible, now)
  const everybody = [...new Set([...possible, ...[...standIns.values()].flat()])]
  // Only reads, so no transaction is needed.
  const able = new Set(await ableOf(db as Tx, everybody, itemId, now))
  const counted = countsWorkdays(template) ? byCalendar(await companyCalendar(db)) : noCalendar
  return {
    now,
    calendar: counted.key,
    afterWorkdays: (from, count) => counted.afterWorkdays(from, count),
    people: (rule) => (rule.by === 'people' ? rule.ids : (named.get(ruleKey(rule)) ?? [])),
    able: (account) => able.has(account),
    superior: (account) => superiors.get(account),
    standIns: (account) => standIns.get(account) ?? [],
    administrators,
    form,
    facts: await factsOf(db, asked),
  }
}

const countsWorkdays = ({ nodes }: Template): boolean =>
  nodes.some((node) => node.type === 'task' && node.deadline?.workdays !== undefined)

async function administratorsOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, 0 as place from account where is_admin
      union all select account_id, 1 from administrator where power = 'system') a
    order by place, id limit 20`.execute(db)
  return rows.map(({ id }) => id)
}

async function namedBy(
  db: Db,
  rules: readonly HandlerRule[],
  launcherId: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>()
  for (const rule of rules) {
    if (found.has(ruleKey(rule))) continue
    const ids = idsBy(rule, launcherId)
    if (ids === undefined) continue
    const { rows } = await ids.execute(db)
    found.set(
      ruleKey(rule),
      rows.map(({ id }) => id),
    )
  }
  const superior = ruleKey({ by: 'superior' })
  if (rules.some((rule) => ruleKey(rule) === superior)) {
    const one = (await superiorsOf(db, [launcherId])).get(launcherId)
    found.set(superior, one === undefined ? [] : [one])
  }
  return found
}

function idsBy(rule: HandlerRule, launcherId: number) {
  if (rule.by === 'role')
    return sql<{ id: number }>`
      select account_id as id from role_account where role_id = ${rule.id}
      union select a.id from role_group g join account a on a.group_id = g.group_id where g.role_id = ${rule.id}
      union select a.id from role_title r join account a on a.title = r.title and a.title <> ''
        where r.role_id = ${rule.id}
      order by id limit ${mostNamed}`
  if (rule.by !== 'head') return undefined
  return rule.groupId === 0
    ? sql<{ id: number }>`
        select m.account_id as id from account a join group_manager m on m.group_id = a.group_id
        where a.id = ${launcherId} order by 1 limit ${mostNamed}`
    : sql<{ id: number }>`
        select account_id as id from group_manager where group_id = ${rule.groupId} order by 1 limit ${mostNamed}`
}

/** Who acts now for each of those who are away. */
async function standInsByPerson(db: Db, people: readonly number[], now: number): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ person: number; ids: string[] }>`
    select person, array_agg(id order by id) as ids from (${currentStandIns(now)}) s
    where person = any(${[...people]}) group by person`.execute(db)
  return new Map(rows.map(({ person, ids }) => [person, ids.map(Number)]))
}

/** The superior of each: the first manager, other than themselves, of their department or of one above it. */
async function superiorsOf(db: Db, accounts: readonly number[]): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const seen = new Set<number>()
  let wanted = [...new Set(accounts)]
  for (let level = 0; level < mostLevels && wanted.length > 0; level += 1) {
    for (const id of wanted) seen.add(id)
    const { rows } = await sql<{ account: number; superior: number }>`
      with recursive up as (
        select a.id as account, a.group_id, 0 as depth from account a where a.id = any(${wanted})
        union all
        select u.account, g.parent_id, u.depth + 1 from up u join org_group g on g.id = u.group_id
        where g.parent_id is not null and u.depth < 64
      )
      select distinct on (u.account) u.account, m.account_id as superior
      from up u join group_manager m on m.group_id = u.group_id and m.account_id <> u.account
      order by u.account, u.depth, m.account_id`.execute(db)
    for (const { account, superior } of rows) found.set(account, superior)
    wanted = [...new Set(rows.map(({ superior }) => superior))].filter((id) => !seen.has(id))
  }
  return found
}

async function factsOf(db: Db, { launcherId, itemId, fileType, now }: Asked): Promise<ConditionFacts> {
  const { rows } = await sql<{ level: number; groups: number[] | null; ext: string | null; fileLevel: number | null }>`
    with recursive up as (
      select group_id as id from account where id = ${launcherId}
      union select group_id from membership where account_id = ${launcherId}
      union select g.parent_id from up join org_group g on g.id = up.id where g.parent_id is not null
    )
    select a.secret_level as level, (select json_agg(id) from up) as groups, i.ext,
      case when i.secret_until <= ${now} then 0 else i.secret_level end as "fileLevel"
    from account a left join item i on i.id = ${itemId} where a.id = ${launcherId}`.execute(db)
  const [row] = rows
  return {
    departments: row?.groups ?? [],
    launcherLevel: row?.level ?? 0,
    fileType: (fileType ?? row?.ext ?? '').toLowerCase().replace(/^\./, ''),
    fileLevel: row?.fileLevel ?? 0,
  }
}
