/*
 * Indexes names asynchronously. `search_queue` lists the items whose name, location or content changed. One process at
 * a time writes them as rows of `search_item`, numbered in the order of their changes. Numbers are never changed: an
 * item that changes again gets a new row. `search_rebuild` lists the items that an operator has indexed again: they come
 * after what changed, and are found by their old rows until then.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { backfillDone, runBackfill } from './backfill.ts'
import { documentRows, sizeRows, writeDocuments } from './documents.ts'
import { fitSigns, signsOf, wordSigns } from './index-signs.ts'

/** Number of queue entries per batch. */
export const nameBatch = 1000

interface IndexedItem {
  readonly id: number
  readonly library_id: number
  readonly parent_id: number | null
  readonly f_type: 1 | 2
  readonly modified_at: number
  readonly text: string
}

/** The stamp of the backfill of signs. */
const signedStamp = 'search signs'

interface Numbered extends Omit<IndexedItem, 'modified_at'> {
  readonly number: number
}

const rowSigns = ({ id, library_id, parent_id, f_type, text, number }: Numbered): number[] => {
  const place = { id, libraryId: library_id, parentId: parent_id, isFolder: f_type === 2, number }
  return signsOf(new Set([...wordSigns(text), ...fitSigns(text)]), place)
}

/** Indexes one batch of the queue. Returns the number of entries processed. */
export async function indexNames(db: Db, now = Date.now()): Promise<number> {
  const { rows: waiting } = await sql`
    (select from search_queue limit 1) union all (select from search_rebuild limit 1)`.execute(db)
  if (waiting.length === 0)
    return (await signRows(db)) || (await documentRows(db, now)) || (await sizeRows(db)) ? nameBatch : 0
  const indexed = await indexBatch(db, now)
  // Flushes the GIN pending list, which every search would otherwise scan linearly.
  if (indexed < nameBatch) await sql`select gin_clean_pending_list('search_item_words')`.execute(db)
  return indexed
}

function indexBatch(db: Db, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Rows and queue are changed in one transaction, so a batch lost in a crash is just repeated.
    await sql`set local synchronous_commit = off`.execute(tx)
    const { rows: stamps } = await sql<{ value: number }>`
      select value from stamp where name = 'search' for update`.execute(tx)
    const last = stamps[0]?.value ?? 0
    const changed = await takeNames(tx, 'search_queue', nameBatch)
    const queued = [...changed, ...(await takeNames(tx, 'search_rebuild', nameBatch - changed.length))]
    const ids = [...new Set(queued)]
    const { rows: items } = await sql<IndexedItem>`
      select id, library_id, parent_id, f_type, modified_at, search_text as text from item
      where id = any(${ids}) order by modified_at, id`.execute(tx)
    const rows = items.map((item, n) => {
      const { id, library_id, parent_id, modified_at, text } = item
      const number = last + 1 + n
      return { item_id: id, number, library_id, parent_id, modified_at, text, signs: rowSigns({ ...item, number }) }
    })
    await sql`delete from search_item where item_id = any(${ids})`.execute(tx)
    await sql`
      insert into search_item (item_id, number, library_id, parent_id, modified_at, text, signs)
      select item_id, number, library_id, parent_id, modified_at, text, signs
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (item_id bigint, number bigint, library_id bigint, parent_id bigint, modified_at bigint, text text, signs int[])
      order by number`.execute(tx)
    await sql`delete from search_document where item_id = any(${ids})`.execute(tx)
    await writeDocuments(
      tx,
      now,
      items.map((item, n) => ({ ...item, number: last + 1 + n })),
    )
    await sql`update stamp set value = ${last + rows.length} where name = 'search'`.execute(tx)
    return queued.length
  })
}

/** Takes the first items from a queue. */
async function takeNames(tx: Tx, queue: 'search_queue' | 'search_rebuild', most: number): Promise<number[]> {
  if (most === 0) return []
  const { rows } = await sql<{ item_id: number }>`
    delete from ${sql.table(queue)} where ctid = any(array(select ctid from ${sql.table(queue)} limit ${most}))
    returning item_id`.execute(tx)
  return rows.map((row) => row.item_id)
}

/**
 * Backfills signs that were added to the index later. Until it is complete, searches do not rank hits by match quality.
 */
function signRows(db: Db): Promise<boolean> {
  return runBackfill(db, signedStamp, async (tx, above) => {
    const { rows } = await sql<Numbered>`
      select s.item_id as id, s.number, s.library_id, s.parent_id, coalesce(i.f_type, 1) as f_type, s.text
      from (select * from search_item where number > ${above} order by number limit ${nameBatch}) s
      left join item i on i.id = s.item_id order by s.number`.execute(tx)
    await sql`
      update search_item s set signs = r.signs
      from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ item_id: row.id, signs: rowSigns(row) })))}::jsonb)
        as r (item_id bigint, signs int[])
      where s.item_id = r.item_id`.execute(tx)
    return rows.at(-1)?.number
  })
}

/** The newest number of the index, and whether all rows have all signs. */
export async function indexedSoFar(db: Db): Promise<{ readonly newest: number; readonly isSigned: boolean }> {
  const { rows } = await sql<{ name: string; value: number }>`
    select name, value from stamp where name in ('search', ${signedStamp})`.execute(db)
  const valueOf = (wanted: string): number => rows.find(({ name }) => name === wanted)?.value ?? 0
  const newest = valueOf('search')
  return { newest, isSigned: newest === 0 || valueOf(signedStamp) === backfillDone }
}

/** Queues all items to be indexed again. Returns how many, or undefined if they already are. */
export async function requeueNames(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql`select from search_rebuild limit 1`.execute(tx)
  if (rows.length > 0) return undefined
  const { numAffectedRows = 0n } = await sql`
    insert into search_rebuild (item_id) select id from item where not purged order by modified_at, id`.execute(tx)
  return Number(numAffectedRows)
}

/** The number of items that are queued. */
export async function countQueuedNames(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from search_queue)::int + (select count(*) from search_rebuild)::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Indexes everything that is queued. */
export async function indexAllNames(db: Db): Promise<void> {
  while ((await indexNames(db)) > 0);
}
