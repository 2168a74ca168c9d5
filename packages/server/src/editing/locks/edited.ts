// Files being edited now, for administrators ([R182]): exclusively, co-edited in the page, or on an office server.
import type { Answer, features } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { coeditLock } from '../wopi/index.ts'

type Edited = Answer<typeof features.locks.calls.getEditedFiles>

/** A page of these files, the most recently started first. */
export async function editedFiles(db: Db, now: number, from: number, rows: number): Promise<Edited> {
  const found = await sql<Edited['list'][number] & { total: number }>`
    with edited as (
      select id as item_id, 'alone' as way, editing_since as since, editor_until as until
      from item where editor_id is not null
      union all
      select item_id, case lock_id when ${coeditLock} then 'together' else 'office' end, since, until
      from shared_edit where until > ${now}
    )
    select i.id as "fileId", i.name as "fName", r.name as "libraryName", e.way, e.since, e.until,
      count(*) over ()::int as total,
      coalesce(case e.way
        when 'alone' then (select json_agg(a.name) from account a where a.id = i.editor_id)
        when 'together' then (select json_agg(distinct a.name) from together_member m
          join account a on a.id = m.account_id where m.item_id = i.id and m.seen_at > ${now - limits.togetherGoneMs})
        else (select json_agg(distinct a.name) from shared_editor s
          join account a on a.id = s.account_id where s.item_id = i.id and s.until > ${now})
      end, '[]'::json) as editors
    from edited e join item i on i.id = e.item_id
    join item r on r.library_id = i.library_id and r.parent_id is null
    where i.deleted_at is null order by e.since desc, i.id offset ${from} limit ${rows}`.execute(db)
  return {
    list: found.rows.map(({ total: _, ...one }) => one),
    total: found.rows[0]?.total ?? 0,
  }
}
