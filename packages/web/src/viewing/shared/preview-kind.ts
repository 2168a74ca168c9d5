// The viewer kind of a file, by extension.

export type PreviewKind = 'image' | 'pdf' | 'text' | 'table' | 'audio' | 'video'

const exts: Readonly<Record<PreviewKind, string>> = {
  image: 'png jpg jpeg gif bmp webp svg ico avif',
  pdf: 'pdf',
  text:
    'txt log text md markdown json jsonl xml html htm css scss less js mjs cjs ts tsx jsx vue py java kt c h cpp hpp cs ' +
    'go rs rb php sh bat cmd ps1 sql yml yaml toml ini conf cfg properties env gitignore dockerfile srt vtt diff patch tex',
  table: 'csv tsv',
  audio: 'mp3 wav flac m4a aac ogg opus oga',
  video: 'mp4 webm mov m4v ogv',
}

const kindByExt: ReadonlyMap<string, PreviewKind> = new Map(
  Object.entries(exts).flatMap(([kind, list]) => list.split(' ').map((ext) => [ext, kind as PreviewKind] as const)),
)

/** The viewer kind for an extension; undefined if there is none. */
export function previewKind(ext: string): PreviewKind | undefined {
  return kindByExt.get(ext)
}

const plain = new Set(['', 'txt', 'log', 'text', 'srt', 'vtt', 'gitignore', 'env'])

/** Whether a text has no language with syntax highlighting. */
export const isPlainText = (ext: string): boolean => plain.has(ext)
