// A user's standing in the company: departments, roles, and the capabilities and administrative powers they give.
import {
  type Capability,
  capabilitiesOf,
  capabilityNames,
  type DelegatedTask,
  delegatedTasks,
  type Power,
  type RoleGrants,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Controls, everywhere } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'

export interface Authority {
  readonly groupIds: ReadonlySet<number>
  readonly roleIds: ReadonlySet<number>
  readonly powers: readonly Power[]
  readonly delegated: ReadonlyMap<DelegatedTask, ReadonlySet<number>>
  readonly capabilities: ReadonlySet<Capability>
  readonly controls: Controls
  /** Whether one of the roles demands a second factor. */
  readonly factorByRole: boolean
}

type GrantedPowers = Pick<Authority, 'powers' | 'delegated' | 'capabilities' | 'factorByRole'>

/** A rule that makes an operation of its subjects need an application; people are subjects unless they are exempt. */
interface OperationRule {
  readonly operation: keyof Controls
  /** Libraries and folders; if empty, all libraries. */
  readonly items: readonly number[]
  readonly subjects: readonly (readonly [type: string, id: number, isExempt: boolean])[]
}

/** For an account that no longer exists. */
export const noAuthority: Authority = {
  groupIds: new Set(),
  roleIds: new Set(),
  powers: [],
  delegated: new Map(),
  capabilities: new Set(),
  controls: { download: new Set(), link: new Set() },
  factorByRole: false,
}
const noControls = noAuthority.controls

/** Where the rules make operations of an account need an application. */
function controlsOf(
  rules: readonly OperationRule[],
  accountId: number,
  { groupIds, roleIds }: Pick<Authority, 'groupIds' | 'roleIds'>,
): Controls {
  const isNamed = (type: string, id: number): boolean =>
    type === 'everybody' ||
    (type === 'user' && id === accountId) ||
    (type === 'group' && groupIds.has(id)) ||
    (type === 'role' && roleIds.has(id))
  const found = { download: new Set<number>(), link: new Set<number>() }
  for (const { operation, items, subjects } of rules) {
    const named = subjects.filter(([type, id]) => isNamed(type, id))
    if (named.length === 0 || named.some(([, , isExempt]) => isExempt)) continue
    for (const id of items.length === 0 ? [everywhere] : items) found[operation].add(id)
  }
  return found
}

/**
 * Returns for each account its departments with all ancestors, its roles, and the capabilities and administrative
 * powers they give.
 */
export async function loadAuthorities(db: Db, accountIds: readonly number[]): Promise<Map<number, Authority>> {
  const { rows } = await sql<{ kind: 'account' | 'up' | 'role'; of: number; id: number }>`
    with recursive member as (
      select id, group_id from account where id = any(${[...accountIds]})
    ), belongs as (
      select id, group_id from member
      union select b.account_id, b.group_id from membership b where b.account_id = any(${[...accountIds]})
    ), up as (
      select distinct group_id as of, group_id as id from belongs
      union all
      select up.of, g.parent_id from up join org_group g on g.id = up.id where g.parent_id is not null
    )
    select 'account' as kind, id as of, group_id as id from belongs
    union all
    select 'up', of, id from up
    union all
    select 'role', r.account_id, r.role_id from role_account r join member m on m.id = r.account_id
    union all
    select 'role', b.id, r.role_id from belongs b join up on up.of = b.group_id join role_group r on r.group_id = up.id
    union all
    select 'role', a.id, r.role_id from account a join role_title r on r.title = a.title
      where a.id = any(${[...accountIds]}) and a.title <> ''`.execute(db)
  const idsBy = (kind: 'up' | 'role'): Map<number, Set<number>> => {
    const sets = new Map<number, Set<number>>()
    for (const row of rows) {
      if (row.kind === kind) sets.set(row.of, (sets.get(row.of) ?? new Set()).add(row.id))
    }
    return sets
  }
  const [groupsAbove, roles] = [idsBy('up'), idsBy('role')]
  const { givenTo, rules } = await loadGrantedPowers(db, accountIds, [
    ...new Set([...roles.values()].flatMap((ids) => [...ids])),
  ])
  const found = new Map<number, Authority & { groupIds: Set<number> }>()
  for (const { kind, of, id } of rows) {
    if (kind !== 'account') continue
    const roleIds = roles.get(of) ?? new Set()
    const one = found.get(of) ?? { groupIds: new Set(), roleIds, controls: noControls, ...givenTo(of, roleIds) }
    for (const above of groupsAbove.get(id) ?? []) one.groupIds.add(above)
    found.set(of, one)
  }
  if (rules.length > 0)
    for (const [accountId, one] of found) found.set(accountId, { ...one, controls: controlsOf(rules, accountId, one) })
  return found
}

/** Holders of the security or audit power. */
export async function overseersOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin and state = 'normal'
    union select account_id from administrator where power in ('security', 'audit')`.execute(db)
  return rows.map(({ id }) => id)
}

/** Loads the capabilities given by roles, and what each account administers. */
async function loadGrantedPowers(
  db: Db,
  accountIds: readonly number[],
  roleIds: readonly number[],
): Promise<{
  readonly givenTo: (accountId: number, roleIds: ReadonlySet<number>) => GrantedPowers
  readonly rules: readonly OperationRule[]
}> {
  const { rows } = await sql<{
    kind: 'withheld' | 'external' | 'factor' | 'role' | 'power' | 'operation' | (typeof delegatedTasks)[number]
    of: number
    name: string
    id: number
  }>`
    with recursive delegated as (
      select account_id, group_id, tasks from group_administrator where account_id = any(${[...accountIds]})
      union all
      select d.account_id, g.id, d.tasks from delegated d join org_group g on g.parent_id = d.group_id
    )
    select 'withheld' as kind, 0::bigint as of, capability as name, 0::bigint as id from withheld_capability
    union all select 'external', id, '', 0 from role where external and id = any(${[...roleIds]})
    union all select 'factor', id, '', 0 from role where second_factor and id = any(${[...roleIds]})
    union all select 'role', role_id, capability, 0 from role_capability where role_id = any(${[...roleIds]})
    union all select 'power', account_id, power, 0 from administrator where account_id = any(${[...accountIds]})
    union all select 'operation', r.id, json_build_object('operation', r.operation, 'items', r.item_ids, 'subjects', (
        select json_agg(json_build_array(s.subject_type, s.subject_id, s.is_exempt))
        from operation_rule_subject s where s.rule_id = r.id))::text, 0
      from operation_rule r where r.is_active and r.binds_holders
        and exists (select 1 from operation_rule_subject s where s.rule_id = r.id)
    union all select distinct task, account_id, '', group_id from delegated, unnest(tasks) as task`.execute(db)
  const of = Map.groupBy(rows, ({ kind }) => kind)
  const withheld = new Set(of.get('withheld')?.map(({ name }) => name))
  const everybody = new Set(capabilityNames.filter((name) => !withheld.has(name)))
  const external = new Set(of.get('external')?.map((row) => row.of))
  const demanding = new Set(of.get('factor')?.map((row) => row.of))
  const given = Map.groupBy(of.get('role') ?? [], (row) => row.of)
  const power = Map.groupBy(of.get('power') ?? [], (row) => row.of)
  const parts = delegatedTasks.map((task) => [task, Map.groupBy(of.get(task) ?? [], (row) => row.of)] as const)
  const gives = (roleId: number): RoleGrants => ({
    capabilities: new Set(given.get(roleId)?.map(({ name }) => name as Capability)),
    external: external.has(roleId),
  })
  const rules = (of.get('operation') ?? []).map(({ name }) => JSON.parse(name) as OperationRule)
  const givenTo = (accountId: number, own: ReadonlySet<number>): GrantedPowers => {
    const delegated = new Map(
      parts.flatMap(([task, by]) => {
        const groups = by.get(accountId)
        return groups === undefined ? [] : [[task, new Set(groups.map(({ id }) => id))] as const]
      }),
    )
    return {
      powers: [
        ...(power.get(accountId) ?? []).map(({ name }) => name as Power),
        ...(delegated.size > 0 ? (['department'] as const) : []),
      ],
      delegated,
      capabilities: capabilitiesOf(everybody, [...own].map(gives)),
      factorByRole: [...own].some((roleId) => demanding.has(roleId)),
    }
  }
  return { givenTo, rules }
}

/** The accounts that decide about the security of the company: for notices. */
export async function securityAdministrators(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin union select account_id from administrator where power = 'security'`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
