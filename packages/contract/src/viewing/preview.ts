// Preview of files: renditions created by the server, and thumbnails ([R163]-[R169]).
import { defaultFormats, type Facts, gates, type PreviewFormats } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, type GateUse, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { file, NameEncodingOfArchive } from '../drive/items.ts'
import { markCodes } from '../drive/transfer.ts'
import { AppliedWatermark } from '../drive/watermarks.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, integer, Nothing, text } from '../fields.ts'
import { Picture } from '../people/pictures.ts'
import type { SampleIds } from '../sample.ts'

/** A version of a file that is previewed, and the review in which it is looked at. */
export interface PreviewedVersion {
  readonly fileId: number
  readonly version?: number | undefined
  readonly reviewId?: number | undefined
}

/** Key of the renditions of a file version, with the review in which it is looked at: its gates are checked on these. */
const PreviewKey = z.string().regex(/^\d{1,15}-\d{1,9}(-\d{1,15})?$/)
export const fileOfPreviewKey = (key: string) => {
  const [fileId = 0, version = 0, reviewId] = key.split('-').map(Number)
  return { fileId, version, reviewId }
}

/**
 * A version of a file as a review shows it: to whoever may preview the file, and to those for whom the review waits. It
 * is identified by the review, the file and the version.
 */
export const reviewedVersion = objectKind<Facts, 'preview'>('reviewedVersion', { preview: gates.preview })
export const keyOfReviewed = ({ fileId, version = 0, reviewId = 0 }: PreviewedVersion): string =>
  `${reviewId}-${fileId}-${version}`

const toPreview = (of: PreviewedVersion): readonly GateUse[] => [
  of.reviewId === undefined
    ? { item: file(of.fileId), action: 'preview' }
    : on(reviewedVersion, keyOfReviewed(of), 'preview'),
]
const codes = ['notFound', 'noPermission', 'secretLevel', 'versionMissing'] as const

const Preview = z.strictObject({
  /** Valid for the caller's session for some minutes; the right is checked again at each use. */
  url: z.string(),
  previewKey: z.string(),
  /**
   * `original`: the stored content. `rendition`: created by the server, available once getPreviewStatus reports it.
   * `office`: a page of the office server ([R164]).
   */
  form: z.enum(['original', 'rendition', 'office']),
  /** Secure preview that prevents taking content out: no copy, no print, with a watermark ([R166], X42). */
  secure: z.boolean(),
  /**
   * Watermark to draw over the file, for this caller and time. For callers without the download right, page images and
   * images also have it embedded.
   */
  watermark: AppliedWatermark.nullable(),
  /** Whether a client may store the file for offline reading ([R067]). */
  keep: z.boolean(),
  /** The video has no thumbnail yet and the caller may upload one: givePreviewPicture. */
  wantsPicture: z.boolean(),
})

const Extensions = z.array(z.string().regex(/^[a-z0-9_+~-]{0,16}$/)).max(1000)
const formatSetting = (exts: readonly string[]) => Extensions.default([...exts])

/** Builds the format lists sent to clients ([R165]) from the settings that define them. */
export function formatsOf(set: {
  readonly preview_download: string[]
  readonly preview_image: string[]
  readonly preview_server: string[]
  readonly preview_video: string[]
  readonly preview_thumbnail: string[]
  readonly preview_multi_edit: string[]
  readonly preview_office: string[]
}): { -readonly [list in keyof PreviewFormats]: string[] } {
  return {
    download: set.preview_download,
    image: set.preview_image,
    yqServer: set.preview_server,
    video: set.preview_video,
    thumbnail: set.preview_thumbnail,
    multiEdit: set.preview_multi_edit,
    officeServer: set.preview_office,
  }
}

/** A path of the same origin. The office server is reachable behind it and is embedded in the previewer. */
const OfficePath = text(500).regex(/^(\/(?!\/)[^\s#]*)?$/, 'a path that begins with /')

/** 24 hours. */
const longestFilmMs = 24 * 60 * 60_000

const ReviewId = Id.optional().describe(
  'A review of the file that the caller is asked to decide: the file is shown under the watermark of its applicant, and while the review waits for the caller, its version may be looked at without a right to the file. Without effect for anybody else.',
)

/** Calls for what is made of a version of a file; polled until `state` is no longer -200. */
const ofMade = {
  servesReading: true,
  log: 'none',
  kind: 'write',
  method: 'GET',
  auth: 'required',
  payload: 'none',
  origin: 'ours',
  gate: (input: { readonly fileId: number }): readonly GateUse[] => [{ item: file(input.fileId), action: 'preview' }],
  input: z.strictObject({ fileId: Id, version: Count }),
  sample: (ids: SampleIds) => ({ fileId: ids.fileId, version: 1 }),
  data: z.strictObject({ url: z.string(), state: z.int(), msg: z.string(), percent: z.int() }),
  codes: [...codes, 'conversionUnsupported', 'noConversionLock'],
} as const

const previewCalls = {
  getDocumentPreviewURL: call({
    servesReading: true,
    summary: 'Issues an address that shows a file',
    kind: 'write',
    method: 'GET',
    path: '/services2/preview/getDocumentPreviewURL/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'preview' }],
    log: 'preview',
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: Preview,
    codes: [...codes, 'conversionUnsupported', 'noConversionLock'],
  }),
  getDocumentPreviewURLVersion: call({
    servesReading: true,
    summary: 'Issues an address that shows a version of a file',
    kind: 'write',
    method: 'GET',
    path: '/services2/preview/getDocumentPreviewURLVersion/{fileId}/{version}',
    auth: 'required',
    payload: 'query',
    origin: 'spec',
    gate: toPreview,
    log: 'preview',
    input: z.strictObject({ fileId: Id, version: Count, reviewId: ReviewId }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: Preview,
    codes: [...codes, 'conversionUnsupported', 'noConversionLock'],
  }),
  /**
   * Prepares the neighbouring files of the one being viewed. Nobody has viewed them yet, so no preview is recorded or
   * notified.
   */
  prepareDocuments: call({
    servesReading: true,
    summary: 'Has made what shows some files, before anybody looks at them',
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/preview/prepareDocuments',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => input.fileIdArray.map((fId) => ({ item: file(fId), action: 'preview' }) as const),
    leavesOut: true,
    input: z.strictObject({ fileIdArray: z.array(Id).min(1).max(10) }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: z.null(),
    codes: ['notFound', 'noPermission', 'secretLevel', 'noConversionLock'],
  }),
  /** The extracted texts used to compare two versions. */
  getWordsURL: call({
    ...ofMade,
    summary: 'Issues an address of the words of a version of a file',
    title: { zh: '读取文字', en: 'Words read' },
    notes:
      '`state` is -1 when `url` answers them: a JSON list of sections (pages, sheets, slides, or the whole) with their text, packed by gzip; -200 while they are being read, or why they cannot be: -201 to -206.',
    path: '/services2/preview/getWordsURL/{fileId}/{version}',
  }),
  /** The pages used to print and to compare. */
  getPagesURL: call({
    ...ofMade,
    summary: 'Issues an address of the pages of a version of a file, as LibreOffice sets them',
    title: { zh: '读取页面', en: 'Pages read' },
    notes:
      '`state` is -1 when `url` answers a rendition of pages; -200 while they are being made, or why they cannot be: -201 to -206. Of a PDF they are its own pages. -205 where the server has no LibreOffice (`makes_pdf`).',
    path: '/services2/preview/getPagesURL/{fileId}/{version}',
  }),
  getPreviewStatus: call({
    summary: 'Tells how far the conversion of a file is',
    notes:
      '`state` is -1 when it can be shown, -200 while it is being made, or why it cannot be shown: -201 to -206, but for -203: of a table with more cells than `preview_cells` allows the first are shown, and its rendition says so by `cut`. While it is being made, the first `pages` of its pages can be shown already: renditionServlet answers them by `from`. With `wait`, the answer is held for so many milliseconds at most, until it has ended or has more pages than `had`.',
    kind: 'read',
    method: 'GET',
    path: '/services2/preview/getPreviewStatus/{previewKey}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => toPreview(fileOfPreviewKey(input.previewKey)),
    input: z.strictObject({
      previewKey: PreviewKey,
      wait: integer(0, 10_000).default(0),
      had: Count.default(0),
    }),
    sample: (ids) => ({ previewKey: `${ids.fileId}-1` }),
    data: z.strictObject({ state: z.int(), percent: z.int(), msg: z.string(), pages: z.int() }),
    codes,
  }),
  convertAgain: call({
    servesReading: true,
    summary: 'Tries a conversion that failed once more',
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/preview/convertAgain',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => toPreview(fileOfPreviewKey(input.previewKey)),
    input: z.strictObject({ previewKey: PreviewKey }),
    sample: (ids) => ({ previewKey: `${ids.fileId}-1` }),
    data: z.null(),
    codes: [...codes, 'noConversionLock'],
  }),
  /**
   * Thumbnail addresses for lists. A separate call, so that listing a folder is not recorded as a preview of each file.
   * Each requested file is answered separately: with its address, with -200 while its thumbnail is being created, or
   * with the code of the reason why there is none. The call is refused only if the gate refuses all files.
   */
  getThumbnailURLs: call({
    servesReading: true,
    summary: 'Issues addresses of pictures for lists',
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/preview/getThumbnailURLs',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => input.fileIdArray.map((fId) => ({ item: file(fId), action: 'preview' }) as const),
    leavesOut: true,
    input: z.strictObject({ fileIdArray: z.array(Id).min(1).max(200) }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fileId: z.int(),
          result: z.int(),
          msg: z.string(),
          url: z.string(),
          /** Number of pages or slides; 0 if unknown. */
          pages: z.int(),
          /** Duration of a video; 0 if unknown. */
          lengthMs: z.int(),
        }),
      ),
    }),
    codes,
  }),
  /** Uploads a thumbnail that a browser captured from a video it plays, because the server cannot render videos. */
  givePreviewPicture: call({
    servesReading: true,
    summary: 'Gives a film the small picture that a client has drawn of it',
    log: 'none',
    notes:
      'Where `wantsPicture` of getDocumentPreviewURL says so: for who may store a version of the file that this content came with first, once for each content. `picture` is base64 of a png or jpg of at most 100 KB and 1024 pixels each way (-424); it is drawn anew, and never kept as it came. `isTaken` is false where there is one already.',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/preview/givePreviewPicture',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => {
      const item = file(fileOfPreviewKey(input.previewKey).fileId)
      return [
        { item, action: 'preview' },
        { item, action: 'newVersion' },
      ] as const
    },
    input: z.strictObject({
      previewKey: PreviewKey,
      picture: Picture,
      /** Duration of the video, if the client knows it. */
      lengthMs: integer(0, longestFilmMs).default(0),
    }),
    sample: (ids) => ({ previewKey: `${ids.fileId}-1`, picture: '' }),
    data: z.strictObject({ isTaken: z.boolean() }),
    codes: [...codes, 'conversionUnsupported', 'conversionTimedOut', 'pictureRefused'],
  }),
  /** Files missing in the answer must be deleted from the offline storage. The call does not count as viewing. */
  getKeepableFiles: call({
    summary: 'Tells of versions that a client has kept which it may keep on',
    notes: 'A client asks whenever it is back, and when it was told that rights or places have changed.',
    kind: 'read',
    method: 'POST',
    path: '/services2/preview/getKeepableFiles',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => input.kept.map(({ fileId }) => ({ item: file(fileId), action: 'preview' }) as const),
    leavesOut: true,
    input: z.strictObject({
      kept: z
        .array(z.strictObject({ fileId: Id, version: Count }))
        .min(1)
        .max(200),
    }),
    sample: (ids) => ({ kept: [{ fileId: ids.fileId, version: 1 }] }),
    data: z.strictObject({
      fileIds: z.array(z.int()),
      current: z
        .array(z.strictObject({ fileId: z.int(), version: z.int() }))
        .describe('The current version of each of these files.'),
    }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  setOfflineMark: call({
    summary: 'Records that the device of the caller keeps a file for reading offline, or ends that',
    notes: 'Browsers may remove what they keep: by the list of its device a client knows what is missing.',
    title: { zh: '离线可用', en: 'Available offline' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/preview/setOfflineMark',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    // A mark can be ended also when its file is gone or no longer visible.
    gate: ({ fileId, marked }) => (marked ? [{ item: file(fileId), action: 'preview' }] : []),
    input: z.strictObject({ fileId: Id, marked: Flag.describe('Whether the device keeps it.') }),
    sample: (ids) => ({ fileId: ids.fileId, marked: true }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'secretLevel', 'tooMany'],
  }),
  getOfflineMarks: call({
    summary: 'Lists the files that the device of the caller should keep for reading offline',
    kind: 'read',
    method: 'GET',
    path: '/services2/preview/getOfflineMarks',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(z.strictObject({ fileId: z.int(), name: z.string(), fileSize: z.int() })),
    }),
  }),
  previewServlet: call({
    summary: 'Answers a content to be shown, or a range of it',
    title: { zh: '预览', en: 'Preview' },
    notes:
      'With the right to preview alone nothing is answered as it is stored. Opened as a page of its own, it leads to the previewer.',
    answers: '*/*',
    statuses: [206, 302, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/preview/content',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: toPreview,
    input: z.strictObject({ fileId: Id, version: Count.optional(), reviewId: ReviewId }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes,
  }),
  renditionServlet: call({
    summary: 'Answers what was made of a file to be shown, or a range of it',
    title: { zh: '预览', en: 'Preview' },
    notes:
      'In the form that the sources tell in contract/documents/renditions.ts. With `from`, while it is being made: some of the pages that are there already, from this one on, 1 at first; -200 where it is not there yet. Opened as a page of its own, it leads to the previewer.',
    answers: 'application/octet-stream',
    statuses: [206, 302, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/preview/rendition',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: toPreview,
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      form: z.enum(['view', 'thumbnail', 'words', 'pages']).default('view'),
      from: Count.optional(),
      reviewId: ReviewId,
    }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: [...codes, 'converting'],
  }),
  /** Each document is answered separately: the call is refused only if the gate refuses all of them. */
  preparePdfs: call({
    summary: 'Makes a PDF of documents, sheets and presentations, and tells how far it is',
    log: 'none',
    notes:
      '`result` of each is -1 when downloadPdf answers it, -200 while it is being made, or why there is none: -205 where the server has no LibreOffice. With `start`, what has failed before is tried once more; a client that waits asks again without it.',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/preview/preparePdfs',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => input.fileIdArray.map((fId) => ({ item: file(fId), action: 'downloadPdf' }) as const),
    leavesOut: true,
    input: z.strictObject({
      fileIdArray: z.array(Id).min(1).max(200),
      start: Flag.default(false).describe('Tries once more what has failed before.'),
    }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: z.strictObject({
      list: z.array(z.strictObject({ fileId: z.int(), result: z.int(), msg: z.string(), percent: z.int() })),
    }),
    codes,
  }),
  downloadPdf: call({
    summary: 'Downloads the PDF that preparePdfs has made of a file',
    title: { zh: '下载为 PDF', en: 'Download as PDF' },
    notes: 'Counted, recorded, marked and encrypted like a download of the file. -200 where it is not made yet.',
    answers: 'application/pdf',
    statuses: [206, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/preview/downloadPdf/{fileId}',
    auth: 'query',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'downloadPdf' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: [...codes, 'converting', 'downloadLimit', ...markCodes],
  }),
  /**
   * Serves one file of an archive like {@link renditionServlet} serves a file: whole, generated on each request, not
   * cached.
   */
  archiveEntryServlet: call({
    summary: 'Answers what is shown of one file of an archive',
    title: { zh: '预览压缩包里的文件', en: 'Preview in an archive' },
    notes:
      '`path` as the listing of the archive tells it; for whoever may download the archive. -206 where it has a password, -205 where it is too large or nothing shows it.',
    answers: 'application/octet-stream',
    kind: 'stream',
    method: 'GET',
    path: '/services2/preview/archiveEntry',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'preview' }],
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      path: text(4000).min(1),
      names: NameEncodingOfArchive,
    }),
    sample: (ids) => ({ fileId: ids.fileId, path: 'a.txt' }),
    data: z.never(),
    codes,
  }),
}

export const preview = feature({
  about: { name: 'preview', text: 'What is shown of files' },
  objects: { reviewedVersion },
  calls: previewCalls,
  settings: {
    setting: {
      /**
       * 1: an office server displays the types in `officeServer`; 0: the previewer displays the renditions of this
       * server.
       */
      preview: z.int().min(0).max(1).default(0),
      /** Path of the office server, for clients that use one. */
      preview_context: z.string().max(500).default(''),
      /** Windows clients use a sandboxed preview for users without the download right ([R166]). */
      security_preview: z.boolean().default(false),
    },
    beside: {
      /** The server makes a PDF of office documents. Told by the server, never stored. */
      makes_pdf: z.boolean().default(false),
      /** Extensions by preview method ([R165]); set by `preview_download` and the settings after it. */
      preview_format: z
        .strictObject({
          download: formatSetting(defaultFormats.download),
          image: formatSetting(defaultFormats.image),
          yqServer: formatSetting(defaultFormats.yqServer),
          video: formatSetting(defaultFormats.video),
          thumbnail: formatSetting(defaultFormats.thumbnail),
          multiEdit: formatSetting(defaultFormats.multiEdit),
          officeServer: formatSetting(defaultFormats.officeServer),
        })
        .prefault({}),
    },
    inner: {
      /**
       * Browsers store opened files that the user may download, for reading while the server is unreachable ([R067]).
       */
      keep_offline: z.boolean().default(true),
      /** LibreOffice, or its WebAssembly build, makes pages and PDFs where the server has one of them. */
      page_engine: z.boolean().default(true),
      preview_download: formatSetting(defaultFormats.download),
      preview_image: formatSetting(defaultFormats.image),
      preview_server: formatSetting(defaultFormats.yqServer),
      preview_video: formatSetting(defaultFormats.video),
      preview_thumbnail: formatSetting(defaultFormats.thumbnail),
      preview_multi_edit: formatSetting(defaultFormats.multiEdit),
      preview_office: formatSetting(defaultFormats.officeServer),
      /** Maximum number of workbook cells shown; further cells are cut off and reported (-203). */
      preview_cells: z.int().min(1000).max(5_000_000).default(500_000),
      /** Maximum bytes of the conversion cache, least recently viewed evicted first; 0: no limit. */
      preview_space: z
        .int()
        .min(0)
        .default(5 * 1024 ** 3),
    },
    administered: {
      preview: {
        label: { zh: '使用 Office 服务器预览', en: 'Preview by an office server' },
        note: {
          zh: '由本服务器生成预览，或使用 Office 服务器的预览页面。',
          en: 'Previews are made by this server, or shown on the page of an office server.',
        },
        power: 'system',
        group: 'preview',
        as: 'number',
        choices: ['previewHere', 'previewByOffice'],
        entered: z.int().min(0).max(1),
      },
      preview_context: {
        label: { zh: 'Office 服务器路径', en: 'Path of the office server' },
        note: {
          zh: '以 / 开头，本站转发给 Office 服务器的路径，例如 /office/view。',
          en: 'Begins with /; this site passes it on to the office server, for example /office/view.',
        },
        power: 'system',
        group: 'preview',
        as: 'text',
        entered: OfficePath,
      },
      security_preview: {
        label: { zh: '沙箱预览', en: 'Preview in a sandbox' },
        note: {
          zh: '没有下载权限的人在 Windows 客户端上用沙箱预览；在浏览器里用安全预览：带水印，不能复制和打印。',
          en: 'For people who may not download: in a sandbox on Windows, in browsers with a watermark, without copy and print.',
        },
        power: 'system',
        group: 'preview',
        as: 'switch',
      },
      keep_offline: {
        label: { zh: '离线阅读', en: 'Reading while offline' },
        note: {
          zh: '浏览器保留员工打开过且可以下载的文件，服务器连不上时也能阅读。有密级、受限或只能预览的文件从不保留。关闭后，已保留的在下次连接时清除。',
          en: 'Browsers keep files that people have opened and may download, to be read while the server is away; never those with a secret level, restricted ones, or what may only be looked at. Once switched off, what was kept goes with the next connection.',
        },
        power: 'system',
        group: 'preview',
        as: 'switch',
      },
      page_engine: {
        label: { zh: '用 LibreOffice 生成页面', en: 'Pages by LibreOffice' },
        note: {
          zh: '服务器有 LibreOffice 或其 WebAssembly 版时，用它生成预览页面、打印页面和 PDF；总览的“运行状况”里可以看到服务器有哪一种。关闭后，新的预览由本系统自己的阅读器生成，不再提供“下载为 PDF”，Word 文件也不能直接发起签署；已生成的预览保留。',
          en: 'Where the server has LibreOffice or its WebAssembly build, it makes the pages of previews and prints, and PDFs. “Health” in the overview tells which one the server has. While it is off, new previews are made by the readers of this product, “Download as PDF” is not offered, and Word files cannot be sent for signing as they are. Previews that have been made stay.',
        },
        power: 'system',
        group: 'preview',
        as: 'switch',
      },
      preview_cells: {
        label: { zh: '表格预览的单元格上限', en: 'Most cells of a workbook' },
        note: { zh: '超过的部分不显示，并会说明。', en: 'What is more is left out of a preview, and said.' },
        power: 'system',
        group: 'preview',
        as: 'number',
        entered: z.int().min(1000).max(5_000_000),
      },
      preview_download: {
        label: { zh: '只下载不预览的扩展名', en: 'Downloaded, not shown' },
        note: {
          zh: '这些文件打开时不显示内容，只提供下载；优先于其他列表。',
          en: 'Of these files no content is shown, only a download is offered, whatever the other lists say.',
        },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_image: {
        label: { zh: '图片', en: 'Pictures' },
        note: { zh: '按图片显示的扩展名。', en: 'Extensions that are shown as pictures.' },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_server: {
        label: { zh: '由本服务器显示', en: 'Shown by this server' },
        note: { zh: '由本服务器生成预览的扩展名。', en: 'Extensions of which this server makes a preview.' },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_video: {
        label: { zh: '音视频', en: 'Films and sounds' },
        note: { zh: '在线播放的扩展名。', en: 'Extensions that are played.' },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_thumbnail: {
        label: { zh: '缩略图', en: 'Small pictures' },
        note: { zh: '在列表里显示缩略图的扩展名。', en: 'Extensions that have a small picture in lists.' },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_multi_edit: {
        label: { zh: '多人编辑', en: 'Edited together' },
        note: { zh: '可多人同时在线编辑的扩展名。', en: 'Extensions that several people edit at once.' },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_office: {
        label: { zh: '由 Office 服务器显示', en: 'Shown by the office server' },
        note: {
          zh: '启用 Office 服务器时由它显示的扩展名；只有预览权限的人仍看到本服务器生成的内容。',
          en: 'Where one is in use. Who may only look is still shown what this server makes.',
        },
        power: 'system',
        group: 'preview',
        as: 'lines',
        entered: Extensions,
      },
      preview_space: {
        label: { zh: '预览缓存空间', en: 'Room for previews' },
        note: {
          zh: '最久没有人看的先清除；0 表示不限。',
          en: 'What nobody has looked at for longest goes first; 0 sets no limit.',
        },
        power: 'system',
        group: 'space',
        as: 'bytes',
      },
    },
  },
})
