// The document types of the search filter ([R241]).

const exts = {
  word: 'doc docx docm dot dotx dotm odt rtf wps',
  excel: 'xls xlsx xlsm xlt xltx xltm ods csv tsv et',
  ppt: 'ppt pptx pptm pps ppsx pot potx odp dps',
  pdf: 'pdf',
  image: 'png jpg jpeg gif webp bmp tif tiff svg avif ico heic psd',
  media: 'mp4 webm mov m4v ogv avi mkv wmv flv mp3 wav flac m4a aac ogg opus oga wma',
} as const

/** In display order. */
export const docTypes = ['word', 'excel', 'ppt', 'pdf', 'image', 'media', 'other', 'folder'] as const
export type DocType = (typeof docTypes)[number]

/** The extensions of each type; `other` and `folder` have none. */
export const docTypeExts: Readonly<Record<DocType, readonly string[]>> = {
  word: exts.word.split(' '),
  excel: exts.excel.split(' '),
  ppt: exts.ppt.split(' '),
  pdf: exts.pdf.split(' '),
  image: exts.image.split(' '),
  media: exts.media.split(' '),
  other: [],
  folder: [],
}

const byExt: ReadonlyMap<string, DocType> = new Map(
  docTypes.flatMap((type) => docTypeExts[type].map((ext) => [ext, type] as const)),
)

/** Returns the document type of an item. */
export function docTypeOf({ fType, ext }: { readonly fType: 1 | 2; readonly ext: string }): DocType {
  return fType === 2 ? 'folder' : (byExt.get(ext.toLowerCase()) ?? 'other')
}

/** Options of the search filters ([R241]): days back from now, and size ranges in bytes. */
export const searchDays = [1, 7, 30, 365] as const
const mb = 1024 * 1024
export const searchSizes: readonly { readonly from: number; readonly to: number | undefined }[] = [
  { from: 0, to: mb },
  { from: mb, to: 5 * mb },
  { from: 5 * mb, to: 25 * mb },
  { from: 25 * mb, to: 100 * mb },
  { from: 100 * mb, to: 1024 * mb },
  { from: 1024 * mb, to: undefined },
]
