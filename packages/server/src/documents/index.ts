/*
 * Reads uploaded documents: as text, as a rendition for the browser, as a thumbnail. Each document is read in a
 * confined process of its own (document-process.ts).
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Watermark } from '@cloudoc/contract'
import { documentKind, limits, type NameEncoding } from '@cloudoc/domain'
import { ConfinedFailure, type Limits, runConfined, siblingProgram } from '../core/confined/confined.ts'
import type { TextSection } from './extracted-text.ts'
import type { Inspection } from './inspect.ts'
import type { FoundTrace } from './marks/trace.ts'
import { largestEntry, longestHead, mostListed, mostUnpacked } from './readers/archive-limits.ts'
import { type Refusal, Refused, refusals } from './refusal.ts'

export { emptyDocument } from './empty-documents.ts'
export type { TextSection } from './extracted-text.ts'
export type { InspectedSection, Inspection, NotRead } from './inspect.ts'
export type { FoundTrace } from './marks/trace.ts'
export { traceOf } from './marks/trace-code.ts'
export { withoutMetadata } from './picture-metadata.ts'
export { afterOthers, beforeOthers } from './precedence.ts'
export { type Refusal, Refused } from './refusal.ts'
export { type Report, type ReportLine, writeReport } from './report.ts'

/** The version of the readers' output. Changing it makes everything be generated again. */
export const readersVersion = 9

/** A document to read. */
export interface Source {
  readonly content: Readable
  readonly size: number
  readonly ext: string
}

export interface How {
  readonly signal?: AbortSignal | undefined
  /** Maximum number of table cells to read. */
  readonly mostCells?: number
  /** A user is waiting for it: a process started in advance reads it. */
  readonly isWaitedFor?: boolean
  /** Receives the progress, in thousandths. */
  readonly progress?: (thousandths: number) => void
}

/** Maximum size of a document in bytes. */
export const { largestDocument } = limits
const mb = 1024 * 1024
const program = siblingProgram(import.meta.url, 'document-process')
const markProgram = siblingProgram(import.meta.url, 'mark-process')

const limitsFor = (size: number, seconds: number): Limits => ({
  wallMs: seconds * 1000,
  cpuSeconds: seconds,
  heapMb: 1024,
  otherMb: 768 + Math.ceil((4 * size) / mb),
  outputBytes: 300 * mb,
})

/** Maximum number of concurrent reads in this process. */
export const readConcurrency = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * Maximum size of a document that a process started in advance reads. Its memory limit is set before its document is
 * known.
 */
const largestAhead = 8 * mb
/** How a process gets its task: one started in advance, or a new one. */
const processArgs = (waits: boolean, size: number, seconds: number, args: readonly string[]) =>
  waits && size <= largestAhead
    ? { args: ['ahead'], told: args, limits: limitsFor(largestAhead, seconds) }
    : { args, limits: limitsFor(size, seconds) }

async function read(
  make: 'words' | 'faces' | 'inspection' | 'scans' | 'rendition' | 'thumbnail' | 'entry' | 'entryRendition' | 'trace',
  source: Source,
  how: How,
  seconds: number,
  more: readonly string[] = [],
): Promise<Buffer> {
  if (source.size > largestDocument) throw new Refused('conversionUnsupported', 'it is too large')
  const answer = await runConfined({
    program,
    ...processArgs(make === 'rendition' || how.isWaitedFor === true, source.size, seconds, [
      ...[make, source.ext.toLowerCase(), String(how.mostCells ?? 500_000)],
      ...more,
    ]),
    input: source.content,
    ...(how.signal === undefined ? {} : { signal: how.signal }),
    ...(how.progress === undefined ? {} : { progress: how.progress }),
  })
  return answered(answer)
}

/** Returns the result of a reader; throws its refusal. */
function answered(answer: Buffer): Buffer {
  const made = answer.subarray(1)
  if (answer[0] === 0) return made
  const { code, message } = JSON.parse(made.toString()) as { code: Refusal; message: string }
  throw new Refused(code, message)
}

/**
 * Extracts the text of a document, by page, sheet or slide if it has them. Throws Refused if it cannot be read, and the
 * errors of runConfined if its reader exceeded its limits.
 */
export async function extractText(source: Source, how: How = {}): Promise<TextSection[]> {
  return JSON.parse((await read('words', source, how, 60)).toString()) as TextSection[]
}

/**
 * Extracts the whole text of a document, of the files in it, and of sheets by cell. Throws the errors of runConfined if
 * its reader exceeded its limits; what cannot be read is listed in the result.
 */
export async function inspectDocument(source: Source, how: How = {}): Promise<Inspection> {
  return JSON.parse((await read('inspection', source, how, 60)).toString()) as Inspection
}

/** The faces that a document names (named-faces.ts). */
export async function readFaces(source: Source, how: How = {}): Promise<string[]> {
  return JSON.parse((await read('faces', source, how, 30)).toString()) as string[]
}

/** Whether {@link extractText} supports an extension. */
export function hasText(ext: string): boolean {
  const kind = documentKind(ext)
  return kind !== undefined && kind !== 'picture'
}

/** Makes the rendition of a document for browsers (contract/documents/renditions.ts), packed. */
export function makeRendition(source: Source, how: How = {}): Promise<Buffer> {
  return read('rendition', source, how, 180)
}

/** Some pages of a rendition, packed as a rendition of their own. */
export interface SomePages {
  readonly packed: Buffer
  /** The number of the first page, from 1, and the number of pages. */
  readonly first: number
  readonly pages: number
}

/** The time for drawing and encoding the pages of a document, several hundred of them on a slow machine. */
const pagesSeconds = 600
/** The time for marking the pictures of a rendition, which are decoded and encoded again: as many, however small. */
const markSeconds = (size: number): number => pagesSeconds + Math.ceil((5 * size) / mb)

/**
 * Like {@link makeRendition} for a PDF. The first pages are passed to `take` while the others are being made. `faces` are
 * those that the document from which the PDF was made names: the rendition tells which of them it does not have.
 */
export async function makePages(
  source: Source,
  how: How,
  take: (pages: SomePages) => Promise<void>,
  faces: readonly string[] = [],
): Promise<Buffer> {
  if (source.size > largestDocument) throw new Refused('conversionUnsupported', 'it is too large')
  const task = ['steps', source.ext.toLowerCase(), '0', JSON.stringify(faces)]
  const confined = processArgs(true, source.size, pagesSeconds, task)
  let answer: Buffer | undefined
  await runConfined({
    program,
    ...confined,
    input: source.content,
    async take(chunks) {
      const read = readerOf(chunks)
      let total = 0
      while (answer === undefined) {
        const length = (await read(4)).readUInt32LE(0)
        total += length
        // The limit is doubled, since the first pages are sent twice.
        if (length < 1 || total > 2 * confined.limits.outputBytes)
          throw new ConfinedFailure('output', 'it writes too much')
        const piece = await read(length)
        if (piece[0] !== 2) answer = piece
        else if (length < 9) throw new ConfinedFailure('output', 'a piece that is none')
        else await take({ first: piece.readUInt32LE(1), pages: piece.readUInt32LE(5), packed: piece.subarray(9) })
      }
    },
    ...(how.signal === undefined ? {} : { signal: how.signal }),
    ...(how.progress === undefined ? {} : { progress: how.progress }),
  })
  return answered(answer ?? Buffer.alloc(0))
}

/**
 * Whether LibreOffice, if installed, makes the pages of such files (core/confined/office.ts). Sheets are shown as
 * sheets.
 */
export function hasPages(ext: string): boolean {
  const kind = documentKind(ext)
  if (kind === 'odf') return !['ods', 'ots'].includes(ext.toLowerCase())
  return kind !== undefined && ['docx', 'pptx', 'doc', 'ppt', 'rtf'].includes(kind)
}

/** What the first page of a document tells. */
export interface FirstPagePreview {
  /** The thumbnail, as WebP. */
  readonly picture: Buffer
  /** Number of pages or slides; 0 if the document does not tell. */
  readonly pages: number
}

/** Makes a thumbnail of a document and counts its pages. */
export async function previewFirstPage(source: Source, how: How = {}): Promise<FirstPagePreview> {
  const answer = await read('thumbnail', source, how, 30)
  return { pages: answer.readUInt32LE(0), picture: answer.subarray(4) }
}

/** Makes a thumbnail of a document, as WebP. */
export async function makeThumbnail(source: Source, how: How = {}): Promise<Buffer> {
  return (await previewFirstPage(source, how)).picture
}

/** A page with hardly any text, or a picture (page 0), as an image for text recognition. */
export interface Scan {
  readonly page: number
  /** As PNG. */
  readonly picture: Buffer
}

/** Draws the pages of a document that have fewer than that many letters; at most some dozens of pages. */
export async function drawScans(source: Source, fewLetters: number, how: How = {}): Promise<Scan[]> {
  const answer = await read('scans', source, how, 180, [String(fewLetters)])
  const end = 4 + answer.readUInt32LE(0)
  const pages = JSON.parse(answer.toString('utf8', 4, end)) as (readonly [page: number, size: number])[]
  let at = end
  return pages.map(([page, size]) => {
    at += size
    return { page, picture: answer.subarray(at - size, at) }
  })
}

/** A file in an archive, by the path in its listing, with names decoded in an encoding. */
export interface EntryName {
  readonly path: string
  readonly names?: NameEncoding | undefined
}

const entryArgs = ({ path, names }: EntryName): string[] => [
  Buffer.from(path).toString('base64url'),
  ...(names === undefined ? [] : [names]),
]

/** Returns one file of an archive; undefined if it does not exist. */
export async function takeEntry(source: Source, entry: EntryName, how: How = {}): Promise<Buffer | undefined> {
  const answer = await read('entry', source, how, 60, entryArgs(entry))
  return answer[0] === 1 ? answer.subarray(1) : undefined
}

/** Makes the rendition of one file of an archive; undefined if it does not exist. */
export async function makeEntryRendition(source: Source, entry: EntryName, how: How = {}): Promise<Buffer | undefined> {
  const answer = await read('entryRendition', source, how, 120, entryArgs(entry))
  return answer[0] === 1 ? answer.subarray(1) : undefined
}

/** One file of an archive, or a folder, whose path ends with a slash. */
export interface UnpackedFile {
  readonly path: string
  /** Milliseconds since 1970; 0 if the archive does not tell. */
  readonly modified: number
  /** Or why it cannot be extracted. */
  readonly bytes: Buffer | Refusal
}

/** Passes all files of an archive to `take`, one after another, each after the previous `take` has finished. */
export async function unpackArchive(
  source: Source,
  take: (file: UnpackedFile) => Promise<void>,
  how: How & { readonly names?: NameEncoding | undefined } = {},
): Promise<void> {
  if (source.size > largestDocument) throw new Refused('conversionUnsupported', 'it is too large')
  await runConfined({
    program,
    args: ['unpack', source.ext.toLowerCase(), '0', '', how.names ?? ''],
    input: source.content,
    limits: limitsFor(source.size, 300),
    async take(chunks) {
      const read = readerOf(chunks)
      let total = 0
      for (let count = 0; ; count++) {
        const length = (await read(4)).readUInt32LE(0)
        if (length === 0) return
        if (length > longestHead) throw new ConfinedFailure('output', 'it says too much')
        const head = JSON.parse((await read(length)).toString()) as
          | { readonly refusal: { readonly code: Refusal; readonly message: string } }
          | (Omit<UnpackedFile, 'bytes'> & {
              readonly size: number
              readonly left?: Refusal
              readonly refusal?: undefined
            })
        if (head.refusal !== undefined) throw new Refused(head.refusal.code, head.refusal.message)
        if (count === mostListed) throw new ConfinedFailure('output', 'it says too much')
        if (head.size < 0) throw new ConfinedFailure('output', 'a size that is none')
        total += head.size
        // The reader enforces these limits too, unless a document has compromised it.
        if (head.size > largestEntry || total > mostUnpacked) throw new ConfinedFailure('output', 'it writes too much')
        await take({
          path: head.path,
          modified: head.modified,
          bytes: skipReason(head.left) ?? (await read(head.size)),
        })
      }
    },
    ...(how.signal === undefined ? {} : { signal: how.signal }),
  })
}

/** The reason why the process omits an entry. A process compromised by a document may send anything. */
const skipReason = (said: Refusal | undefined): Refusal | undefined =>
  said === undefined || refusals.includes(said) ? said : 'conversionFailed'

/** Returns a function that reads a number of bytes from a stream and fails if it ends early. */
function readerOf(chunks: AsyncIterable<Buffer>): (size: number) => Promise<Buffer> {
  const next = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (size) => {
    const parts = [rest]
    for (let have = rest.length; have < size; ) {
      const came = await next.next()
      if (came.done === true) throw new ConfinedFailure('ended', 'it broke off')
      parts.push(came.value)
      have += came.value.length
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts)
    rest = all.subarray(size)
    return all.subarray(0, size)
  }
}

/** Finds the invisible mark in a screenshot or photo, if there is one. */
export async function findTrace(source: Source, how: How = {}): Promise<FoundTrace> {
  return JSON.parse((await read('trace', source, how, 60)).toString()) as FoundTrace
}

/** Adds a watermark to a document or a rendition. Throws Refused if it cannot carry one. */
export async function makeMarked(
  make: 'copy' | 'rendition',
  source: Source,
  mark: Watermark,
  how: How = {},
): Promise<Buffer> {
  if (source.size > largestDocument) throw new Refused('conversionUnsupported', 'it is too large')
  const about = Buffer.from(JSON.stringify({ make, ext: source.ext.toLowerCase(), mark }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(about.length)
  const input = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.concat([length, about])
    yield* source.content as AsyncIterable<Buffer>
  }
  return answered(
    await runConfined({
      program: markProgram,
      input: Readable.from(input(), { objectMode: false }),
      limits: limitsFor(source.size, markSeconds(source.size)),
      ...(how.signal === undefined ? {} : { signal: how.signal }),
      ...(how.progress === undefined ? {} : { progress: how.progress }),
    }),
  )
}

export { ConfinedFailure }
