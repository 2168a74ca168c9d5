/*
 * OCR: text in pictures and on scanned pages, if the company has enabled it (docs/adr/0134). A separate job with lower
 * priority than text extraction: OCR takes long, and no document should wait for it.
 */
import { Readable } from 'node:stream'
import { docTypeOf, documentKind, extNameOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Job, job, type Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { drawScans, largestDocument, Refused, readersVersion, type TextSection } from '../../documents/index.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { cut, fewLetters, mostLetters, storeText, textListeners } from './content-text.ts'

const Asked = z.strictObject({ blobId: z.int(), ext: z.string() })
type Asked = z.output<typeof Asked>

/** The OCR result of one content; undefined if it is no longer needed. */
type Drawn = readonly TextSection[] | string | undefined

const scanText: JobKind<Asked, Drawn> = {
  name: 'words of scans',
  input: Asked,
  key: ({ blobId, ext }) => `${blobId}-${documentKind(ext) ?? ''}-${readersVersion}`,
}

/** Maximum number of waiting jobs for existing content, so that new content does not wait long behind them. */
const mostBehind = 50
const itemBatch = 500
const backfillStamp = 'scans'

const isPicture = (ext: string): boolean =>
  documentKind(ext) === 'picture' && docTypeOf({ fType: 1, ext }) === 'image' && ext.toLowerCase() !== 'svg'

export interface Scans {
  /** Whether OCR is enabled. */
  isOn(reader?: Db): Promise<boolean>
  /** Enqueues OCR of the pictures among the items, unless the result exists. */
  askOf(tx: Tx, now: number, itemIds: readonly number[]): Promise<void>
  /** Enqueues OCR of a document's pages. */
  askFor(write: Write, asked: Asked): Promise<void>
}

export function createScans({ settings, ocr }: Pick<Services, 'settings' | 'ocr'>): Scans {
  const isOn = async (reader?: Db): Promise<boolean> =>
    ocr !== undefined && (await settings.current(reader)).inner.search_ocr
  return {
    isOn,
    async askOf(tx, now, itemIds) {
      if (itemIds.length > 0 && (await isOn(tx))) await ask(tx, now, itemIds, isPicture)
    },
    async askFor(write, asked) {
      if (await isOn(write.tx)) await enqueueAll(write, scanText, [asked])
    },
  }
}

async function ask(tx: Tx, now: number, itemIds: readonly number[], wants: (ext: string) => boolean): Promise<void> {
  const { rows } = await sql<{ blob_id: number; name: string; size: number; isRead: boolean }>`
    select v.blob_id, i.name, v.size, coalesce(c.kind = 'picture' and c.readers = ${readersVersion}, false) as "isRead"
    from (select distinct unnest(${[...itemIds]}::bigint[]) as id) w
      cross join lateral (
        select id, name, version from item
        where id = w.id and f_type = 1 and link_to is null and deleted_at is null offset 0) i
      cross join lateral (select blob_id, size from version where item_id = i.id and number = i.version offset 0) v
      left join lateral (select kind, readers from content_text where blob_id = v.blob_id offset 0) c on true`.execute(
    tx,
  )
  const wanted = rows.flatMap(({ blob_id: blobId, name, size, isRead }) => {
    const ext = extNameOf(name)
    return isRead || size === 0 || size > largestDocument || !wants(ext) ? [] : [{ blobId, ext }]
  })
  if (wanted.length > 0) await enqueueAll({ tx, now }, scanText, wanted)
}

/** The number of waiting contents, counted up to a thousand. */
export async function scansWaiting(db: Db, most = 1000): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 from job where kind = ${scanText.name} and due is not null limit ${most}) j`.execute(db)
  return rows[0]?.n ?? 0
}

/** Enqueues some of the content stored before OCR was enabled; true if there is more. */
export async function backfillScans(db: Db, now: number, isOn: boolean): Promise<boolean> {
  if (!isOn) {
    await sql`delete from stamp where name = ${backfillStamp}`.execute(db)
    return false
  }
  if ((await scansWaiting(db, mostBehind)) >= mostBehind) return false
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from item where f_type = 1 and id > coalesce((select value from stamp where name = ${backfillStamp}), 0)
      order by id limit ${itemBatch}`.execute(tx)
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return false
    await ask(tx, now, ids, (ext) => isPicture(ext) || documentKind(ext) === 'pdf')
    await sql`
      insert into stamp (name, value) values (${backfillStamp}, ${last})
      on conflict (name) do update set value = excluded.value`.execute(tx)
    return ids.length === itemBatch
  })
}

/** The OCR job. */
export function scanTextJob(services: Services, scans: Scans): Job<Asked, Drawn> {
  const { db, ocr } = services
  const contents = createCheckedContents(services)
  return job<Asked, Drawn>({
    ...scanText,
    attempts: 2,
    concurrency: 1,
    timeoutMs: 20 * 60_000,
    backoffMs: () => 1000,
    async run(context, { blobId, ext }) {
      const { attempt, signal } = context
      if (ocr === undefined || !(await scans.isOn())) return undefined
      const content = await db
        .selectFrom('blob')
        .select(['id as blobId', 'key', 'size', 'sha256'])
        .where('id', '=', blobId)
        .executeTakeFirst()
      if (content === undefined) return undefined
      try {
        await using object = await contents.open(content)
        const body = Readable.from(object, { objectMode: false })
        const pages = await drawScans({ content: body, size: content.size, ext }, fewLetters, { signal })
        const sections: TextSection[] = []
        for (const [n, { page, picture }] of pages.entries()) {
          const text = await ocr.textOf(picture, signal)
          sections.push(page === 0 ? { kind: 'whole', name: '', text } : { kind: 'page', name: String(page), text })
          context.progress(((n + 1) / pages.length) * 1000)
        }
        return cut(sections)
      } catch (error) {
        if (error instanceof Refused) return error.code
        if (signal.aborted || !(error instanceof ConfinedFailure) || attempt < 2) throw error
        return error.code
      }
    },
    async commit(write, { blobId, ext }, drawn) {
      const { tx } = write
      if (drawn === undefined) return
      const kind = documentKind(ext) ?? ''
      const told = async (): Promise<void> => {
        for (const { textStored } of services.contributed(textListeners)) await textStored(write, blobId, kind)
      }
      if (kind === 'picture') {
        await storeText(tx, blobId, kind, drawn)
        return told()
      }
      // If OCR of a document fails, its own text remains.
      if (typeof drawn === 'string' || drawn.length === 0) return
      const { rows } = await sql<{ sections: TextSection[] }>`
        select sections from content_text where blob_id = ${blobId} and kind = ${kind} for update`.execute(tx)
      const own = rows[0]?.sections
      if (own === undefined) return
      await storeText(tx, blobId, kind, mergePages(own, drawn))
      await told()
    },
  })
}

/**
 * The pages of a document in order, with OCR text for the pages that were read by OCR, cut to the searchable length.
 */
function mergePages(own: readonly TextSection[], drawn: readonly TextSection[]): TextSection[] {
  const seen = new Set(drawn.map(({ name }) => name))
  let letters = 0
  return [...own.filter(({ name }) => !seen.has(name)), ...drawn]
    .toSorted((a, b) => Number(a.name) - Number(b.name))
    .filter(({ text }) => {
      letters += text.length
      return letters <= mostLetters
    })
}
