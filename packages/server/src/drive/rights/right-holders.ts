// Finds users who have a right to an item: among given users, or among all users that match a search term.
import { hasRight, type RightName, type RightsState, rightsStateAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { nameMatches } from '../tree/index.ts'
import { managersOf, rightsAt } from './audience.ts'
import { loadLevels } from './levels.ts'

/** Maximum number of matching users whose rights are checked. */
const mostAsked = 200

interface Asked {
  readonly settings: Settings
  readonly now: number
  readonly right: RightName
}

interface Known {
  readonly place: RightsState
  readonly managers: ReadonlySet<number>
}

async function knownOf(db: Db, { row, library }: Access, now: number): Promise<Known> {
  const levels = (await loadLevels(db, [row.id])).get(row.id) ?? []
  const managers = (await managersOf(db, [library.id])).get(library.id) ?? new Set<number>()
  return { place: rightsStateAt(levels, now), managers }
}

async function passing(
  db: Db,
  { facts }: Access,
  { place, managers }: Known,
  ids: readonly number[],
  { settings, now, right }: Asked,
): Promise<Account[]> {
  if (ids.length === 0) return []
  const accounts = await loadAccounts(db, settings, ids, now)
  return ids.flatMap((id) => {
    const account = accounts.get(id)
    if (account === undefined || account.secretLevel < facts.secretLevel) return []
    return hasRight(rightsAt(place, account, managers.has(id)), right) ? [account] : []
  })
}

/** Those of the given users who have the right to the item and a sufficient secret level. */
export async function filterByRight(db: Db, access: Access, ids: readonly number[], asked: Asked): Promise<Account[]> {
  if (ids.length === 0) return []
  return passing(db, access, await knownOf(db, access, asked.now), ids, asked)
}

export interface FoundPerson {
  readonly userId: number
  readonly accountName: string
  readonly groupName: string
  readonly title: string
}

/** Those of all users who match the search term by name, pinyin or initials, ordered by name. */
export async function findPeopleWithRight(
  db: Db,
  access: Access,
  { keyword, rows: most, ...asked }: Asked & { readonly keyword: string; readonly rows: number },
): Promise<FoundPerson[]> {
  const known = await knownOf(db, access, asked.now)
  const idsOf = (type: string): number[] =>
    known.place.inForce.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  const words = nameMatches(keyword, sql`a.search_text`)
  const { rows } = await sql<FoundPerson>`
    with recursive below as (
      select id from org_group where id = any(${idsOf('group')})
      union select group_id from role_group where role_id = any(${idsOf('role')})
      union select g.id from org_group g join below b on g.parent_id = b.id
    ), who as (
      select unnest(${[...idsOf('user'), ...known.managers]}::bigint[]) as id
      union select a.id from account a join below b on a.group_id = b.id
      union select m.account_id from membership m join below b on m.group_id = b.id
      union select r.account_id from role_account r where r.role_id = any(${idsOf('role')})
      union select a.id from role_title r join account a on a.title = r.title and a.title <> ''
        where r.role_id = any(${idsOf('role')})
    )
    select a.id as "userId", a.name as "accountName", g.name as "groupName", a.title
    from who w join account a on a.id = w.id join org_group g on g.id = a.group_id
    where ${sql.join([sql`a.state = 'normal'`, ...words], sql` and `)}
    order by a.name_sort, a.id limit ${mostAsked}`.execute(db)
  const ids = new Set(
    (
      await passing(
        db,
        access,
        known,
        rows.map(({ userId }) => userId),
        asked,
      )
    ).map(({ accountId }) => accountId),
  )
  return rows.filter(({ userId }) => ids.has(userId)).slice(0, most)
}
