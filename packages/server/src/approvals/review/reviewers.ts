// The reviewers by rule: the owner and managers of an item's library, named users, holders of a role.
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import type { Ask, Asked } from './kind.ts'

export type ReviewerRule =
  | { readonly by: 'owner' }
  | { readonly by: 'managers' }
  | { readonly by: 'people'; readonly accountIds: readonly number[] }
  | { readonly by: 'role'; readonly roleId: number }

/** Maximum number of reviewers. */
const most = 50

/**
 * The users named by the rules, each once by the first matching rule. Excludes the requester, leavers, and users whose
 * secret level is below that of the item.
 */
export async function reviewersBy(
  { tx, itemId, launcherId, now }: Pick<Ask<unknown>, 'tx' | 'itemId' | 'launcherId' | 'now'>,
  rules: readonly ReviewerRule[],
): Promise<Asked[]> {
  const found = new Map<number, Asked>()
  for (const rule of rules) {
    for (const accountId of await idsBy(tx, rule, itemId)) {
      if (!found.has(accountId)) found.set(accountId, { accountId, why: whyOf[rule.by] })
    }
  }
  found.delete(launcherId)
  const able = new Set(await ableOf(tx, [...found.keys()], itemId, now))
  return [...found.values()].filter(({ accountId }) => able.has(accountId)).slice(0, most)
}

const whyOf = { owner: 'owner', managers: 'manager', people: 'named', role: 'role' } as const

async function idsBy(tx: Tx, rule: ReviewerRule, itemId: number | null): Promise<readonly number[]> {
  if (rule.by === 'people') return rule.accountIds
  const ids =
    rule.by === 'role'
      ? sql<{ id: number }>`
          select account_id as id from role_account where role_id = ${rule.roleId}
          union select a.id from role_group g join account a on a.group_id = g.group_id where g.role_id = ${rule.roleId}
          union select a.id from role_title r join account a on a.title = r.title and a.title <> ''
            where r.role_id = ${rule.roleId}
          order by id limit ${most}`
      : rule.by === 'owner'
        ? sql<{ id: number }>`
            select l.owner_id as id from item i join library l on l.id = i.library_id
            where i.id = ${itemId} and l.owner_id is not null`
        : sql<{ id: number }>`
            select m.account_id as id from item i join library_manager m on m.library_id = i.library_id
            where i.id = ${itemId} order by id limit ${most}`
  return (await ids.execute(tx)).rows.map(({ id }) => id)
}

/** Filters users to those who can decide on an item now: they are active, and the item is not too secret for them. */
export async function ableOf(
  tx: Tx,
  accountIds: readonly number[],
  itemId: number | null,
  now: number,
): Promise<readonly number[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select a.id from account a
    where a.id = any(${[...accountIds]}) and a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now})
      and a.secret_level >= coalesce((
        select case when i.secret_until <= ${now} then 0 else i.secret_level end from item i where i.id = ${itemId}), 0)
    order by a.id`.execute(tx)
  return rows.map(({ id }) => id)
}
