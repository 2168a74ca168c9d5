/*
 * Memberships at a past moment: the current tables with all later changes reverted. Each change is one pair that was
 * added or removed (`member_change`), so the first change of a pair after the moment tells its state at that moment.
 */
import { type RawBuilder, sql } from 'kysely'

/** The membership relations, as SQL sources; each has the columns of its table. */
export interface Relations {
  /** Entries that the `with` clause of the statement must contain before the relations are used; may be empty. */
  readonly before: readonly RawBuilder<unknown>[]
  /** (account_id, group_id): department memberships. */
  readonly members: RawBuilder<unknown>
  /** (id, parent_id): the department hierarchy. */
  readonly groups: RawBuilder<unknown>
  readonly roleAccounts: RawBuilder<unknown>
  readonly roleGroups: RawBuilder<unknown>
  /** (role_id, account_id): roles by position. */
  readonly roleTitles: RawBuilder<unknown>
  /** (library_id, account_id): one row for each owner or manager of a library. */
  readonly libraries: RawBuilder<unknown>
}

/** The current relations, or those at a moment. `name` distinguishes two moments in one statement. */
export function relationsAt(at: number | undefined, name = 'then'): Relations {
  if (at === undefined) {
    return {
      before: [],
      members: sql`(select id as account_id, group_id from account union select account_id, group_id from membership)`,
      groups: sql`org_group`,
      roleAccounts: sql`role_account`,
      roleGroups: sql`role_group`,
      roleTitles: sql`(select t.role_id, a.id as account_id from role_title t join account a on a.title = t.title)`,
      libraries: sql`(select id as library_id, owner_id as account_id from library where owner_id is not null
        union select library_id, account_id from library_manager)`,
    }
  }
  const later = sql.raw(`${name}_later`)
  const pairs = (kind: string, table: string, one: string, other: string): RawBuilder<unknown> => {
    const [from, a, b] = [sql.raw(table), sql.raw(one), sql.raw(other)]
    return sql`(
      select c.${a} as one, c.${b}::text as other from ${from} c where c.${b} is not null and not exists (
        select 1 from ${later} l where l.kind = ${kind} and l.one = c.${a} and l.other = c.${b}::text)
      union all select one, other from ${later} where kind = ${kind} and not added)`
  }
  const ids = (of: RawBuilder<unknown>, one: string, other: string): RawBuilder<unknown> =>
    sql`(select one as ${sql.raw(one)}, other::bigint as ${sql.raw(other)} from ${of} p)`
  const titles = pairs('title', 'account', 'id', 'title')
  const roleTitles = pairs('roleTitle', 'role_title', 'role_id', 'title')
  return {
    before: [
      sql`${later} as materialized (select distinct on (kind, one, other) kind, one, other, added
        from member_change where at > ${at} order by kind, one, other, id)`,
    ],
    members: sql`(${ids(pairs('department', 'account', 'id', 'group_id'), 'account_id', 'group_id')}
      union ${ids(pairs('member', 'membership', 'account_id', 'group_id'), 'account_id', 'group_id')})`,
    groups: ids(pairs('parent', 'org_group', 'id', 'parent_id'), 'id', 'parent_id'),
    roleAccounts: ids(pairs('roleAccount', 'role_account', 'role_id', 'account_id'), 'role_id', 'account_id'),
    roleGroups: ids(pairs('roleGroup', 'role_group', 'role_id', 'group_id'), 'role_id', 'group_id'),
    roleTitles: sql`(select t.one as role_id, a.one as account_id
      from ${roleTitles} t join ${titles} a on a.other = t.other and a.other <> '')`,
    libraries: sql`(${ids(pairs('owner', 'library', 'id', 'owner_id'), 'library_id', 'account_id')}
      union ${ids(pairs('manager', 'library_manager', 'library_id', 'account_id'), 'library_id', 'account_id')})`,
  }
}

/** One person's departments and roles by these relations, as (kind, id): their departments with all ancestors. */
export function belongingOf(accountId: number, rel: Relations): RawBuilder<{ kind: 'group' | 'role'; id: number }> {
  return sql`
    with recursive ${sql.join([
      ...rel.before,
      sql`up as (
      select group_id as id from ${rel.members} m where account_id = ${accountId}
      union select g.parent_id from up join ${rel.groups} g on g.id = up.id where g.parent_id is not null)`,
    ])}
    select 'group' as kind, id from up
    union select 'role', role_id from ${rel.roleAccounts} r where account_id = ${accountId}
    union select 'role', r.role_id from ${rel.roleGroups} r join up on up.id = r.group_id
    union select 'role', role_id from ${rel.roleTitles} r where account_id = ${accountId}`
}
