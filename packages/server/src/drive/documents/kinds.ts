// Which kinds of file the server can read, by their extensions, and what it makes of each.

export type DocumentKind =
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odf'
  | 'pdf'
  | 'markdown'
  | 'html'
  | 'mail'
  | 'text'
  | 'table'
  | 'archive'
  | 'picture'
  | 'office'

const exts: Readonly<Record<DocumentKind, string>> = {
  docx: 'docx docm dotx dotm',
  xlsx: 'xlsx xlsm xltx xltm',
  pptx: 'pptx pptm ppsx ppsm potx',
  odf: 'odt ott ods ots odp otp',
  pdf: 'pdf',
  markdown: 'md markdown',
  html: 'html htm xhtml',
  mail: 'eml',
  table: 'csv tsv',
  archive: 'zip jar war tar',
  picture: 'png jpg jpeg gif webp bmp tif tiff svg avif ico',
  text:
    'txt log text json jsonl xml css scss less js mjs cjs ts tsx jsx vue py java kt c h cpp hpp cs go rs rb php sh bat ' +
    'cmd ps1 sql yml yaml toml ini conf cfg properties env gitignore dockerfile srt vtt diff patch tex swift lua pl r',
  /** Only an office program reads these. */
  office: 'doc dot xls xlt ppt pps rtf wps et dps',
}

const byExt: ReadonlyMap<string, DocumentKind> = new Map(
  Object.entries(exts).flatMap(([kind, list]) => list.split(' ').map((ext) => [ext, kind as DocumentKind] as const)),
)

/** The kind of a file by its extension; undefined where nothing reads it. */
export function documentKind(ext: string): DocumentKind | undefined {
  return byExt.get(ext.toLowerCase())
}

/** Whether an office program makes more of a kind than we do: with it, every page as it is printed. */
export function gainsFromOffice(kind: DocumentKind): boolean {
  return kind === 'office' || kind === 'odf' || kind === 'pptx'
}
