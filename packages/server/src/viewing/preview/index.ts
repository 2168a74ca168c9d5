// Looking at files: which content shows them, what is made of them, and how far that is ([R163]-[R169]).
import { features, fileOfPreviewKey, formatsOf, type InstallationSetting } from '@cloudoc/contract'
import {
  type CodeName,
  codeMessage,
  codes,
  type DocumentKind,
  denial,
  documentKind,
  extNameOf,
  fail,
  gates,
  LogBit,
  mediaExts,
  pictureKind,
  ResultError,
  viewerOf,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Queue } from '../../core/queue/kind.ts'
import { enqueue, enqueueAll } from '../../core/queue/rows.ts'
import { hasText, largestDocument } from '../../documents/index.ts'
import { type StoredVersion, type StoredVersions, storedVersions } from '../../drive/content/index.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { issueTicket, sendContent, sendEntry } from '../../drive/transfer/index.ts'
import {
  type Choose,
  type Chosen,
  type Asked as MarkAsked,
  markedContent,
  placeOf,
  readChoice,
  withTrace,
} from '../../drive/watermarks/index.ts'
import { conversion, smallPicture } from './convert.ts'
import { filmPictures } from './film-pictures.ts'
import type { PieceNotifier } from './piece-notifier.ts'
import { countPages, findPages, findRenditions, lacksFilmPicture, recordUse } from './renditions.ts'
import type { Form } from './tables.ts'

/** So many conversions may wait; then nothing more is begun (-204). */
const mostWaiting = 5000
/** Pictures of up to so many bytes are shown as they are, to those who may have them. */
const largestPicture = 20 * 1024 * 1024
const media = new Set(mediaExts)
const browserPictures = new Set('png jpg jpeg gif webp svg bmp ico avif'.split(' '))

const file = (fId: number) => ({ fType: 1, fId }) as const
/** What answers are called, which tells their types. */
const names = { view: 'rendition.bin', thumbnail: 'thumbnail.webp', words: 'words.bin' } as const

/** Whether a content is shown as it is stored: what a browser shows by itself, to those who may take it, and what is not made anew. */
function isServedAsStored(ext: string, kind: DocumentKind | undefined, size: number, mayDownload: boolean): boolean {
  if (!mayDownload) return false
  if (media.has(ext)) return true
  return kind === 'text' || kind === 'pdf' || (browserPictures.has(ext) && size <= largestPicture)
}

export interface PreviewedFile {
  readonly fileId: number
  readonly version: number
  readonly content: StoredVersion
  readonly ext: string
  readonly name: string
  readonly kind: DocumentKind | undefined
  readonly asStored: boolean
  /** Who asks may have the bytes themselves. */
  readonly mayDownload: boolean
}

/** What of a file is to be sent: all that was made, or some pages from one on, while the rest is being made. */
interface Wanted {
  readonly form: Form
  readonly from: number | undefined
  readonly asked?: MarkAsked
}

/** How far something is. */
interface Status {
  /** Why it cannot be shown, or that it is being made; undefined once it can. */
  readonly code: CodeName | undefined
  readonly percent: number
  /** The pages that can be shown while the rest is being made. */
  readonly pages: number
}

interface ShowingParts {
  readonly contents: Contents
  readonly storedVersion: StoredVersions
  readonly queue: Queue
}

/** What shows files, whoever is shown them: people by their own rights, visitors of links by what their link gives. */
export function createPreviews({ contents, storedVersion, queue }: ShowingParts) {
  /** In a transaction by its own connection: all of them would wait for another while they hold one each. */
  const contentIn = async (context: Context | WriteContext, fileId: number, version: number) => {
    if (!('tx' in context)) return storedVersion(fileId, version)
    const [found] = await storedVersions(context.tx, [{ fileId, version }])
    return found?.isHarmful === true ? fail('virusFile') : found
  }

  return {
    /** What there is to show of a file that the call's gate has passed. */
    async find(context: Context, fileId: number, version?: number, mayTake = true): Promise<PreviewedFile> {
      const access = context.item(file(fileId))
      const number = version ?? access.row.version
      const content = (await contentIn(context, fileId, number)) ?? fail('versionMissing')
      const { name } = access.row
      const ext = extNameOf(name).toLowerCase()
      const kind = documentKind(ext)
      // By the person's right, also where a ticket for looking alone brings the request.
      const mayDownload = mayTake && denial(gates.download, access.facts) === undefined
      return {
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

    /** How it is shown where no office server is asked; undefined where nothing shows it. */
    formOf: (context: Context, shown: PreviewedFile): 'original' | 'rendition' | undefined =>
      formOrNone(context, shown) === undefined ? undefined : shown.asStored ? 'original' : 'rendition',

    /** Asks for what is to be made of it, unless it is there. */
    ask: (context: WriteContext, shown: PreviewedFile): Promise<void> => askFor(context, 'view', shown),

    /** Has small pictures of files made that the call's gates have passed, and tells how far each is. */
    pictures: picturesOf,

    /** How far that is. */
    async status(db: Db, { content: { blobId }, kind }: PreviewedFile, form: Form = 'view'): Promise<Status> {
      const pages = 0
      if (kind === undefined) return { code: 'conversionUnsupported', percent: 0, pages }
      const [made] = await findRenditions(db, form, [{ blobId, kind }])
      if (made !== undefined) return { code: made.problem ?? undefined, percent: 100, pages }
      const found = await queue.find(conversion, conversion.key({ blobId, form, kind, ext: '' }), db)
      if (found?.state === 'failed') {
        return { code: found.error?.code === 'timeout' ? 'conversionTimedOut' : 'conversionFailed', percent: 0, pages }
      }
      return {
        code: 'converting',
        percent: Math.min(99, Math.round((found?.progress ?? 0) / 10)),
        pages: form === 'view' ? await countPages(db, { blobId, kind }) : 0,
      }
    },

    /** Answers the content as it is stored. */
    sendStored: (context: Context, shown: PreviewedFile): Promise<void> =>
      sendContent(context, contents, { ...shown.content, name: shown.name }),

    /** The watermark over it, for who asks. */
    watermark: (context: WriteContext, shown: PreviewedFile, asked?: MarkAsked): Promise<Chosen | undefined> =>
      watermarkOver(context, context.tx, shown, asked),

    /** Answers what was made of it; pages and pictures for who may not take it with the watermark in them ([R163]). */
    async sendMade(context: Context, shown: PreviewedFile, { form, from, asked }: Wanted): Promise<void> {
      const { kind, content } = shown
      const of = { blobId: content.blobId, kind: (form === 'thumbnail' ? pictureKind(shown.ext) : kind) ?? '' }
      const [made] = await (from === undefined
        ? findRenditions(context.db, form, [of])
        : findPages(context.db, of, from))
      if (made === undefined) throw new ResultError('converting')
      if (made.content === undefined) throw new ResultError(made.problem ?? 'conversionFailed')
      await recordUse(context.db, form, [content.blobId], context.now)
      const isDrawn = kind === 'pdf' || kind === 'picture' || made.byOffice
      const bears = form === 'view' && !shown.mayDownload && isDrawn
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
  ...parts
}: ShowingParts & {
  readonly blobs: BlobStore
  readonly news: PieceNotifier
  /** Where the server is reached from outside, where that is not how it was asked. */
  readonly publicUrl: string | undefined
}) {
  const showing = createPreviews(parts)
  const shownOf = (context: Context, fileId: number, version?: number): Promise<PreviewedFile> =>
    showing.find(context, fileId, version)
  const statusOf = (db: Db, shown: PreviewedFile, form?: Form) => showing.status(db, shown, form)

  /** How far it is; as long as that is no news to who asks, once there is some or the time is over. */
  const statusWithin = async (context: Context, shown: PreviewedFile, ms: number, had: number): Promise<Status> => {
    const { db } = context
    const { kind = '', content, ext } = shown
    const { blobId } = content
    const left = new AbortController()
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(ms)])
    // Listened for before it is looked: it may come in between.
    const piece = news.next({ blobId, kind }, signal)
    piece.catch(() => {})
    try {
      const now = await statusOf(db, shown)
      if (now.code !== 'converting' || now.pages > had) return now
      const end = parts.queue.waitFor(conversion, conversion.key({ blobId, form: 'view', kind, ext }), signal)
      await Promise.race([piece, end]).catch(() => {})
      await context.stillMay()
      return await statusOf(db, shown)
    } finally {
      left.abort()
    }
  }

  const open = async (context: WriteContext, fileId: number, version?: number) => {
    const shown = await shownOf(context, fileId, version)
    const form = formOf(context, shown)
    if (form === 'rendition') await askFor(context, 'view', shown)
    context.audit({ version: shown.version })
    const { ticket } = await issueTicket(context, [`preview:1:${fileId}`])
    if (context.actor?.kind === 'account')
      await recordRecent(context.tx, context.actor.accountId, [fileId], 'preview', context.now)
    const own = urlOf(form === 'rendition' ? 'rendition' : 'original', shown, ticket)
    const url = form === 'office' ? officeAddress(context, own, shown.name) : own
    const secure = !shown.mayDownload && settingsOf(context).setting.security_preview
    const choose = await readChoice(context)
    const over = choose(placeOf(context.item(file(fileId))), 'preview', secure)
    const chosen = over === undefined ? undefined : await withTrace(context.tx, context, over, shown)
    const keep = form !== 'office' && version === undefined && mayCacheOffline(context, fileId, choose)
    const wantsPicture =
      form === 'original' &&
      mayHaveFilmPicture(context, shown) &&
      denial(gates.newVersion, context.item(file(fileId)).facts) === undefined &&
      (await lacksFilmPicture(context.tx, { blobId: shown.content.blobId, fileId }))
    const previewKey = `${fileId}-${shown.version}`
    return { url, previewKey, form, secure, watermark: chosen?.watermark ?? null, keep, wantsPicture }
  }

  /** The page of the office server that shows what lies at an address of ours. */
  const officeAddress = (context: WriteContext, own: string, name: string): string => {
    const { preview_context: path } = settingsOf(context).setting
    const { protocol, host } = context.request
    const query = new URLSearchParams({ url: `${publicUrl ?? `${protocol}://${host}`}${own}`, fileName: name })
    return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`
  }

  return implement(features.preview.calls, {
    getDocumentPreviewURL: (context, { fileId }) => open(context, fileId),
    getDocumentPreviewURLVersion: (context, { fileId, version }) => open(context, fileId, version),

    async prepareDocuments(context, { fileIdArray }) {
      for (const fileId of fileIdArray) {
        if (context.refusalOf(file(fileId)) !== undefined) continue
        const shown = await shownOf(context, fileId)
        const { kind, content } = shown
        const isMade =
          kind !== undefined && content.size <= largestDocument && formOrNone(context, shown) === 'rendition'
        if (isMade) await askFor(context, 'view', shown, { first: false })
      }
      return null
    },

    async getWordsURL(context, { fileId, version }) {
      const shown = await shownOf(context, fileId, version)
      if (!hasText(shown.ext)) return fail('conversionUnsupported')
      await askFor(context, 'words', shown)
      const { code, percent } = await statusOf(context.tx, shown, 'words')
      const { ticket } = await issueTicket(context, [`preview:1:${fileId}`])
      const url = `${urlOf('rendition', shown, ticket)}&form=words`
      if (code === undefined) {
        context.audit({ log: LogBit.preview, version })
        return { url, state: codes.success.code, msg: '', percent }
      }
      return { url, state: codes[code].code, msg: codeMessage(code, localeOf(context.request)), percent }
    },

    async getPreviewStatus(context, { previewKey, wait, had }) {
      const { fileId, version } = fileOfPreviewKey(previewKey)
      const shown = await shownOf(context, fileId, version)
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
      const { fileId, version } = fileOfPreviewKey(previewKey)
      const shown = await shownOf(context, fileId, version)
      const { content, kind } = shown
      if (shown.asStored || kind === undefined) return null
      await context.tx
        .deleteFrom('rendition')
        .where('blob_id', '=', content.blobId)
        .where('form', '=', 'view')
        .where('kind', '=', kind)
        .where('problem', 'is not', null)
        .execute()
      await askFor(context, 'view', shown)
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

    givePreviewPicture: filmPictures(blobs, async (context, { fileId, version }) => {
      const shown = await shownOf(context, fileId, version)
      const isFilm = mayHaveFilmPicture(context, shown) && formOf(context, shown) === 'original'
      return isFilm ? shown.content.blobId : fail('conversionUnsupported')
    }),

    async getKeepableFiles(context, { kept }) {
      const choose = await readChoice(context)
      const allowed = kept.filter(
        ({ fileId }) => context.refusalOf(file(fileId)) === undefined && mayCacheOffline(context, fileId, choose),
      )
      const stored = await storedVersions(context.db, allowed)
      return { fileIds: allowed.flatMap(({ fileId }, n) => (stored[n]?.isHarmful === false ? [fileId] : [])) }
    },

    async previewServlet(context, { fileId, version }) {
      if (isPage(context)) return leadToPreviewer(context, fileId, version)
      const shown = await shownOf(context, fileId, version)
      if (formOf(context, shown) === 'rendition') return fail('noPermission')
      return showing.sendStored(context, shown)
    },

    async renditionServlet(context, { fileId, version, form, from }) {
      if (isPage(context)) return leadToPreviewer(context, fileId, version)
      return showing.sendMade(context, await shownOf(context, fileId, version), { form, from })
    },

    async archiveEntryServlet(context, { fileId, version, path, names }) {
      const { content, kind, name, mayDownload } = await shownOf(context, fileId, version)
      if (kind !== 'archive') return fail('conversionUnsupported')
      if (!mayDownload) return fail('noPermission')
      return sendEntry(context, parts.contents, { ...content, name }, { path, names }, 'rendition')
    },
  })
}

/** What stands over a file: what applies to it, and in the secure view some watermark in any case (X42). */
async function watermarkOver(
  context: Context,
  db: Db,
  shown: PreviewedFile,
  asked?: MarkAsked,
): Promise<Chosen | undefined> {
  const { fileId, mayDownload } = shown
  const isSecure = !mayDownload && settingsOf(context).setting.security_preview
  const choose = await readChoice(context, asked)
  const chosen = choose(placeOf(context.item(file(fileId))), 'preview', isSecure)
  return chosen === undefined ? undefined : withTrace(db, context, chosen, shown)
}

/** The settings that hold for who asks. */
function settingsOf({ actor }: Context): InstallationSetting {
  if (actor === undefined) return fail('notLoggedIn')
  return actor.kind === 'account' ? actor.settings : actor.responsible.settings
}

/**
 * Whether a browser may keep what it shows of a file ([R067]): only what they could take along as it is, without a watermark,
 * and nothing that has a secret level or is restricted, as nobody could end that where the server is away.
 */
function mayCacheOffline(context: Context, fileId: number, choose: Choose): boolean {
  const item = context.item(file(fileId))
  const { facts } = item
  return (
    context.actor?.kind === 'account' &&
    !facts.actor.isGuest &&
    settingsOf(context).inner.keep_offline &&
    denial(gates.download, facts) === undefined &&
    facts.secretLevel === 0 &&
    facts.docFlag === 0 &&
    (['preview', 'download'] as const).every((use) => choose(placeOf(item), use) === undefined)
  )
}

/** How a file is shown by the lists of formats ([R164], [R165]); undefined where nothing shows it. */
function formOrNone(context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' | undefined {
  const { setting, inner } = settingsOf(context)
  const hasOffice = setting.preview === 1 && setting.preview_context !== ''
  const by = viewerOf(shown.ext, formatsOf(inner), hasOffice)
  if (by === undefined) return undefined
  // An office server is given the bytes, so it is for those alone who may have them.
  if (by === 'office' && shown.mayDownload) return 'office'
  // Films and sounds are not made anew, and whoever may not have their bytes is not given them ([R164]).
  if (!shown.asStored && shown.kind === undefined) return undefined
  return shown.asStored ? 'original' : 'rendition'
}

/** It is a film of which the lists have small pictures. */
const mayHaveFilmPicture = (context: Context, { ext }: PreviewedFile): boolean =>
  pictureKind(ext) === 'film' && formatsOf(settingsOf(context).inner).thumbnail.includes(ext)

const formOf = (context: Context, shown: PreviewedFile): 'original' | 'rendition' | 'office' =>
  formOrNone(context, shown) ?? fail('conversionUnsupported')

/** Asks for what is to be shown, unless it is there; not `first` what nobody waits for. */
async function askFor(
  context: WriteContext,
  form: Form,
  { kind, content, ext }: PreviewedFile,
  { first } = { first: true },
): Promise<void> {
  if (kind === undefined || content.size > largestDocument) return fail('conversionUnsupported')
  const { blobId } = content
  if ((await findRenditions(context.tx, form, [{ blobId, kind }])).length > 0) return
  await checkWaiting(context)
  await enqueue(context, conversion, { blobId, form, kind, ext }, { retryFailed: true, first })
}

async function checkWaiting({ tx }: WriteContext): Promise<void> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select 1 from job where kind = ${conversion.name} and due is not null limit ${mostWaiting}) j`.execute(tx)
  if ((rows[0]?.waiting ?? 0) >= mostWaiting) fail('noConversionLock')
}

interface SmallPicture {
  readonly version: number
  /** Why there is none, or not yet. */
  readonly code: CodeName | undefined
  /** Of what it shows; 0 where that is not known. */
  readonly pages: number
  readonly lengthMs: number
}

/** What there is of small pictures of files, by their ids; those that are not there yet are asked for. */
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

const { previewServlet, renditionServlet } = features.preview.calls

const urlOf = (
  form: 'original' | 'rendition',
  { fileId, version }: { fileId: number; version: number },
  ticket: string,
): string =>
  `${(form === 'original' ? previewServlet : renditionServlet).path}?fileId=${fileId}&version=${version}&access_token=${ticket}`

/** Somebody has opened the address itself, and does not read it from a page of ours. */
const isPage = ({ request }: Context): boolean => request.headers['sec-fetch-dest'] === 'document'

/** The previewer shows what the address stands for, to whoever is signed in and may see it. */
async function leadToPreviewer({ reply }: Context, fileId: number, version: number | undefined): Promise<void> {
  const which = version === undefined ? '' : `&version=${version}`
  await reply.redirect(`/window/previewer?serverId=0&fType=1&fId=${fileId}&itemIdStr=s0f${fileId}${which}`)
}
