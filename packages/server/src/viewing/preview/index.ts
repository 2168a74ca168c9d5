// Preview of files: which content displays them, which renditions are made, and their progress ([R163]-[R169]).
import { features, fileOfPreviewKey, formatsOf, keyOfReviewed, type PreviewedVersion } from '@cloudoc/contract'
import { closedToLinks, codeMessage, codes, denial, extNameOf, fail, gates, pictureKind } from '@cloudoc/domain'
import type { Content } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Queue } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import { largestDocument } from '../../documents/index.ts'
import { type StoredVersion, storedVersions } from '../../drive/content/index.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { type Downloads, issueTicket, needsEncryption, sendEntry } from '../../drive/transfer/index.ts'
import {
  type Choose,
  type FindApplicant,
  type Asked as MarkAsked,
  placeOf,
  readChoice,
  withTrace,
} from '../../drive/watermarks/index.ts'
import { conversion, currentConversion, smallPicture } from './convert.ts'
import { filmPictures } from './film-pictures.ts'
import { madeFormHandlers } from './made-forms.ts'
import { offlineMarkHandlers } from './offline-marks.ts'
import type { PieceNotifier } from './piece-notifier.ts'
import {
  askFor,
  createPreviews,
  file,
  formOf,
  formOrNone,
  type PreviewedFile,
  type Previews,
  type ShowingParts,
  type Status,
  settingsOf,
  urlOf,
} from './previews.ts'
import { findRenditions, lacksFilmPicture, recordUse } from './renditions.ts'
import type { ReviewedVersion } from './reviewed.ts'
import type { Form } from './tables.ts'
import { thumbnailHandlers } from './thumbnail-handlers.ts'

export { createPreviews, type PreviewedFile, type Previews } from './previews.ts'

export { factsInReview } from './reviewed.ts'

/** The progress. While nothing is new to the caller, waits for the next pages, the end of the job or the timeout. */
async function statusWithin(
  {
    queue,
    news,
    statusOf,
  }: { readonly queue: Queue; readonly news: PieceNotifier; readonly statusOf: Previews['status'] },
  context: Context,
  shown: PreviewedFile,
  ms: number,
  had: number,
): Promise<Status> {
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
    const doing = (await currentConversion(queue, key))?.kind ?? conversion
    const end = queue.waitFor(doing, key, signal)
    await Promise.race([piece, end]).catch(() => {})
    await context.stillMay()
    return await statusOf(db, shown)
  } finally {
    left.abort()
  }
}

/** The URL of the office server's viewer for a file at a URL of this server. */
function officeAddress(context: WriteContext, publicUrl: string | undefined, own: string, name: string): string {
  const { preview_context: path } = settingsOf(context).setting
  const { protocol, host } = context.request
  const query = new URLSearchParams({ url: `${publicUrl ?? `${protocol}://${host}`}${own}`, fileName: name })
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`
}

export function previewHandlers({
  publicUrl,
  blobs,
  news,
  applicantOf,
  downloads,
  hasOffice,
  reviewed,
  ...parts
}: ShowingParts & {
  readonly downloads: Downloads
  /** LibreOffice is there. */
  readonly hasOffice: boolean
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
  const makesPdf = (context: Context): boolean => hasOffice && settingsOf(context).inner.page_engine
  const statusOf = (db: Db, shown: PreviewedFile, form?: Form) => showing.status(db, shown, form)

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
    const url = form === 'office' ? officeAddress(context, publicUrl, own, shown.name) : own
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

  return implement(features.preview.calls, {
    ...offlineMarkHandlers,
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

    ...madeFormHandlers({ shownOf, statusOf, queue: parts.queue, downloads, makesPdf }),

    async getPreviewStatus(context, { previewKey, wait, had }) {
      const shown = await shownOf(context, fileOfPreviewKey(previewKey))
      const form = formOrNone(context, shown)
      const { code, percent, pages } =
        form === undefined
          ? { code: 'conversionUnsupported' as const, percent: 0, pages: 0 }
          : form === 'rendition'
            ? await (wait > 0
                ? statusWithin({ queue: parts.queue, news, statusOf }, context, shown, wait, had)
                : statusOf(context.db, shown))
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

    ...thumbnailHandlers(),

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

/** Whether it is a video that may have a thumbnail in lists. */
const mayHaveFilmPicture = (context: Context, { ext }: PreviewedFile): boolean =>
  pictureKind(ext) === 'film' && formatsOf(settingsOf(context).inner).thumbnail.includes(ext)

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
