// Favourites ([R238]): items that a user wants within quick reach. The star of an item record is one of its marks
// (drive/follow).
import { features, type ItemRef } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { toThemselves } from '../../core/push/index.ts'
import type { Marks } from '../follow/index.ts'
import { accessToMany, nameMatches, recordOf } from '../tree/index.ts'

/** Maximum number of favourites per user. */
const mostFavorites = 5000

interface FavoriteEvent extends FeatureEvent {
  readonly kind: 'favorite.changed'
  readonly accountId: number
  readonly fId: number
  readonly fType: 1 | 2
}

/** Only the user themselves. */
export const favoriteAudience = toThemselves<FavoriteEvent>(({ fId, fType }) => ({
  name: 'favoritesChanged',
  payload: { fId, fType },
}))

/** Does nothing if the favourite already has that state. */
async function setFavorite(context: WriteContext, item: ItemRef, isOn: boolean): Promise<{ fId: number }> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const { row } = context.item(item)
  const { rows } = isOn
    ? await sql`
      insert into favorite (account_id, item_id, created_at)
      select ${accountId}, ${row.id}, ${now}
      where (select count(*) from favorite where account_id = ${accountId}) < ${mostFavorites}
      on conflict do nothing returning 1`.execute(tx)
    : await sql`
      delete from favorite where account_id = ${accountId} and item_id = ${row.id} returning 1`.execute(tx)
  if (isOn && rows.length === 0) {
    const { rows: had } = await sql`
      select 1 from favorite where account_id = ${accountId} and item_id = ${row.id}`.execute(tx)
    if (had.length === 0)
      return fail('tooMany', { zh: `最多收藏 ${mostFavorites} 项`, en: `at most ${mostFavorites} favourites` })
  }
  if (rows.length > 0) {
    const changed: FavoriteEvent = { kind: 'favorite.changed', accountId, fId: row.id, fType: row.f_type }
    context.event(changed)
  }
  return { fId: row.id }
}

/** The call handlers of favourites. */
export function favoriteHandlers(marks: Marks) {
  const one = async (context: WriteContext, item: ItemRef, isOn: boolean) => {
    await setFavorite(context, item, isOn)
    return {}
  }
  return implement(features.favorites.calls, {
    fileFavoriteAdd: (context, { fileId }) => one(context, { fType: 1, fId: fileId }, true),
    fileFavoriteDel: (context, { fileId }) => one(context, { fType: 1, fId: fileId }, false),
    folderFavoriteAdd: (context, { folderId }) => one(context, { fType: 2, fId: folderId }, true),
    folderFavoriteDel: (context, { folderId }) => one(context, { fType: 2, fId: folderId }, false),
    setFavorites: (context, { favorite }, item) => setFavorite(context, item, favorite),

    async getFavoriteList(context, { from, rows: most, keyword }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ item_id: number; created_at: number }>`
        select f.item_id, f.created_at from favorite f join item i on i.id = f.item_id
        where ${sql.join([sql`f.account_id = ${actor.accountId}`, ...nameMatches(keyword)], sql` and `)}
        order by i.f_type desc, f.created_at desc, f.item_id desc limit ${mostFavorites}`.execute(db)
      const found = await accessToMany(
        db,
        actor,
        rows.map(({ item_id }) => item_id),
        now,
      )
      const there = rows.flatMap(({ item_id, created_at }) => {
        const access = found.get(item_id)
        if (access === undefined || denial(gates.see, access.facts) !== undefined) return []
        return [{ access, favoriteTime: created_at }]
      })
      const page = there.slice(from, from + most)
      const records = await marks.on(
        actor,
        page.map(({ access }) => recordOf(access, actor)),
      )
      return {
        list: records.map((record, n) => ({ ...record, favoriteTime: page[n]?.favoriteTime ?? 0 })),
        total: there.length,
      }
    },
  })
}
