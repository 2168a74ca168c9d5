// The roles that follow from the groups of a provisioning system.
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import { bump } from '../../core/settings.ts'

/**
 * Gives people the roles of their groups, and takes those that a group gave before. Roles that an administrator has given
 * stay. Returns how many people it has changed.
 */
export async function refreshRoles(
  { tx, event }: Pick<WriteContext, 'tx' | 'event'>,
  providerId: number,
  identityIds: readonly number[],
): Promise<number> {
  if (identityIds.length === 0) return 0
  const { rows } = await sql<{ account_id: number }>`
    with wanted as (
      select i.id, i.account_id, i.role_ids as had, array(
        select distinct g.role_id from scim_member m join scim_group g on g.id = m.group_id
        where m.identity_id = i.id and g.role_id is not null order by g.role_id) as has
      from provider_identity i
      where i.provider_id = ${providerId} and i.id = any(${[...identityIds]}) and i.account_id is not null
    ), differing as (
      select * from wanted where had is distinct from has
    ), taken as (
      delete from role_account r using differing d
      where r.account_id = d.account_id and r.role_id = any(d.had) and r.role_id <> all(d.has)
    ), given as (
      insert into role_account (role_id, account_id)
      select role_id, d.account_id from differing d cross join lateral unnest(d.has) as role_id
      on conflict do nothing
    ), noted as (
      update provider_identity i set role_ids = d.has from differing d where i.id = d.id
    )
    select account_id from differing`.execute(tx)
  if (rows.length === 0) return 0
  await bump(tx, 'organisation')
  event({ kind: 'refetch', accountIds: rows.map(({ account_id }) => account_id) })
  return rows.length
}
