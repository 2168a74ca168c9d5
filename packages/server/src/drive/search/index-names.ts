/*
 * The index of names runs behind the changes: `search_queue` names the items whose name, place or content changed, and one
 * process at a time turns them into rows of `search_item`, numbered in the order of their changes. A number is never
 * changed: an item that changes again gets a new row.
 */
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { signsOf, wordSigns } from './words.ts'

/** So many entries of the queue are one batch. */
export const namesAtOnce = 1000

interface IndexedItem {
  readonly id: number
  readonly library_id: number
  readonly parent_id: number | null
  readonly f_type: 1 | 2
  readonly modified_at: number
  readonly text: string
}

/** Indexes one batch of the queue; answers how many entries it took. */
export async function indexNames(db: Db): Promise<number> {
  const { rows: waiting } = await sql`select 1 from search_queue limit 1`.execute(db)
  if (waiting.length === 0) return 0
  const indexed = await indexBatch(db)
  // What PostgreSQL has put off of it, every search would read in a row.
  if (indexed < namesAtOnce) await sql`select gin_clean_pending_list('search_item_words')`.execute(db)
  return indexed
}

function indexBatch(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Rows and queue go together, so a batch that a crash takes back is only done again.
    await sql`set local synchronous_commit = off`.execute(tx)
    const { rows: stamps } = await sql<{ value: number }>`
      select value from stamp where name = 'search' for update`.execute(tx)
    const last = stamps[0]?.value ?? 0
    const { rows: queued } = await sql<{ item_id: number }>`
      delete from search_queue where ctid = any(array(select ctid from search_queue limit ${namesAtOnce}))
      returning item_id`.execute(tx)
    const ids = [...new Set(queued.map((row) => row.item_id))]
    const { rows: items } = await sql<IndexedItem>`
      select id, library_id, parent_id, f_type, modified_at, search_text as text from item
      where id = any(${ids}) order by modified_at, id`.execute(tx)
    const rows = items.map(({ id, library_id, parent_id, f_type, modified_at, text }, n) => {
      const number = last + 1 + n
      const place = { id, libraryId: library_id, parentId: parent_id, isFolder: f_type === 2, number }
      return { item_id: id, number, library_id, parent_id, modified_at, text, signs: signsOf(wordSigns(text), place) }
    })
    await sql`delete from search_item where item_id = any(${ids})`.execute(tx)
    await sql`
      insert into search_item (item_id, number, library_id, parent_id, modified_at, text, signs)
      select item_id, number, library_id, parent_id, modified_at, text, signs
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (item_id bigint, number bigint, library_id bigint, parent_id bigint, modified_at bigint, text text, signs int[])
      order by number`.execute(tx)
    await sql`update stamp set value = ${last + rows.length} where name = 'search'`.execute(tx)
    return queued.length
  })
}

/** Indexes all that is queued. */
export async function indexAllNames(db: Db): Promise<void> {
  while ((await indexNames(db)) > 0);
}
