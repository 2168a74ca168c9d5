// Preview of files: which content displays them, which renditions are made, and their progress ([R163]-[R169]).
import {
  features,
  fileOfPreviewKey,
  formatsOf,
  type InstallationSetting,
  keyOfReviewed,
  type PreviewedVersion,
} from '@cloudoc/contract'
import {
  type CodeName,
  closedToLinks,
  codeMessage,
  codes,
  type DocumentKind,
  denial,
  documentKind,
  extNameOf,
  fail,
  gates,
  isOfficeDocument,
  LogBit,
  mediaExts,
  pictureKind,
  ResultError,
  splitName,
  viewerOf,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Queue } from '../../core/queue/kind.ts'
import { enqueue, enqueueAll } from '../../core/queue/rows.ts'
import { hasText, largestDocument } from '../../documents/index.ts'
import { type StoredVersion, type StoredVersions, servable, storedVersions } from '../../drive/content/index.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { type Downloads, issueTicket, needsEncryption, sendContent, sendEntry } from '../../drive/transfer/index.ts'
import {
  type Choose,
  type Chosen,
  type FindApplicant,
  type Asked as MarkAsked,
  markedContent,
  placeOf,
  readChoice,
  withTrace,
} from '../../drive/watermarks/index.ts'
import { conversion, currentConversion, longConversion, smallPicture } from './convert.ts'
import { estimateMs, personOf, placeInQueue } from './fair-queue.ts'
import { filmPictures } from './film-pictures.ts'
import type { PieceNotifier } from './piece-notifier.ts'
import { countPages, dropFailed, findPages, findRenditions, lacksFilmPicture, recordUse } from './renditions.ts'
import type { ReviewedVersion } from './reviewed.ts'
import type { Form } from './tables.ts'

export { factsInReview } from './reviewed.ts'

/** Maximum number of waiting conversions; above that new ones are refused (-204). */
const mostWaiting = 5000
/** Maximum size in bytes of images displayed in their original form to users who may download them. */
const largestPicture = 20 * 1024 * 1024
const media = new Set(mediaExts)
const browserPictures = new Set('png jpg jpeg gif webp svg bmp ico avif'.split(' '))

const file = (fId: number) => ({ fType: 1, fId }) as const
/** File names of the responses, which determine their content types. */
const names = { view: 'rendition.bin', thumbnail: 'thumbnail.webp', words: 'words.bin', pages: 'pages.bin' } as const

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
interface Status {
  /** The reason why it cannot be displayed, or `converting`; undefined when it is ready. */
  readonly code: CodeName | undefined
  readonly percent: number
  /** The number of pages that can already be displayed. */
  readonly pages: number
}

interface ShowingParts {
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

export function previewHandlers({
  publicUrl,
  blobs,
  news,
  applicantOf,
  downloads,
  makesPdf,
  reviewed,
  ...parts
}: ShowingParts & {
  readonly downloads: Downloads
  /** LibreOffice is there. */
  readonly makesPdf: boolean
  readonly blobs: BlobStore
  readonly news: PieceNotifier
  /** Finds the applicant under whose watermark a reviewer sees a file. */
  readonly applicantOf: FindApplicant
  readonly reviewed: Objects<ReviewedVersion>
  /** The public URL of the server, if it differs from that of the request. */
  readonly publicUrl: string | undefined
}) {
  const showing = createPreviews(parts)
  const shownOf = (context: Context, of: PreviewedVersion): Promise<PreviewedFile> => {
    const { fileId, version, reviewId } = of
    if (reviewId === undefined) return showing.find(context, fileId, version)
    return showing.find(context, fileId, version, true, context.object(reviewed, keyOfReviewed(of)).access)
  }
  const statusOf = (db: Db, shown: PreviewedFile, form?: Form) => showing.status(db, shown, form)

  /** The progress. While nothing is new to the caller, waits for the next pages, the end of the job or the timeout. */
  const statusWithin = async (context: Context, shown: PreviewedFile, ms: number, had: number): Promise<Status> => {
    const { db } = context
    const { kind = '', content, ext } = shown
    const { blobId } = content
    const left = new AbortController()
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(ms)])
    // Subscribes before reading the progress, because an event may come in between.
    const piece = news.next({ blobId, kind }, signal)
    piece.catch(() => {})
    try {
      const now = await statusOf(db, shown)
      if (now.code !== 'converting' || now.pages > had) return now
      const key = conversion.key({ blobId, form: 'view', kind, ext })
      const doing = (await currentConversion(parts.queue, key))?.kind ?? conversion
      const end = parts.queue.waitFor(doing, key, signal)
      await Promise.race([piece, end]).catch(() => {})
      await context.stillMay()
      return await statusOf(db, shown)
    } finally {
      left.abort()
    }
  }

  /** The watermark that is asked for: in a review that of the applicant, else that of the caller. */
  const markFor = async (context: Context, fileId: number, reviewId: number | undefined): Promise<MarkAsked> => {
    const { db, actor, now } = context
    if (reviewId === undefined || actor?.kind !== 'account') return {}
    const person = await applicantOf(db, { reviewId, fileId, readerId: actor.accountId, now })
    return person === undefined ? {} : { person }
  }

  const open = async (context: WriteContext, of: PreviewedVersion) => {
    const { fileId, version, reviewId } = of
    const asked = await markFor(context, fileId, reviewId)
    const shown = await shownOf(context, of)
    const form = formOf(context, shown)
    if (form === 'rendition') await askFor(context, parts.queue, 'view', shown)
    context.audit({ version: shown.version })
    const { ticket } = await issueTicket(context, [
      reviewId === undefined ? `preview:1:${fileId}` : `preview:${reviewed.kind.kind}:${keyOfReviewed(of)}`,
    ])
    // What may be looked at for a decision only is not among the reader's own files.
    if (context.actor?.kind === 'account' && reviewId === undefined)
      await recordRecent(context.tx, context.actor.accountId, [fileId], 'preview', context.now)
    const review = reviewId === undefined ? '' : `&reviewId=${reviewId}`
    const own = `${urlOf(form === 'rendition' ? 'rendition' : 'original', shown, ticket)}${review}`
    const url = form === 'office' ? officeAddress(context, own, shown.name) : own
    const secure = !shown.mayDownload && settingsOf(context).setting.security_preview
    const choose = await readChoice(context, asked)
    const over = choose(placeOf(shown.access), 'preview', secure || asked.person !== undefined)
    const chosen = over === undefined ? undefined : await withTrace(context.tx, context, over, shown)
    const keep = form !== 'office' && version === undefined && mayCacheOffline(context, fileId, choose)
    const wantsPicture =
      form === 'original' &&
      mayHaveFilmPicture(context, shown) &&
      denial(gates.newVersion, shown.access.facts) === undefined &&
      (await lacksFilmPicture(context.tx, { blobId: shown.content.blobId, fileId }))
    const previewKey = `${fileId}-${shown.version}${reviewId === undefined ? '' : `-${reviewId}`}`
    return { url, previewKey, form, secure, watermark: chosen?.watermark ?? null, keep, wantsPicture }
  }

  /** The state of the PDF of a file. Requests it, unless it exists or has failed; what has failed, when `start` says so. */
  const pdfOf = async (context: WriteContext, fileId: number, start: boolean) => {
    const shown = await shownOf(context, { fileId })
    const { kind = '', ext } = shown
    const { blobId } = shown.content
    if (start) await dropFailed(context.tx, 'pdf', { blobId, kind })
    const current = await currentConversion(parts.queue, conversion.key({ blobId, form: 'pdf', kind, ext }), context.tx)
    if (start || current?.status.state !== 'failed') await askFor(context, parts.queue, 'pdf', shown)
    return showing.status(context.tx, shown, 'pdf')
  }

  /** The address of the text or the pages of a version, and their state. Requests them, unless they exist. */
  const addressOf = async (context: WriteContext, shown: PreviewedFile, form: 'words' | 'pages') => {
    await askFor(context, parts.queue, form, shown)
    const { code, percent } = await statusOf(context.tx, shown, form)
    const { ticket } = await issueTicket(context, [`preview:1:${shown.fileId}`])
    const url = `${urlOf('rendition', shown, ticket)}&form=${form}`
    if (code !== undefined)
      return { url, state: codes[code].code, msg: codeMessage(code, localeOf(context.request)), percent }
    context.audit({ log: LogBit.preview, version: shown.version })
    return { url, state: codes.success.code, msg: '', percent }
  }

  /** The URL of the office server's viewer for a file at a URL of this server. */
  const officeAddress = (context: WriteContext, own: string, name: string): string => {
    const { preview_context: path } = settingsOf(context).setting
    const { protocol, host } = context.request
    const query = new URLSearchParams({ url: `${publicUrl ?? `${protocol}://${host}`}${own}`, fileName: name })
    return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`
  }

  return implement(features.preview.calls, {
    getDocumentPreviewURL: (context, { fileId }) => open(context, { fileId }),
    getDocumentPreviewURLVersion: open,

    async prepareDocuments(context, { fileIdArray }) {
      for (const fileId of fileIdArray) {
        if (context.refusalOf(file(fileId)) !== undefined) continue
        const shown = await shownOf(context, { fileId })
        const { kind, content } = shown
        const isMade =
          kind !== undefined && content.size <= largestDocument && formOrNone(context, shown) === 'rendition'
        if (isMade) await askFor(context, parts.queue, 'view', shown, { first: false })
      }
      return null
    },

    async getWordsURL(context, { fileId, version }) {
      const shown = await shownOf(context, { fileId, version })
      return hasText(shown.ext) ? addressOf(context, shown, 'words') : fail('conversionUnsupported')
    },

    async getPagesURL(context, { fileId, version }) {
      const shown = await shownOf(context, { fileId, version })
      const isMade = shown.kind === 'pdf' || (makesPdf && isOfficeDocument(shown.ext))
      return isMade ? addressOf(context, shown, 'pages') : fail('conversionUnsupported')
    },

    async getPreviewStatus(context, { previewKey, wait, had }) {
      const shown = await shownOf(context, fileOfPreviewKey(previewKey))
      const form = formOrNone(context, shown)
      const { code, percent, pages } =
        form === undefined
          ? { code: 'conversionUnsupported' as const, percent: 0, pages: 0 }
          : form === 'rendition'
            ? await (wait > 0 ? statusWithin(context, shown, wait, had) : statusOf(context.db, shown))
            : { code: undefined, percent: 100, pages: 0 }
      if (code === undefined) return { state: codes.success.code, percent: 100, msg: '', pages }
      return { state: codes[code].code, percent, msg: codeMessage(code, localeOf(context.request)), pages }
    },

    async convertAgain(context, { previewKey }) {
      const shown = await shownOf(context, fileOfPreviewKey(previewKey))
      const { content, kind } = shown
      if (shown.asStored || kind === undefined) return null
      await context.tx
        .deleteFrom('rendition')
        .where('blob_id', '=', content.blobId)
        .where('form', '=', 'view')
        .where('kind', '=', kind)
        .where('problem', 'is not', null)
        .execute()
      await askFor(context, parts.queue, 'view', shown)
      return null
    },

    async getThumbnailURLs(context, { fileIdArray }) {
      const refused = new Map(fileIdArray.map((fId) => [fId, context.refusalOf(file(fId))]))
      const shown = fileIdArray.filter((fId) => refused.get(fId) === undefined)
      const pictures = await picturesOf(context, shown)
      const { ticket } = await issueTicket(
        context,
        shown.map((fileId) => `preview:1:${fileId}`),
      )
      const locale = localeOf(context.request)
      const list = fileIdArray.map((fileId) => {
        const found = pictures.get(fileId)
        const code = refused.get(fileId) ?? found?.code
        if (code !== undefined || found === undefined) {
          const said = code ?? 'conversionUnsupported'
          return { fileId, result: codes[said].code, msg: codeMessage(said, locale), url: '', pages: 0, lengthMs: 0 }
        }
        const url = `${urlOf('rendition', { fileId, version: found.version }, ticket)}&form=thumbnail`
        return { fileId, result: codes.success.code, msg: '', url, pages: found.pages, lengthMs: found.lengthMs }
      })
      return { list }
    },

    async preparePdfs(context, { fileIdArray, start }) {
      const locale = localeOf(context.request)
      const list = []
      for (const fileId of new Set(fileIdArray)) {
        const { code, percent } = await stateOrRefusal(fileId)
        const result = codes[code ?? 'success'].code
        list.push({ fileId, result, msg: code === undefined ? '' : codeMessage(code, locale), percent })
      }
      return { list }

      async function stateOrRefusal(fileId: number): Promise<Pick<Status, 'code' | 'percent'>> {
        const refused = context.refusalOf(file(fileId)) ?? (makesPdf ? undefined : 'conversionUnsupported')
        if (refused !== undefined) return { code: refused, percent: 0 }
        try {
          return await pdfOf(context, fileId, start)
        } catch (error) {
          if (!(error instanceof ResultError)) throw error
          return { code: error.code, percent: 0 }
        }
      }
    },

    async downloadPdf(context, { fileId }) {
      const { content, kind, name } = await shownOf(context, { fileId })
      const [made] = await findRenditions(context.db, 'pdf', [{ blobId: content.blobId, kind: kind ?? '' }])
      if (made === undefined) throw new ResultError('converting')
      if (made.content === undefined) throw new ResultError(made.problem ?? 'conversionFailed')
      await recordUse(context.db, 'pdf', [content.blobId], context.now)
      const { modifiedAt } = content
      const pdf = { ...made.content, name: `${splitName(name).base}.pdf`, modifiedAt }
      await downloads.sendMade(context, fileId, pdf, 'pdf')
    },

    givePreviewPicture: filmPictures(blobs, async (context, { fileId, version }) => {
      const shown = await shownOf(context, { fileId, version })
      const isFilm = mayHaveFilmPicture(context, shown) && formOf(context, shown) === 'original'
      return isFilm ? shown.content.blobId : fail('conversionUnsupported')
    }),

    async getKeepableFiles(context, { kept }) {
      const choose = await readChoice(context)
      const allowed = kept.filter(
        ({ fileId }) => context.refusalOf(file(fileId)) === undefined && mayCacheOffline(context, fileId, choose),
      )
      const stored = await storedVersions(context.db, allowed)
      const usable = allowed.filter((_, n) => isUsable(stored[n]))
      return {
        fileIds: usable.map(({ fileId }) => fileId),
        current: usable.map(({ fileId }) => ({ fileId, version: context.item(file(fileId)).row.version ?? 1 })),
      }
    },

    async previewServlet(context, of) {
      if (isPage(context)) return leadToPreviewer(context, of.fileId, of.version)
      const shown = await shownOf(context, of)
      if (formOf(context, shown) === 'rendition') return fail('noPermission')
      return showing.sendStored(context, shown)
    },

    async renditionServlet(context, { form, from, ...of }) {
      if (isPage(context)) return leadToPreviewer(context, of.fileId, of.version)
      const asked = await markFor(context, of.fileId, of.reviewId)
      return showing.sendMade(context, await shownOf(context, of), { form, from, asked })
    },

    async archiveEntryServlet(context, { fileId, version, path, names }) {
      const { content, kind, name, mayDownload } = await shownOf(context, { fileId, version })
      if (kind !== 'archive') return fail('conversionUnsupported')
      if (!mayDownload) return fail('noPermission')
      return sendEntry(context, parts.contents, { ...content, name }, { path, names }, 'rendition')
    },
  })
}

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
function settingsOf({ actor }: Context): InstallationSetting {
  if (actor === undefined) return fail('notLoggedIn')
  return actor.kind === 'account' ? actor.settings : actor.responsible.settings
}

/**
 * Whether a browser may store an offline copy of a file ([R067]): only files that the user may download without a
 * watermark or encryption and that are neither secret nor restricted, because access to an offline copy cannot be revoked while the
 * server is unreachable.
 */
function mayCacheOffline(context: Context, fileId: number, choose: Choose): boolean {
  const item = context.item(file(fileId))
  const { facts } = item
  return (
    context.actor?.kind === 'account' &&
    !facts.actor.isGuest &&
    settingsOf(context).inner.keep_offline &&
    denial(gates.download, facts) === undefined &&
    !needsEncryption(context, [item]) &&
    facts.secretLevel === 0 &&
    (facts.docFlag & ~closedToLinks) === 0 &&
    (['preview', 'download'] as const).every((use) => choose(placeOf(item), use) === undefined)
  )
}

/**
 * The form in which a file is displayed according to the format lists ([R164], [R165]); undefined if it cannot be
 * displayed.
 */
function formOrNone(context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' | undefined {
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

/** Whether it is a video that may have a thumbnail in lists. */
const mayHaveFilmPicture = (context: Context, { ext }: PreviewedFile): boolean =>
  pictureKind(ext) === 'film' && formatsOf(settingsOf(context).inner).thumbnail.includes(ext)

const formOf = (context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' =>
  formOrNone(context, shown) ?? fail('conversionUnsupported')

/**
 * Requests a rendition, unless it exists. `first: false` is for requests that nobody waits for. Who waits for a
 * conversion that another person has requested brings it forward to their own place in the queue.
 */
async function askFor(
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
async function picturesOf(context: WriteContext, fileIds: readonly number[]): Promise<Map<number, SmallPicture>> {
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

interface PictureContent {
  readonly blobId: number
  readonly size: number
  readonly name: string
}

/** Requests the thumbnail of a picture that is no file of the drive. What is no picture has none. */
export async function askThumbnail(
  context: Pick<WriteContext, 'tx' | 'now'>,
  { blobId, size, name }: PictureContent,
): Promise<void> {
  const ext = extNameOf(name).toLowerCase()
  if (pictureKind(ext) !== 'picture' || size === 0 || size > largestDocument) return
  await enqueueAll(context, smallPicture, [{ blobId, form: 'thumbnail', kind: 'picture', ext }])
}

/** The thumbnail of a picture that is no file of the drive, if it has been made. */
export async function findThumbnail(context: Context, blobId: number): Promise<Content | undefined> {
  const [made] = await findRenditions(context.db, 'thumbnail', [{ blobId, kind: 'picture' }])
  if (made?.content !== undefined) await recordUse(context.db, 'thumbnail', [blobId], context.now)
  return made?.content
}

const { previewServlet, renditionServlet } = features.preview.calls

const urlOf = (
  form: 'original' | 'rendition',
  { fileId, version }: { fileId: number; version: number },
  ticket: string,
): string =>
  `${(form === 'original' ? previewServlet : renditionServlet).path}?fileId=${fileId}&version=${version}&access_token=${ticket}`

/** The user has opened the URL in a tab, rather than a page of the client loading it. */
/** Whether people may read a stored content. */
const isUsable = (stored: StoredVersion | undefined): boolean =>
  stored !== undefined && !stored.isHarmful && !stored.isUninspected && !stored.isHeld
const isPage = ({ request }: Context): boolean => request.headers['sec-fetch-dest'] === 'document'

/** Redirects to the viewer of the client, which shows the file to signed-in users who may see it. */
async function leadToPreviewer({ reply }: Context, fileId: number, version: number | undefined): Promise<void> {
  const which = version === undefined ? '' : `&version=${version}`
  await reply.redirect(`/window/previewer?serverId=0&fType=1&fId=${fileId}&itemIdStr=s0f${fileId}${which}`)
}
