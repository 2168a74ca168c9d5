// Files as they are displayed: the form for each caller, the renditions that are asked for, their progress.
import { features, formatsOf, type InstallationSetting } from '@cloudoc/contract'
import {
  type CodeName,
  type DocumentKind,
  denial,
  documentKind,
  extNameOf,
  fail,
  gates,
  mediaExts,
  pictureKind,
  ResultError,
  viewerOf,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Queue } from '../../core/queue/kind.ts'
import { enqueue, enqueueAll } from '../../core/queue/rows.ts'
import { largestDocument } from '../../documents/index.ts'
import { type StoredVersion, type StoredVersions, servable, storedVersions } from '../../drive/content/index.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import {
  type Chosen,
  type Asked as MarkAsked,
  markedContent,
  placeOf,
  readChoice,
  withTrace,
} from '../../drive/watermarks/index.ts'
import { conversion, currentConversion, longConversion, smallPicture } from './convert.ts'
import { estimateMs, personOf, placeInQueue } from './fair-queue.ts'
import { countPages, findPages, findRenditions, recordUse } from './renditions.ts'
import type { Form } from './tables.ts'

/** Maximum number of waiting conversions; above that new ones are refused (-204). */
const mostWaiting = 5000
/** Maximum size in bytes of images displayed in their original form to users who may download them. */
const largestPicture = 20 * 1024 * 1024
const media = new Set(mediaExts)
const browserPictures = new Set('png jpg jpeg gif webp svg bmp ico avif'.split(' '))

export const file = (fId: number) => ({ fType: 1, fId }) as const
/** File names of the responses, which determine their content types. */
export const names = {
  view: 'rendition.bin',
  thumbnail: 'thumbnail.webp',
  words: 'words.bin',
  pages: 'pages.bin',
} as const

/**
 * Whether a content is displayed in its original form: formats that browsers display themselves, for users who may
 * download the file, and for which no rendition is made.
 */
function isServedAsStored(ext: string, kind: DocumentKind | undefined, size: number, mayDownload: boolean): boolean {
  if (!mayDownload) return false
  if (media.has(ext)) return true
  return kind === 'text' || kind === 'pdf' || (browserPictures.has(ext) && size <= largestPicture)
}

export interface PreviewedFile {
  readonly access: Access
  readonly fileId: number
  readonly version: number
  readonly content: StoredVersion
  readonly ext: string
  readonly name: string
  readonly kind: DocumentKind | undefined
  readonly asStored: boolean
  /** The caller may get the original bytes. */
  readonly mayDownload: boolean
}

/** What to send: the complete rendition, or some pages from a given one on while the rest is being made. */
interface Wanted {
  readonly form: Exclude<Form, 'pdf'>
  readonly from: number | undefined
  readonly asked?: MarkAsked
}

/** The progress of a conversion. */
export interface Status {
  /** The reason why it cannot be displayed, or `converting`; undefined when it is ready. */
  readonly code: CodeName | undefined
  readonly percent: number
  /** The number of pages that can already be displayed. */
  readonly pages: number
}

export interface ShowingParts {
  readonly contents: Contents
  readonly storedVersion: StoredVersions
  readonly queue: Queue
}

/** Displays files for all viewers: users by their own rights, visitors by the rights of their external link. */
export function createPreviews({ contents, storedVersion, queue }: ShowingParts) {
  /**
   * Inside a transaction its own connection is used. Otherwise all callers could wait for a second connection while
   * each holds one.
   */
  const contentIn = async (context: Context | WriteContext, fileId: number, version: number) => {
    if (!('tx' in context)) return storedVersion(fileId, version)
    const [found] = await storedVersions(context.tx, [{ fileId, version }])
    return found && servable(found)
  }

  return {
    /** Data for displaying a file that has passed the call's gate, of which `access` is what the caller has. */
    async find(
      context: Context,
      fileId: number,
      version?: number,
      mayTake = true,
      access = context.item(file(fileId)),
    ): Promise<PreviewedFile> {
      const number = version ?? access.row.version
      const content = (await contentIn(context, fileId, number)) ?? fail('versionMissing')
      const { name } = access.row
      const ext = extNameOf(name).toLowerCase()
      const kind = documentKind(ext)
      // Decided by the user's own right, even if the request uses a preview ticket.
      const mayDownload = mayTake && denial(gates.download, access.facts) === undefined
      return {
        access,
        fileId,
        version: number,
        content,
        ext,
        name,
        kind,
        mayDownload,
        asStored: isServedAsStored(ext, kind, content.size, mayDownload),
      }
    },

    /** The form in which it is displayed without an office server; undefined if it cannot be displayed. */
    formOf: (context: Context, shown: PreviewedFile): 'original' | 'rendition' | undefined =>
      formOrNone(context, shown) === undefined ? undefined : shown.asStored ? 'original' : 'rendition',

    /** Requests the rendition, unless it exists. */
    ask: (context: WriteContext, shown: PreviewedFile): Promise<void> => askFor(context, queue, 'view', shown),

    /** Requests thumbnails of files that have passed the call's gates, and returns their states. */
    pictures: picturesOf,

    /** The progress of a rendition. */
    async status(db: Db, { content: { blobId }, kind }: PreviewedFile, form: Form = 'view'): Promise<Status> {
      const pages = 0
      if (kind === undefined) return { code: 'conversionUnsupported', percent: 0, pages }
      const [made] = await findRenditions(db, form, [{ blobId, kind }])
      if (made !== undefined) return { code: made.problem ?? undefined, percent: 100, pages }
      const found = (await currentConversion(queue, conversion.key({ blobId, form, kind, ext: '' }), db))?.status
      if (found?.state === 'failed') {
        return { code: found.error?.code === 'timeout' ? 'conversionTimedOut' : 'conversionFailed', percent: 0, pages }
      }
      return {
        code: 'converting',
        percent: Math.min(99, Math.round((found?.progress ?? 0) / 10)),
        pages: form === 'view' ? await countPages(db, { blobId, kind }) : 0,
      }
    },

    /** Sends the stored content. */
    sendStored: (context: Context, shown: PreviewedFile): Promise<void> =>
      sendContent(context, contents, { ...shown.content, name: shown.name }),

    /** The watermark to display over the file, for the caller. */
    watermark: (context: WriteContext, shown: PreviewedFile, asked?: MarkAsked): Promise<Chosen | undefined> =>
      watermarkOver(context, context.tx, shown, asked),

    /** Sends the rendition. For callers without the download right, pages and images contain the watermark ([R163]). */
    async sendMade(context: Context, shown: PreviewedFile, { form, from, asked }: Wanted): Promise<void> {
      const { kind, content } = shown
      const of = { blobId: content.blobId, kind: (form === 'thumbnail' ? pictureKind(shown.ext) : kind) ?? '' }
      const [made] = await (from === undefined || form !== 'view'
        ? findRenditions(context.db, form, [of])
        : findPages(context.db, of, from))
      if (made === undefined) throw new ResultError('converting')
      if (made.content === undefined) throw new ResultError(made.problem ?? 'conversionFailed')
      await recordUse(context.db, form, [content.blobId], context.now)
      const isDrawn = kind === 'pdf' || kind === 'picture' || made.byOffice
      const bears = (form === 'pages' || (form === 'view' && isDrawn)) && !shown.mayDownload
      const chosen = bears ? await watermarkOver(context, context.db, shown, asked) : undefined
      if (chosen !== undefined) {
        const marked = await markedContent(contents, 'rendition', made.content, '', chosen)
        const { modifiedAt } = content
        return sendContent(context, marked.contents, { ...marked.content, name: names[form], modifiedAt })
      }
      return sendContent(context, contents, { ...made.content, name: names[form], modifiedAt: content.modifiedAt })
    },
  }
}

export type Previews = ReturnType<typeof createPreviews>

/** The watermark over a file: the applicable one, and in the secure view always one (X42). */
async function watermarkOver(
  context: Context,
  db: Db,
  shown: PreviewedFile,
  asked?: MarkAsked,
): Promise<Chosen | undefined> {
  const isSecure = !shown.mayDownload && settingsOf(context).setting.security_preview
  const choose = await readChoice(context, asked)
  const isNeeded = isSecure || asked?.person !== undefined
  const chosen = choose(placeOf(shown.access), 'preview', isNeeded)
  return chosen === undefined ? undefined : withTrace(db, context, chosen, shown)
}

/** The settings that apply to the caller. */
export function settingsOf({ actor }: Context): InstallationSetting {
  if (actor === undefined) return fail('notLoggedIn')
  return actor.kind === 'account' ? actor.settings : actor.responsible.settings
}

/**
 * The form in which a file is displayed according to the format lists ([R164], [R165]); undefined if it cannot be
 * displayed.
 */
export function formOrNone(context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' | undefined {
  const { setting, inner } = settingsOf(context)
  const hasOffice = setting.preview === 1 && setting.preview_context !== ''
  const by = viewerOf(shown.ext, formatsOf(inner), hasOffice)
  if (by === undefined) return undefined
  // An office server receives the original bytes, so it is only used for callers who may download them.
  if (by === 'office' && shown.mayDownload) return 'office'
  // There are no renditions of videos and audio, and callers without the download right do not get their bytes
  // ([R164]).
  if (!shown.asStored && shown.kind === undefined) return undefined
  return shown.asStored ? 'original' : 'rendition'
}

export const formOf = (context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' =>
  formOrNone(context, shown) ?? fail('conversionUnsupported')

/**
 * Requests a rendition, unless it exists. `first: false` is for requests that nobody waits for. Who waits for a
 * conversion that another person has requested brings it forward to their own place in the queue.
 */
export async function askFor(
  context: WriteContext,
  queue: Queue,
  form: Form,
  { kind, content, ext }: PreviewedFile,
  { first } = { first: true },
): Promise<void> {
  if (kind === undefined || content.size > largestDocument) return fail('conversionUnsupported')
  const { blobId } = content
  const { tx, actor, now } = context
  if ((await findRenditions(tx, form, [{ blobId, kind }])).length > 0) return
  await checkWaiting(context)
  const asked = { blobId, form, kind, ext }
  const current = await currentConversion(queue, conversion.key(asked), tx)
  const doing = current?.isOpen === true ? current.kind : conversion
  if (!first || actor === undefined) return void (await enqueue(context, doing, asked, { retryFailed: true }))
  const by = personOf(actor)
  const costMs = current?.isOpen === true ? 0 : estimateMs(content.size)
  const { start, leadMs } = await placeInQueue(tx, doing, by, costMs, now)
  await enqueue(context, doing, { ...asked, by, start }, { retryFailed: true, leadMs })
}

async function checkWaiting({ tx }: WriteContext): Promise<void> {
  const kinds = [conversion.name, longConversion.name]
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select 1 from job where kind = any(${kinds}::text[]) and due is not null limit ${mostWaiting}) j`.execute(tx)
  if ((rows[0]?.waiting ?? 0) >= mostWaiting) fail('noConversionLock')
}

interface SmallPicture {
  readonly version: number
  /** The reason why there is none, or none yet. */
  readonly code: CodeName | undefined
  /** Number of pages of the file; 0 if unknown. */
  readonly pages: number
  readonly lengthMs: number
}

/** The thumbnails of files by file id. Missing ones are requested. */
export async function picturesOf(
  context: WriteContext,
  fileIds: readonly number[],
): Promise<Map<number, SmallPicture>> {
  const asked = fileIds.map((fileId) => ({ fileId, version: context.item(file(fileId)).row.version }))
  const stored = await storedVersions(context.tx, asked)
  const { thumbnail } = formatsOf(settingsOf(context).inner)
  const wanted = asked.flatMap(({ fileId, version }, n) => {
    const ext = extNameOf(context.item(file(fileId)).row.name).toLowerCase()
    const kind = pictureKind(ext)
    const content = stored[n]
    if (content === undefined || kind === undefined || !thumbnail.includes(ext) || content.size === 0) return []
    if (kind !== 'film' && content.size > largestDocument) return []
    return [{ fileId, version, kind, ext, blobId: content.blobId }]
  })
  const made = await findRenditions(context.tx, 'thumbnail', wanted)
  const byContent = new Map(made.map((one) => [`${one.blobId} ${one.kind}`, one]))
  const found = wanted.map((one) => ({ ...one, made: byContent.get(`${one.blobId} ${one.kind}`) }))
  const isToBeMade = ({ made: one, kind }: (typeof found)[number]): boolean => one === undefined && kind !== 'film'
  const missing = found.filter(isToBeMade)
  if (missing.length > 0) {
    const jobs = missing.map(({ blobId, kind, ext }) => ({ blobId, form: 'thumbnail' as const, kind, ext }))
    await enqueueAll(context, smallPicture, jobs)
  }
  const codeOf = (one: (typeof found)[number]): CodeName | undefined =>
    isToBeMade(one) ? 'converting' : one.made === undefined ? 'conversionUnsupported' : (one.made.problem ?? undefined)
  return new Map(
    found.map((one) => {
      const { pages = 0, lengthMs = 0 } = one.made ?? {}
      return [one.fileId, { version: one.version, code: codeOf(one), pages, lengthMs }]
    }),
  )
}

export const { previewServlet, renditionServlet } = features.preview.calls

export const urlOf = (
  form: 'original' | 'rendition',
  { fileId, version }: { fileId: number; version: number },
  ticket: string,
): string =>
  `${(form === 'original' ? previewServlet : renditionServlet).path}?fileId=${fileId}&version=${version}&access_token=${ticket}`
