// Stored renditions of contents, and the removal of old ones.
import type { CodeName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Content } from '../../core/blobs/contents.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { readersVersion } from '../../documents/index.ts'
import type { Form } from './tables.ts'

/** The time of last use is updated at most this often, because eviction works in days. */
const usedEveryMs = 6 * 60 * 60_000
const dropBatch = 100
/**
 * Longer than any conversion takes, so that a reader of the pages is not interrupted when the complete rendition
 * exists.
 */
const pagesRetentionMs = 15 * 60_000

export interface StoredRendition {
  readonly blobId: number
  readonly kind: string
  readonly content: Content | undefined
  readonly problem: CodeName | null
  /** Pages made by LibreOffice. */
  readonly byOffice: boolean
  /** For a thumbnail: the number of pages and the duration of its file; 0 if unknown. */
  readonly pages: number
  readonly lengthMs: number
}

/** The renditions of some contents, made by the current version of the readers. */
export async function findRenditions(
  db: Db,
  form: Form,
  asked: readonly { readonly blobId: number; readonly kind: string }[],
): Promise<StoredRendition[]> {
  const { rows } = await sql<
    Omit<StoredRendition, 'blobId' | 'content'> & { of: number; blobId: number | null } & Omit<Content, 'blobId'>
  >`
    select r.blob_id as of, r.kind, r.problem, r.by_office as "byOffice", r.pages, r.length_ms as "lengthMs", b.id as "blobId", b.key, b.size, b.sha256
    from jsonb_to_recordset(${JSON.stringify(asked)}) as a ("blobId" bigint, kind text)
      cross join lateral (
        select * from rendition where blob_id = a."blobId" and form = ${form} and kind = a.kind and readers = ${readersVersion} offset 0
      ) r left join blob b on b.id = r.made_id`.execute(db)
  return rows.map(({ of, kind, problem, byOffice, pages, lengthMs, blobId, key, size, sha256 }) => ({
    blobId: of,
    kind,
    problem,
    byOffice,
    pages,
    lengthMs,
    content: blobId === null ? undefined : { blobId, key, size, sha256 },
  }))
}

/**
 * Whether a file may supply the thumbnail of its video: there is none yet, and the file is the first one with this
 * content. Equal contents share a thumbnail, so otherwise the owner of a copy could set the thumbnail of other users'
 * files.
 */
export async function lacksFilmPicture(
  db: Db,
  { blobId, fileId }: { blobId: number; fileId: number },
): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select not exists (
        select 1 from rendition
        where blob_id = ${blobId} and form = 'thumbnail' and kind = 'film' and readers = ${readersVersion}
      ) and ${fileId} = (
        select item_id from version where blob_id = ${blobId} order by created_at, item_id limit 1
      ) as lacks`.execute(db)
  return rows[0]?.lacks ?? false
}

/** Stores the thumbnail of a video; false if another one was stored first. */
export async function storeFilmPicture(
  tx: Tx,
  { blobId, madeId, size, lengthMs }: { blobId: number; madeId: number; size: number; lengthMs: number },
  now: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into rendition (blob_id, form, kind, readers, made_id, size, used_at, length_ms)
    values (${blobId}, 'thumbnail', 'film', ${readersVersion}, ${madeId}, ${size}, ${now}, ${lengthMs})
    on conflict (blob_id, form, kind) do update set readers = excluded.readers, made_id = excluded.made_id,
      problem = null, size = excluded.size, used_at = excluded.used_at, length_ms = excluded.length_ms
    where rendition.readers <> excluded.readers`.execute(tx)
  return numAffectedRows > 0n
}

interface Of {
  readonly blobId: number
  readonly kind: string
}

/** Stores some pages of a rendition while the rest is being made. */
export async function storePages(
  tx: Tx,
  { blobId, kind }: Of,
  made: { readonly first: number; readonly pages: number; readonly madeId: number; readonly byOffice: boolean },
  now: number,
): Promise<void> {
  const { first, pages, madeId, byOffice } = made
  await sql`
    insert into rendition_pages (blob_id, kind, first, pages, readers, made_id, by_office, made_at)
    values (${blobId}, ${kind}, ${first}, ${pages}, ${readersVersion}, ${madeId}, ${byOffice}, ${now})
    on conflict (blob_id, kind, first) do update set pages = excluded.pages, readers = excluded.readers,
      made_id = excluded.made_id, by_office = excluded.by_office, made_at = excluded.made_at`.execute(tx)
}

/** The number of consecutive pages of a rendition, starting with the first. */
export async function countPages(db: Db, { blobId, kind }: Of): Promise<number> {
  const { rows } = await sql<{ first: number; pages: number }>`
    select first, pages from rendition_pages
    where blob_id = ${blobId} and kind = ${kind} and readers = ${readersVersion} order by first`.execute(db)
  return rows.reduce((count, { first, pages }) => (first === count + 1 ? count + pages : count), 0)
}

/** The batch of pages of a rendition that starts with the given one. */
export async function findPages(db: Db, { blobId, kind }: Of, first: number): Promise<StoredRendition[]> {
  const { rows } = await sql<{ byOffice: boolean } & Content>`
    select r.by_office as "byOffice", b.id as "blobId", b.key, b.size, b.sha256
    from rendition_pages r join blob b on b.id = r.made_id
    where r.blob_id = ${blobId} and r.kind = ${kind} and r.first = ${first} and r.readers = ${readersVersion}`.execute(
    db,
  )
  return rows.map(({ byOffice, ...content }) => ({
    blobId,
    kind,
    problem: null,
    byOffice,
    pages: 0,
    lengthMs: 0,
    content,
  }))
}

/** Removes pages whose complete rendition has existed for long enough or will never exist. */
export async function dropPages(db: Db, now: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from rendition_pages where made_at < ${now - pagesRetentionMs}`.execute(db)
  return Number(numAffectedRows)
}

/** Records at intervals that a rendition is used. */
export async function recordUse(db: Db, form: Form, blobIds: readonly number[], now: number): Promise<void> {
  if (blobIds.length === 0) return
  await sql`
    update rendition set used_at = ${now}
    where blob_id = any(${blobIds}) and form = ${form} and used_at < ${now - usedEveryMs}`.execute(db)
}

/** Removes the record that a rendition could not be made, so that it is tried again. */
export async function dropFailed(tx: Tx, form: Form, { blobId, kind }: Of): Promise<void> {
  await sql`
    delete from rendition
    where blob_id = ${blobId} and form = ${form} and kind = ${kind} and problem is not null`.execute(tx)
}

/** Removes the least recently used renditions above the maximum total size. Returns their number. */
export async function dropUnused(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ more: number }>`
    select coalesce(sum(size), 0)::bigint - ${most}::bigint as more from rendition`.execute(db)
  const more = rows[0]?.more ?? 0
  if (more <= 0) return 0
  const { numAffectedRows = 0n } = await sql`
    with oldest as (
      select blob_id, form, kind, sum(size) over (order by used_at, blob_id, form, kind) - size as before
      from (select * from rendition order by used_at limit ${dropBatch}) r
    )
    delete from rendition r using oldest o
    where r.blob_id = o.blob_id and r.form = o.form and r.kind = o.kind and o.before < ${more}`.execute(db)
  return Number(numAffectedRows)
}
