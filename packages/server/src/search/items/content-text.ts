/*
 * The words of contents: one row for each content, whoever has it, made by a job of the queue. Documents are read in
 * confined processes (documents); small plain text is only decoded, which needs none, and has a place of its own in
 * the queue, so that it never waits for documents (ADR 141). A content that cannot be read
 * has a row that says so, and is not tried again until a build brings other readers.
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
import { folded, grams, joinLines, normalised } from './folding.ts'

/** So much of a document is looked through; what stands further behind is not found. */
export const mostLetters = 300_000
/** Plain text of up to so many bytes is decoded where it is. */
const largestDecoded = 1024 * 1024
/** Cells of tables that are looked through. */
const mostCells = 50_000
/** A page with fewer letters is little else than a picture. */
export const fewLetters = 16
/** So many jobs for what was there before may wait, so that what is saved now does not wait long behind them. */
const mostBehind = 200

const Asked = z.strictObject({ blobId: z.int(), ext: z.string() })
type Asked = z.output<typeof Asked>

/** What was read: its words, and whether it has pages that are little else than pictures; or why nothing was. */
type ExtractedText = { readonly sections: readonly TextSection[]; readonly isScan: boolean } | string

/** The words of one content. */
export const contentText: JobKind<Asked, ExtractedText> = {
  name: 'words of contents',
  input: Asked,
  key: ({ blobId, ext }) => `${blobId}-${documentKind(ext) ?? ''}-${readersVersion}`,
}

/** The words of small plain text. */
export const plainText: JobKind<Asked, ExtractedText> = { ...contentText, name: 'words of plain text' }

/** The jobs that read words. */
export const textJobKinds = [contentText.name, plainText.name] as const

/** Whether a content is plain text that is decoded where it is. */
function isDecoded(ext: string, size: number): boolean {
  const kind = documentKind(ext)
  return (kind === 'text' || kind === 'table' || kind === 'markdown') && size <= largestDecoded
}

/** Whether contents of files with an extension are looked through. */
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

/** Asks for the words of what some files hold now, as far as they are not there; answers how many it asked for. */
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

/** Whether few enough jobs wait that more may be asked for of what was there before. */
export async function mayAskForMore(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select 1 from job where kind = any(${[...textJobKinds]}) and due is not null limit ${mostBehind}) j`.execute(db)
  return (rows[0]?.waiting ?? 0) < mostBehind
}

/** What somebody has stored of late; what of it waits is looked for. */
const mostOwn = 200

/** Whether what somebody has stored waits for its words to be read; what others store is not told, not even that it waits. */
export async function ownWaits(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job
    where kind = any(${[...textJobKinds]}) and due is not null and (input->>'blobId')::bigint = any(array(
      select blob_id from version where created_by = ${accountId} order by created_at desc limit ${mostOwn}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** The files that have come in. */
export function filesOf(events: readonly { readonly event: ItemEvent }[]): number[] {
  return events.flatMap(({ event }) => (event.fType === 1 && event.isLink === undefined ? [event.itemId] : []))
}

/** Reads contents: documents, and beside them plain text. */
export function contentTextJobs({
  db,
  contents,
  askForDrawn,
}: {
  readonly db: Db
  readonly contents: Contents
  /** Asks for what is drawn on the pages of a document. */
  readonly askForDrawn: (write: Write, asked: Asked) => Promise<void>
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
        // It has gone meanwhile.
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
  // What is opened here is closed when this ends, so it is waited for.
  return await extractText({ content: body, size: content.size, ext }, { signal, mostCells })
}

/** The sections as they are kept, as far as they are looked through. */
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

/** Writes what was read of a content, with the signs of all items that hold it. */
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
  // Who makes rows of items holds this: either finds what the other has written.
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
