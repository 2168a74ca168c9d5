// Who edits a file together with others, as its record names them ([R109]): in the page, or on an office server.
import { ItemStatusBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { RecordFields } from '../../drive/tree/index.ts'
import { coeditLock, hasJoined } from '../wopi/index.ts'

interface Editor {
  readonly userId: number
  readonly name: string
}

/** Those who may write and are present; readers are not editors. */
export const editorsOfItems: RecordFields = async (db, _actor, records, now) => {
  const shared = records.filter(({ itemStatus }) => (itemStatus & ItemStatusBit.editMulti) !== 0)
  if (shared.length === 0) return new Map()
  const { rows } = await sql<{ item_id: number; editors: Editor[] }>`
    select n.item_id, json_agg(json_build_object('userId', a.id, 'name', a.name) order by a.id) as editors
    from (
      select m.item_id, m.account_id from together_member m join shared_edit s on s.item_id = m.item_id
      where s.lock_id = ${coeditLock} and m.can_write and m.seen_at > ${now - limits.togetherGoneMs}
      union
      select e.item_id, e.account_id from shared_editor e join shared_edit s on s.item_id = e.item_id
      where s.lock_id <> ${coeditLock} and ${hasJoined}
    ) n join account a on a.id = n.account_id
    where n.item_id = any(${shared.map(({ fId }) => fId)}::bigint[])
    group by n.item_id`.execute(db)
  return new Map(
    rows.map(({ item_id, editors }) => [
      item_id,
      { editorList: editors, editorNames: editors.map(({ name }) => name).join(', ') },
    ]),
  )
}
