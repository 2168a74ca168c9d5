// The external link of an item, as its record names it ([R109]): the newest one that the caller may manage.
import { ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { RecordFields } from '../../drive/tree/index.ts'

/** The id of a link is of use only to its creator and to whoever manages the item; nobody else is told it. */
export const linksOfItems: RecordFields = async (db, actor, records) => {
  const linked = records.filter(({ externalNum }) => externalNum > 0)
  if (linked.length === 0 || actor.isGuest) return new Map()
  const managed = linked.filter(({ itemStatus }) => (itemStatus & ItemStatusBit.documentManager) !== 0)
  const { rows } = await sql<{ item_id: number; id: number }>`
    select distinct on (item_id) item_id, id from external_link
    where item_id = any(${linked.map(({ fId }) => fId)}::bigint[]) and shown
      and (account_id = ${actor.accountId} or item_id = any(${managed.map(({ fId }) => fId)}::bigint[]))
    order by item_id, id desc`.execute(db)
  return new Map(rows.map(({ item_id, id }) => [item_id, { externalId: id }]))
}
