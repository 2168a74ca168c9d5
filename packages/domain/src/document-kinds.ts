// Kinds of displayable files by extension: those that the server can parse and those that browsers can play.

/** One value per parser of the server. */
export type DocumentKind =
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odf'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'rtf'
  | 'ofd'
  | 'epub'
  | 'pdf'
  | 'markdown'
  | 'html'
  | 'mail'
  | 'text'
  | 'table'
  | 'archive'
  | 'picture'

const list = (words: string): readonly string[] => words.split(' ')

export const documentExts: Readonly<Record<DocumentKind, readonly string[]>> = {
  docx: list('docx docm dotx dotm'),
  xlsx: list('xlsx xlsm xltx xltm'),
  pptx: list('pptx pptm ppsx ppsm potx'),
  odf: list('odt ott ods ots odp otp'),
  doc: list('doc dot wps'),
  xls: list('xls xlt et'),
  ppt: list('ppt pps pot dps'),
  rtf: list('rtf'),
  ofd: list('ofd'),
  epub: list('epub'),
  pdf: list('pdf'),
  markdown: list('md markdown'),
  html: list('html htm xhtml'),
  mail: list('eml'),
  table: list('csv tsv'),
  archive: list('zip jar war tar tgz gz tbz2 bz2 txz xz rar 7z iso cab'),
  picture: list('png jpg jpeg gif webp bmp tif tiff svg avif ico psd heic heif'),
  text: list(
    'txt log text json jsonl xml css scss less js mjs cjs ts tsx jsx vue py java kt c h cpp hpp cs go rs rb php sh bat ' +
      'cmd ps1 sql yml yaml toml ini conf cfg properties env gitignore dockerfile srt vtt diff patch tex swift lua pl r',
  ),
}

const byExt: ReadonlyMap<string, DocumentKind> = new Map(
  Object.entries(documentExts).flatMap(([kind, exts]) => exts.map((ext) => [ext, kind as DocumentKind] as const)),
)

/** Returns the kind of a file by its extension; undefined if no parser reads it. */
export function documentKind(ext: string): DocumentKind | undefined {
  return byExt.get(ext.toLowerCase())
}

const officeKinds: ReadonlySet<DocumentKind | undefined> = new Set([
  'docx',
  'xlsx',
  'pptx',
  'odf',
  'doc',
  'xls',
  'ppt',
  'rtf',
])

/** Returns whether LibreOffice makes a PDF of files with this extension. */
export function isOfficeDocument(ext: string): boolean {
  return officeKinds.has(documentKind(ext))
}

const textKinds: ReadonlySet<DocumentKind | undefined> = new Set(['text', 'table', 'markdown', 'html'])

/** Returns whether files with this extension are edited as text in the page. */
export function isText(ext: string): boolean {
  return textKinds.has(documentKind(ext))
}

const filmExts = list('mp4 webm mov m4v ogv')
/** Video and audio formats that browsers play. */
export const mediaExts = [...filmExts, ...list('mp3 wav flac m4a aac ogg opus oga')]

/**
 * Returns the kind of thumbnail of a file. The server does not render videos; a browser that plays one uploads the
 * thumbnail.
 */
export function pictureKind(ext: string): Exclude<DocumentKind, 'archive'> | 'film' | undefined {
  const wanted = ext.toLowerCase()
  const kind = filmExts.includes(wanted) ? 'film' : documentKind(wanted)
  return kind === 'archive' ? undefined : kind
}

/** Lists of extensions by preview method ([R165]), in lower case. */
export interface PreviewFormats {
  /** Download only, overrides the other lists. */
  readonly download: readonly string[]
  /** Images. */
  readonly image: readonly string[]
  /** Types for which this server creates renditions. */
  readonly yqServer: readonly string[]
  /** Video and audio. */
  readonly video: readonly string[]
  /** Types with thumbnails in lists. */
  readonly thumbnail: readonly string[]
  /** Types that can be co-edited. */
  readonly multiEdit: readonly string[]
  /** Types shown by an office server, if there is one. */
  readonly officeServer: readonly string[]
}

/** Default lists of a new installation. */
export const defaultFormats: PreviewFormats = {
  download: [],
  image: documentExts.picture,
  yqServer: Object.entries(documentExts).flatMap(([kind, exts]) => (kind === 'picture' ? [] : exts)),
  video: mediaExts,
  thumbnail: [...Object.entries(documentExts).flatMap(([kind, exts]) => (kind === 'archive' ? [] : exts)), ...filmExts],
  multiEdit: list('docx xlsx pptx odt ods odp'),
  officeServer: list('docx xlsx pptx doc xls ppt'),
}

/** Returns what displays a file: an office server, this server, or nothing, in which case it is downloaded ([R164]). */
export function viewerOf(ext: string, formats: PreviewFormats, hasOffice: boolean): 'office' | 'server' | undefined {
  const wanted = ext.toLowerCase()
  const { download, image, yqServer, video, officeServer } = formats
  if (download.includes(wanted)) return undefined
  if (hasOffice && officeServer.includes(wanted)) return 'office'
  return [image, yqServer, video].some((exts) => exts.includes(wanted)) ? 'server' : undefined
}

/** Encodings to try for the names in archives that do not declare one. */
export const nameEncodings = ['utf-8', 'gb18030', 'big5', 'shift_jis', 'euc-kr', 'windows-1252'] as const
export type NameEncoding = (typeof nameEncodings)[number]
