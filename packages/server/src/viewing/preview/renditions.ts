// What was made of contents, and room for more.
import type { CodeName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Content } from '../../core/blobs/contents.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { readersVersion } from '../../documents/index.ts'
import type { Form } from './tables.ts'

/** How often it is written down that something is used: what goes first is a matter of days. */
const usedEveryMs = 6 * 60 * 60_000
const dropBatch = 100
/** Longer than anything is made: who has begun to read pages is not cut off when the whole is there. */
const pagesRetentionMs = 15 * 60_000

export interface StoredRendition {
  readonly blobId: number
  readonly kind: string
  readonly content: Content | undefined
  readonly problem: CodeName | null
  /** Pages, made by LibreOffice. */
  readonly byOffice: boolean
  /** Of a small picture: how many pages there are, and how long it lasts; 0 where that is not known. */
  readonly pages: number
  readonly lengthMs: number
}

/** What there is of some contents, by this build's readers. */
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
 * Whether a file may bring the small picture of a film: there is none, and it is the one that the content came with first.
 * A content is one wherever it lies, so whoever has a copy would give a picture to files of others.
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

/** Keeps the small picture of a film; false where another one was first. */
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

/** Some pages of a rendition, while the rest of them is being made. */
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

/** How many pages of a rendition there are, from the first on. */
export async function countPages(db: Db, { blobId, kind }: Of): Promise<number> {
  const { rows } = await sql<{ first: number; pages: number }>`
    select first, pages from rendition_pages
    where blob_id = ${blobId} and kind = ${kind} and readers = ${readersVersion} order by first`.execute(db)
  return rows.reduce((count, { first, pages }) => (first === count + 1 ? count + pages : count), 0)
}

/** The pages of a rendition that begin with one. */
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

/** Lets go of pages for which a whole has long been made, or never will be. */
export async function dropPages(db: Db, now: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from rendition_pages where made_at < ${now - pagesRetentionMs}`.execute(db)
  return Number(numAffectedRows)
}

/** Notes that something made is looked at, now and then. */
export async function recordUse(db: Db, form: Form, blobIds: readonly number[], now: number): Promise<void> {
  if (blobIds.length === 0) return
  await sql`
    update rendition set used_at = ${now}
    where blob_id = any(${blobIds}) and form = ${form} and used_at < ${now - usedEveryMs}`.execute(db)
}

/** Lets go of what was not looked at for longest, as far as there is more than may be kept; answers how many. */
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
