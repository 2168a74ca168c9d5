/*
 * The text of contents: one row per content, whatever files have it, written by a queue job. Documents are parsed in
 * confined processes (documents). Small plain text is only decoded, which needs no confinement, and has its own job
 * kind so that it never waits for documents (ADR 141). An unreadable content gets a row with the reason and is not
 * retried until a build has newer readers.
 */

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { decodeText, docTypeOf, documentKind, extNameOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { ItemEvent } from '../../core/events.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import { folded, joinLines, normalised } from '../../core/folding.ts'
import { type Job, job, type Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import {
  afterOthers,
  extractText,
  hasText,
  largestDocument,
  Refused,
  readConcurrency,
  readersVersion,
  type TextSection,
} from '../../documents/index.ts'
import { grams } from './folding.ts'

/** Maximum number of characters of a document that are searchable; later text is not found. */
export const mostLetters = 300_000
/** Maximum size in bytes of plain text that is decoded in the server process. */
const largestDecoded = 1024 * 1024
/** Maximum number of table cells that are searchable. */
const mostCells = 50_000
/** A page with fewer characters is treated as a scan. */
export const fewLetters = 16
/** Maximum number of waiting jobs for existing content, so that new content does not wait long behind them. */
const mostBehind = 200

const Asked = z.strictObject({ blobId: z.int(), ext: z.string() })
type Asked = z.output<typeof Asked>

/** The extracted text, and whether it has scanned pages; or the reason for the failure. */
type ExtractedText = { readonly sections: readonly TextSection[]; readonly isScan: boolean } | string

/** The job that extracts the text of one content. */
export const contentText: JobKind<Asked, ExtractedText> = {
  name: 'words of contents',
  input: Asked,
  key: ({ blobId, ext }) => `${blobId}-${documentKind(ext) ?? ''}-${readersVersion}`,
}

/** The job that decodes small plain text. */
export const plainText: JobKind<Asked, ExtractedText> = { ...contentText, name: 'words of plain text' }

/** The names of the text extraction jobs. */
export const textJobKinds = [contentText.name, plainText.name] as const

/** Whether a content is plain text that is decoded in the server process. */
function isDecoded(ext: string, size: number): boolean {
  const kind = documentKind(ext)
  return (kind === 'text' || kind === 'table' || kind === 'markdown') && size <= largestDecoded
}

/** Whether the contents of files with this extension are searchable. */
export function isTextSearchable(ext: string): boolean {
  const kind = documentKind(ext)
  return hasText(ext) && kind !== 'archive' && docTypeOf({ fType: 1, ext }) !== 'image'
}

interface Current {
  readonly item_id: number
  readonly blob_id: number
  readonly name: string
  readonly size: number
}

/** Enqueues the extraction of missing text of the files' newest versions. Returns the number of jobs. */
export async function requestText(tx: Tx, now: number, itemIds: readonly number[]): Promise<number> {
  if (itemIds.length === 0) return 0
  const { rows } = await sql<Current & { kind: string | null; readers: number | null; problem: string | null }>`
    select i.id as item_id, v.blob_id, i.name, v.size, c.kind, c.readers, c.problem
    from (select distinct unnest(${[...itemIds]}::bigint[]) as id) w
      cross join lateral (select id, name, version from item where id = w.id and f_type = 1 and link_to is null offset 0) i
      cross join lateral (select blob_id, size from version where item_id = i.id and number = i.version offset 0) v
      left join lateral (
        select kind, readers, problem from content_text where blob_id = v.blob_id offset 0) c on true`.execute(tx)
  const wanted = rows.flatMap(({ blob_id: blobId, name, size, kind, readers, problem }) => {
    const ext = extNameOf(name)
    if (size === 0 || size > largestDocument || !isTextSearchable(ext)) return []
    const isThere = kind !== null && readers === readersVersion && (problem === null || kind === documentKind(ext))
    return isThere ? [] : [{ kind: isDecoded(ext, size) ? plainText : contentText, asked: { blobId, ext } }]
  })
  for (const kind of [plainText, contentText]) {
    const ofKind = wanted.flatMap((one) => (one.kind === kind ? [one.asked] : []))
    if (ofKind.length > 0) await enqueueAll({ tx, now }, kind, ofKind)
  }
  return wanted.length
}

/** Whether few enough jobs wait to enqueue more existing content. */
export async function mayAskForMore(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select 1 from job where kind = any(${[...textJobKinds]}) and due is not null limit ${mostBehind}) j`.execute(db)
  return (rows[0]?.waiting ?? 0) < mostBehind
}

/** Maximum number of the user's most recently stored files that are checked for waiting jobs. */
const mostOwn = 200

/**
 * Whether files stored by the user wait for text extraction. Files of other users are not checked, because even their
 * waiting must not be disclosed.
 */
export async function ownWaits(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job
    where kind = any(${[...textJobKinds]}) and due is not null and (input->>'blobId')::bigint = any(array(
      select blob_id from version where created_by = ${accountId} order by created_at desc limit ${mostOwn}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Adds work to the end of the extraction of a content's text, in its transaction: also after its pages are recognized. */
export interface TextListener {
  readonly textStored: (write: Write, blobId: number, kind: string) => Promise<void>
}

/** The features that go on with a text as soon as it is stored. */
export const textListeners = extensionPoint<TextListener>('stored texts')

/** The ids of files with new content. */
export function filesOf(events: readonly { readonly event: ItemEvent }[]): number[] {
  return events.flatMap(({ event }) => (event.fType === 1 && event.isLink === undefined ? [event.itemId] : []))
}

/** The jobs that extract the text of documents and of plain text. */
export function contentTextJobs({
  db,
  contents,
  askForDrawn,
  listeners,
}: {
  readonly db: Db
  readonly contents: Contents
  /** Requests OCR of a document's pages. */
  readonly askForDrawn: (write: Write, asked: Asked) => Promise<void>
  readonly listeners: () => readonly TextListener[]
}): Job<Asked, ExtractedText>[] {
  const reading = (kind: JobKind<Asked, ExtractedText>, concurrency: number): Job<Asked, ExtractedText> =>
    job<Asked, ExtractedText>({
      ...kind,
      attempts: 2,
      concurrency,
      newestFirst: true,
      timeoutMs: 90_000,
      backoffMs: () => 500,
      async run({ attempt, signal }, { blobId, ext }) {
        const content = await db
          .selectFrom('blob')
          .select(['id as blobId', 'key', 'size', 'sha256'])
          .where('id', '=', blobId)
          .executeTakeFirst()
        // The content was removed meanwhile.
        if (content === undefined) return 'gone'
        await afterOthers(signal)
        try {
          const sections = await sectionsOf(contents, content, ext, signal)
          const isScan = sections.some(({ kind, text }) => kind === 'page' && text.trim().length < fewLetters)
          return { sections: cut(sections), isScan: isScan && documentKind(ext) === 'pdf' }
        } catch (error) {
          if (error instanceof Refused) return error.code
          if (signal.aborted || !(error instanceof ConfinedFailure) || attempt < 2) throw error
          return error.code
        }
      },
      async commit(write, { blobId, ext }, read) {
        await storeText(write.tx, blobId, documentKind(ext) ?? '', typeof read === 'string' ? read : read.sections)
        if (typeof read !== 'string' && read.isScan) await askForDrawn(write, { blobId, ext })
        for (const { textStored } of listeners()) await textStored(write, blobId, documentKind(ext) ?? '')
      },
    })
  return [reading(contentText, readConcurrency), reading(plainText, 1)]
}

async function sectionsOf(
  contents: Contents,
  content: Content,
  ext: string,
  signal: AbortSignal,
): Promise<TextSection[]> {
  await using object = await contents.open(content)
  const body = Readable.from(object, { objectMode: false })
  if (isDecoded(ext, content.size)) {
    const { text } = decodeText(await buffer(body), false)
    return [{ kind: 'whole', name: '', text: documentKind(ext) === 'table' ? text.replace(/[,\t]/g, ' ') : text }]
  }
  // Awaited, because the objects opened here are closed when this function returns.
  return await extractText({ content: body, size: content.size, ext }, { signal, mostCells })
}

/** The sections to store, cut to the searchable length. */
export function cut(sections: readonly TextSection[]): TextSection[] {
  const kept: TextSection[] = []
  let room = mostLetters
  for (const { kind, name, text } of sections) {
    if (room <= 0) break
    const read = normalised(kind === 'page' ? joinLines(text.normalize('NFKC')) : text)
    const shown = read.slice(0, room).replace(/[\ud800-\udbff]$/, '')
    room -= shown.length
    if (shown !== '') kept.push({ kind, name, text: shown.toWellFormed() })
  }
  return kept
}

/** Stores the text of a content, and adds its signs to all items that have the content. */
export async function storeText(
  tx: Tx,
  blobId: number,
  kind: string,
  read: readonly TextSection[] | string,
): Promise<void> {
  const { rows } = await sql`select id from blob where id = ${blobId} for key share`.execute(tx)
  if (rows.length === 0) return
  const sections = typeof read === 'string' ? [] : read
  const text = sections.map((section) => folded(section.text)).join('\n')
  // Also locked by the writer of item rows, so each sees what the other has written.
  await sql`select 1 from stamp where name = 'search' for update`.execute(tx)
  await sql`
    insert into content_text (blob_id, kind, readers, sections, text, problem)
    values (${blobId}, ${kind}, ${readersVersion}, ${JSON.stringify(sections)}::jsonb, ${text},
      ${typeof read === 'string' ? read : null})
    on conflict (blob_id) do update set kind = excluded.kind, readers = excluded.readers, sections = excluded.sections,
      text = excluded.text, problem = excluded.problem`.execute(tx)
  const signs = [...grams(text)]
  if (signs.length === 0) return
  await sql`update search_document set signs = signs || ${signs}::int[] where blob_id = ${blobId}`.execute(tx)
}
