// Computes which users lose access to a file through a new secret level: those who may preview, download or edit it now
// and could no longer do so.
import { Right, rightsStateAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { loadLevels, managersOf, rightsAt } from '../rights/index.ts'

/** Maximum number of users checked. In a company where everybody has access, nobody reads a longer list. */
const mostLookedAt = 1000

interface Change {
  readonly id: number
  readonly libraryId: number
  readonly from: number
  readonly to: number
  readonly now: number
}

export interface AccessLoss {
  readonly list: { readonly userId: number; readonly accountName: string; readonly secretLevel: number }[]
  /** True if more users may be affected. */
  readonly more: boolean
}

/** The users whose own level is below the new one but not below the current one. */
export async function peopleLosingAccess(
  db: Db,
  settings: Settings,
  { id, libraryId, from, to, now }: Change,
): Promise<AccessLoss> {
  if (to <= from) return { list: [], more: false }
  const levels = (await loadLevels(db, [id])).get(id) ?? []
  const place = rightsStateAt(levels, now)
  const managers = (await managersOf(db, [libraryId])).get(libraryId) ?? new Set<number>()
  const idsOf = (type: string) =>
    place.inForce.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from org_group where id = any(${idsOf('group')})
      union select group_id from role_group where role_id = any(${idsOf('role')})
      union select g.id from org_group g join below b on g.parent_id = b.id
    ), who as (
      select unnest(${[...idsOf('user'), ...managers]}::bigint[]) as id
      union select a.id from account a join below b on a.group_id = b.id
      union select m.account_id from membership m join below b on m.group_id = b.id
      union select r.account_id from role_account r where r.role_id = any(${idsOf('role')})
      union select a.id from role_title r join account a on a.title = r.title and a.title <> ''
        where r.role_id = any(${idsOf('role')})
    )
    select a.id from who w join account a on a.id = w.id
    where a.secret_level >= ${from} and a.secret_level < ${to} and a.state = 'normal'
    order by a.name_sort, a.id limit ${mostLookedAt + 1}`.execute(db)
  const ids = rows.slice(0, mostLookedAt).map((row) => row.id)
  const accounts = await loadAccounts(db, settings, ids, now)
  const opening = Right.preview | Right.download | Right.modify | Right.full
  const list = ids.flatMap((userId) => {
    const account = accounts.get(userId)
    if (account === undefined || (rightsAt(place, account, managers.has(userId)) & opening) === 0) return []
    return [{ userId, accountName: account.name, secretLevel: account.secretLevel }]
  })
  return { list, more: rows.length > mostLookedAt }
}
