/*
 * The search index of items: one row per item, written with the row of the index of names, in the same order and with
 * the same number. Its signs (hashed index terms, see words.ts) are those of the name in all its readings, of the
 * content once its text is extracted, and of location, type, month and size. Signs only preselect; the name and the
 * content decide whether an item matches.
 */
import { docTypeOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { folded } from '../../core/folding.ts'
import { isBackfilled, runBackfill } from './backfill.ts'
import { mayAskForMore, requestText } from './content-text.ts'
import { grams } from './folding.ts'
import { monthSign, signsOf, sizeSigns, typeSign, wordSigns } from './index-signs.ts'

/** The stamps of the two backfills: rows, and signs of sizes. */
const documentsStamp = 'search documents'
const sizesStamp = 'search sizes'
const rowBatch = 500

/** An item with its index number. */
export interface NumberedItem {
  readonly id: number
  readonly number: number
  readonly library_id: number
  readonly parent_id: number | null
  readonly f_type: 1 | 2
  readonly modified_at: number
  readonly text: string
}

/** The number of months since the year 0, in UTC. */
export function monthOf(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The signs of an item besides those of its content. */
export function documentSigns(
  item: NumberedItem & { readonly ext: string; readonly size: number },
  name: string,
): number[] {
  const { id, number, library_id: libraryId, parent_id: parentId, f_type: fType, ext, size, modified_at: at } = item
  const isFolder = fType === 2
  const words = new Set([
    ...wordSigns(name),
    ...grams(name),
    typeSign(docTypeOf({ fType, ext })),
    monthSign(monthOf(at)),
    ...(isFolder ? [] : sizeSigns(size)),
  ])
  return signsOf(words, { id, libraryId, parentId, isFolder, number })
}

/** Writes the missing rows of items and enqueues the extraction of their text. The caller holds the search stamp. */
export async function writeDocuments(tx: Tx, now: number, items: readonly NumberedItem[]): Promise<void> {
  const ids = items.map(({ id }) => id)
  if (ids.length === 0) return
  const { rows: held } = await sql<{
    id: number
    ext: string
    size: number
    blob_id: number | null
    text: string | null
  }>`
    select i.id, i.ext, i.size, v.blob_id, c.text from unnest(${ids}::bigint[]) w (id)
      cross join lateral (select id, ext, size, version, f_type from item where id = w.id offset 0) i
      left join lateral (
        select blob_id from version where item_id = i.id and number = i.version and i.f_type = 1 offset 0) v on true
      left join lateral (select text from content_text where blob_id = v.blob_id offset 0) c on true`.execute(tx)
  const byId = new Map(held.map((row) => [row.id, row]))
  const rows = items.map((item) => {
    const { ext = '', size = 0, blob_id = null, text } = byId.get(item.id) ?? {}
    const name = folded(item.text)
    const signs = new Set(documentSigns({ ...item, ext, size }, name))
    for (const sign of text ? grams(text) : []) signs.add(sign)
    const raw = name === item.text ? null : item.text
    return { item_id: item.id, number: item.number, blob_id, name, raw, signs: [...signs] }
  })
  await sql`
    insert into search_document (item_id, number, blob_id, name, raw, signs)
    select item_id, number, blob_id, name, raw, signs from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (item_id bigint, number bigint, blob_id bigint, name text, raw text, signs int[])
    order by number`.execute(tx)
  await requestText(tx, now, ids)
}

/** Backfills rows of items that existed before this index. Returns whether there may be more. */
export async function documentRows(db: Db, now: number): Promise<boolean> {
  if (!(await mayAskForMore(db))) return false
  return runBackfill(db, documentsStamp, async (tx, above) => {
    const { rows } = await sql<NumberedItem>`
      select s.item_id as id, s.number, s.library_id, s.parent_id, i.f_type, s.modified_at, s.text
      from (select * from search_item where number > ${above} order by number limit ${rowBatch}) s
        join item i on i.id = s.item_id
      where not exists (select 1 from search_document d where d.item_id = s.item_id) order by s.number`.execute(tx)
    const { rows: last } = await sql<{ number: number | null }>`
      select max(number) as number from (
        select number from search_item where number > ${above} order by number limit ${rowBatch}) s`.execute(tx)
    await writeDocuments(tx, now, rows)
    return last[0]?.number ?? undefined
  })
}

/** Backfills the signs of sizes. Returns whether there may be more. */
export async function sizeRows(db: Db): Promise<boolean> {
  return runBackfill(db, sizesStamp, async (tx, above) => {
    const { rows } = await sql<{ item_id: number; number: number; size: number | null }>`
      select d.item_id, d.number, i.size
      from (select item_id, number from search_document where number > ${above} order by number limit ${rowBatch}) d
        left join lateral (select size from item where id = d.item_id and f_type = 1 offset 0) i on true
      order by d.number`.execute(tx)
    const sized = rows.flatMap(({ item_id, size }) => (size === null ? [] : [{ item_id, signs: sizeSigns(size) }]))
    await sql`
      update search_document s set signs = s.signs || r.signs
      from jsonb_to_recordset(${JSON.stringify(sized)}::jsonb) as r (item_id bigint, signs int[])
      where s.item_id = r.item_id and not s.signs @> r.signs`.execute(tx)
    return rows.at(-1)?.number
  })
}

/** Whether every row has the index token of its size class, by which a search by size finds it. */
export const areSized = (db: Db): Promise<boolean> => isBackfilled(db, sizesStamp)
