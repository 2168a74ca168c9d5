/*
 * Conversion to a rendition: one job per content, form and kind, however many users request it. The result is a
 * separate content referenced by a row. A document that cannot be converted gets a row with the reason, so it is not
 * retried again and again.
 *
 * A conversion has a short time slice. If it does not end within it and another one is waited for, it starts again as a long
 * conversion, a kind of its own, so that long ones never occupy all places. Both kinds are done in a fair order by
 * person (fair-queue.ts).
 */
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { type CodeName, documentKind } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Office } from '../../core/confined/office.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { JobKind, JobStatus, Queue } from '../../core/queue/kind.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Settings } from '../../core/settings.ts'
import {
  afterOthers,
  beforeOthers,
  extractText,
  type How,
  hasPages,
  largestDocument,
  makePages,
  makeRendition,
  previewFirstPage,
  Refused,
  readConcurrency,
  readersVersion,
  readFaces,
  type SomePages,
  type Source,
} from '../../documents/index.ts'
import { contentRow, type PendingContent, persist } from '../../drive/content/index.ts'
import { beginTimeSlice, estimateMs, placeInQueue, recordTime } from './fair-queue.ts'
import type { PieceNotifier } from './piece-notifier.ts'
import { storePages } from './renditions.ts'
import type { Form } from './tables.ts'

/** The first time slice of a conversion. Enough for documents of some pages, with the start of LibreOffice. */
const timeSliceMs = 8000
/** Enough for LibreOffice and the pages after it, and for a thumbnail. */
const [longMs, smallMs] = [15 * 60_000, 4 * 60_000]

/** Progress in thousandths when LibreOffice has made the PDF, before its pages are rendered. */
const officeShare = 300

const Asked = z.strictObject({
  blobId: z.int(),
  form: z.enum(['view', 'thumbnail', 'words', 'pdf', 'pages']),
  /** The extension that determines the reader: that of the first file for which the conversion was requested. */
  ext: z.string(),
  kind: z.string(),
  /** Whoever waits for it (fair-queue.ts). */
  by: z.string().optional(),
  /** Its virtual start in the fair order. */
  start: z.int().optional(),
})
export type Asked = z.output<typeof Asked>

interface Outcome {
  readonly made?: PendingContent
  /** The number of pages, as far as it is known. */
  readonly pages?: number
  readonly byOffice?: boolean
  readonly problem?: CodeName
  /** Its time slice is over, and others wait for its place. */
  readonly goesOn?: boolean
}

/** The job kind of conversions, for the code that enqueues them. */
export const conversion: JobKind<Asked, Outcome> = {
  name: 'conversion',
  input: Asked,
  key: ({ blobId, form, kind }) => `${blobId}-${form}-${kind}-${readersVersion}`,
}
/** What did not end within its time slice while others waited; done beside the short ones. */
export const longConversion: JobKind<Asked, Outcome> = { ...conversion, name: 'long conversion' }
/** A separate job kind, so that opening a document does not wait for the thumbnails of folders that users browse. */
export const smallPicture: JobKind<Asked, Outcome> = { ...conversion, name: 'small picture' }

/** A conversion as it is now: which kind of job does it, and its state. */
export interface CurrentConversion {
  readonly kind: JobKind<Asked, Outcome>
  readonly status: JobStatus<Outcome>
  /** It waits or runs. */
  readonly isOpen: boolean
}

/** Finds a conversion in its first time slice or as a long one. A caller that holds a connection passes it as `by`. */
export async function currentConversion(queue: Queue, key: string, by?: Db): Promise<CurrentConversion | undefined> {
  const [first, long] = [await queue.find(conversion, key, by), await queue.find(longConversion, key, by)]
  const isOpen = (status: typeof first): boolean => status?.state === 'waiting' || status?.state === 'running'
  if (long !== undefined && !isOpen(first) && (isOpen(long) || long.state === 'failed'))
    return { kind: longConversion, status: long, isOpen: isOpen(long) }
  return first && { kind: conversion, status: first, isOpen: isOpen(first) }
}

/** Protects a content from collection until the transaction ends; false if it has already been removed. */
export async function isThere(tx: Tx, blobId: number): Promise<boolean> {
  const { rows } = await sql`select id from blob where id = ${blobId} for key share`.execute(tx)
  return rows.length > 0
}

export function conversionJobs({
  db,
  blobs,
  contents,
  settings,
  office: engine,
  news,
  now: at,
}: {
  readonly db: Db
  readonly blobs: BlobStore
  readonly contents: Contents
  readonly settings: Settings
  readonly office: Office | undefined
  readonly news: PieceNotifier
  readonly now: () => number
}): Job<Asked, Outcome>[] {
  const store = async (made: Buffer): Promise<PendingContent> => persist(await blobs.stage(only(made)))
  const kinds = [conversion, longConversion] as const
  const convert = (sliceMs: number | undefined): Job<Asked, Outcome>['run'] =>
    async function run(context, asked) {
      const { attempt, signal: ended, log } = context
      const { blobId, form, ext, kind, by } = asked
      using slice = sliceMs === undefined ? undefined : beginTimeSlice(db, conversion, sliceMs, at)
      const signal = slice === undefined ? ended : AbortSignal.any([ended, slice.signal])
      const content = await db
        .selectFrom('blob')
        .select(['id as blobId', 'key', 'size', 'sha256'])
        .where('id', '=', blobId)
        .executeTakeFirst()
      // The content was removed meanwhile, and with it every request for it.
      if (content === undefined) return {}
      if (form === 'thumbnail') await afterOthers(signal)
      const making = async (): Promise<Outcome> => {
        const { inner } = await settings.current()
        const office = inner.page_engine ? engine : undefined
        if (form === 'pdf') return { made: await store(await toPdf(contents, content, ext, office, signal)) }
        const pages =
          form === 'view' && hasPages(ext)
            ? await pagesOf(contents, content, ext, office, signal, attempt)
            : form === 'pages' && documentKind(ext) !== 'pdf'
              ? await toPdf(contents, content, ext, office, signal)
              : undefined
        const byOffice = pages !== undefined
        const how = {
          signal,
          progress: (far: number) => context.progress(byOffice ? officeShare + far * (1 - officeShare / 1000) : far),
          mostCells: inner.preview_cells,
        }
        const take = async ({ packed, first, pages: count }: SomePages): Promise<void> => {
          // Pages for printing and comparing are fetched when all are made.
          if (form === 'pages') return
          const kept = await store(packed)
          signal.throwIfAborted()
          await db.transaction().execute(async (tx) => {
            if (!(await isThere(tx, blobId))) return
            const now = at()
            const { id: madeId } = await contentRow(tx, kept, now)
            await storePages(tx, { blobId, kind }, { first, pages: count, madeId, byOffice }, now)
          })
          news.notify({ blobId, kind })
        }
        const made =
          pages === undefined
            ? await read(contents, content, form, ext, how, take)
            : {
                bytes: await makePages(sourceOf(pages), how, take, await facesOf(contents, content, ext, signal)),
                pages: 0,
              }
        return { made: await store(made.bytes), pages: made.pages, byOffice }
      }
      const begun = performance.now()
      try {
        return await (form === 'thumbnail' ? making() : beforeOthers(making))
      } catch (error) {
        if (error instanceof Refused) return { problem: error.code }
        if (slice?.signal.aborted === true && !ended.aborted) return { goesOn: true }
        if (ended.aborted || !(error instanceof ConfinedFailure) || attempt < 2) throw error
        return { problem: error.code === 'time' ? 'conversionTimedOut' : 'conversionFailed' }
      } finally {
        const moreMs = performance.now() - begun - (sliceMs === undefined ? 0 : estimateMs(content.size))
        if (by !== undefined)
          await recordTime(db, kinds, { person: by, moreMs }, at()).catch((error: unknown) =>
            log.warn({ err: error }, 'the time of a conversion could not be recorded'),
          )
      }
    }
  const asShown = job<Asked, Outcome>({
    ...conversion,
    attempts: 2,
    concurrency: readConcurrency,
    timeoutMs: longMs,
    backoffMs: () => 500,
    run: convert(timeSliceMs),
    async commit({ tx, now }, asked, { made, problem, goesOn = false, pages = 0, byOffice = false }) {
      const { blobId, form, kind, by } = asked
      if (goesOn) {
        const { leadMs = 0, start } = by === undefined ? {} : await placeInQueue(tx, longConversion, by, 0, now)
        await enqueue({ tx, now }, longConversion, { ...asked, start }, { retryFailed: true, leadMs })
        return
      }
      if (made === undefined && problem === undefined) return
      if (!(await isThere(tx, blobId))) return
      const row = made && (await contentRow(tx, made, now))
      await sql`
        insert into rendition (blob_id, form, kind, readers, made_id, by_office, problem, size, used_at, pages)
        values (${blobId}, ${form}, ${kind}, ${readersVersion}, ${row?.id ?? null}, ${byOffice}, ${problem ?? null}, ${made?.size ?? 0}, ${now}, ${pages})
        on conflict (blob_id, form, kind) do update set readers = excluded.readers, made_id = excluded.made_id, by_office = excluded.by_office,
          problem = excluded.problem, size = excluded.size, used_at = excluded.used_at, pages = excluded.pages`.execute(
        tx,
      )
    },
  })
  return [
    asShown,
    { ...asShown, ...longConversion, concurrency: 1, run: convert(undefined) },
    // The thumbnails requested last are made first, because they are on screen now.
    { ...asShown, ...smallPicture, newestFirst: true, timeoutMs: smallMs, run: convert(undefined) },
  ]
}

/**
 * Converts the document to PDF with LibreOffice; undefined if it does not draw such files or fails. In that case the
 * server's own readers report the reason. If it was killed, the job tries again once.
 */
async function pagesOf(
  contents: Contents,
  content: Content,
  ext: string,
  office: Office | undefined,
  signal: AbortSignal,
  attempt: number,
): Promise<Buffer | undefined> {
  if (office?.draws(ext) !== true || content.size > largestDocument) return undefined
  try {
    return await toPdf(contents, content, ext, office, signal)
  } catch (error) {
    if (error instanceof ConfinedFailure && !(error.isKilled && attempt < 2)) return undefined
    throw error
  }
}

/** The document as PDF. */
async function toPdf(
  contents: Contents,
  content: Content,
  ext: string,
  office: Office | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  if (office === undefined) throw new Refused('conversionUnsupported')
  await using object = await contents.open(content)
  return await office.toPdf({ content: Readable.from(object, { objectMode: false }), ext }, signal)
}

/** The faces that a document names; none if they cannot be read. */
async function facesOf(contents: Contents, content: Content, ext: string, signal: AbortSignal): Promise<string[]> {
  await using object = await contents.open(content)
  const source = { content: Readable.from(object, { objectMode: false }), size: content.size, ext }
  try {
    return await readFaces(source, { signal })
  } catch (error) {
    if (error instanceof Refused || error instanceof ConfinedFailure) return []
    throw error
  }
}

const sourceOf = (pdf: Buffer): Source => ({
  content: Readable.from([pdf], { objectMode: false }),
  size: pdf.length,
  ext: 'pdf',
})

async function read(
  contents: Contents,
  content: Content,
  form: Form,
  ext: string,
  how: How,
  take: Parameters<typeof makePages>[2],
): Promise<{ readonly bytes: Buffer; readonly pages: number }> {
  await using object = await contents.open(content)
  const source = { content: Readable.from(object, { objectMode: false }), size: content.size, ext }
  if (form === 'words')
    return { bytes: gzipSync(JSON.stringify(await extractText(source, { ...how, isWaitedFor: true }))), pages: 0 }
  // Awaited, because the objects opened here are closed when this function returns.
  if (form === 'thumbnail') {
    const { picture, pages } = await previewFirstPage(source, how)
    return { bytes: picture, pages }
  }
  const isPdf = documentKind(ext) === 'pdf'
  return { bytes: await (isPdf ? makePages(source, how, take) : makeRendition(source, how)), pages: 0 }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
