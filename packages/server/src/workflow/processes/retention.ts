/*
 * Ended processes are removed after some time, if an administrator wants so: whole, with their course, in chunks. What
 * they archived, and the files that they were about, stay; a file still names its process, and who sees it is told when
 * that was removed, and why. A legal hold on the file, on an archived one, or on somebody
 * who had to do with a process keeps it (ADR 0327).
 */
import { sql } from 'kysely'
import type { Services } from '../../core/services.ts'
import { lockHolds } from '../../drive/holds/index.ts'

const dayMs = 24 * 60 * 60_000
const chunk = 200

/** Removes some of the processes that are due. Returns whether there may be more. */
export async function removeEnded(
  { db, commit, settings }: Pick<Services, 'db' | 'commit' | 'settings'>,
  now: number,
): Promise<boolean> {
  const { setting } = await settings.current()
  const days = setting.process_keep_days
  if (days === 0) return false
  return db.transaction().execute(async (tx) => {
    await lockHolds(tx)
    const { rows } = await sql<{ id: number; item: number | null }>`
      delete from process where id in (
        select p.id from process p
        where p.ended_at <= ${now - days * dayMs}
          and not exists (select 1 from unnest(array[p.item_id] || array(
            select a::bigint from jsonb_array_elements_text(p.archived) a)) f (id) where is_held(f.id))
          and not exists (
            select 1 from process_player y join hold_scope s on s.account_id = y.account_id
              join hold h on h.id = s.hold_id
            where y.process_id = p.id and h.lifted_at is null)
        order by p.ended_at, p.id limit ${chunk} for update skip locked)
      returning id, item_id as item`.execute(tx)
    if (rows.length === 0) return false
    await sql`
      insert into removed_process (process_id, item_id, removed_at, keep_days)
      select r.id, r.item, ${now}, ${days} from jsonb_to_recordset(${JSON.stringify(rows)}) as r (id bigint, item bigint)
        join item i on i.id = r.item`.execute(tx)
    const items = rows.flatMap(({ item }) => item ?? [])
    const detail = { count: rows.length, days }
    await commit(tx, [
      { events: [], changed: [], actor: undefined, now, call: 'endedProcessesRemoved', address: '', items, detail },
    ])
    return rows.length === chunk
  })
}
