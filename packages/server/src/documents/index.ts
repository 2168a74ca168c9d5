/*
 * What people put into the drive, read: as words, as a rendition that a browser shows, as a small picture. Reading happens in
 * confined processes that have one document each (document-process.ts).
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Watermark } from '@cloudoc/contract'
import { documentKind, limits, type NameEncoding } from '@cloudoc/domain'
import { ConfinedFailure, type Limits, runConfined, siblingProgram } from '../core/confined/confined.ts'
import type { TextSection } from './extracted-text.ts'
import type { FoundTrace } from './marks/trace.ts'
import { largestEntry, longestHead, mostListed, mostUnpacked } from './readers/archive-limits.ts'
import { type Refusal, Refused, refusals } from './refusal.ts'

export { emptyDocument } from './empty-documents.ts'
export type { TextSection } from './extracted-text.ts'
export type { FoundTrace } from './marks/trace.ts'
export { traceOf } from './marks/trace-code.ts'
export { afterOthers, beforeOthers } from './precedence.ts'
export { type Refusal, Refused } from './refusal.ts'

/** The version of what is made; whatever changes it makes everything anew. */
export const readersVersion = 6

/** A document to be read. */
export interface Source {
  readonly content: Readable
  readonly size: number
  readonly ext: string
}

export interface How {
  readonly signal?: AbortSignal | undefined
  /** Cells of tables that are read. */
  readonly mostCells?: number
  /** Somebody waits for it: a process that has started already reads it. */
  readonly isWaitedFor?: boolean
  /** Hears how far it is, in thousandths. */
  readonly progress?: (thousandths: number) => void
}

/** Bytes of the largest document that is read. */
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

/** So many are read at once in this process. */
export const readConcurrency = Math.max(1, Math.min(2, availableParallelism() - 1))

/** What is opened is read by a process that waits for it, up to this size: its memory is bound before it knows what comes. */
const largestAhead = 8 * mb
/** How a process is told what to make: one that waits, or one of its own. */
const processArgs = (waits: boolean, size: number, seconds: number, args: readonly string[]) =>
  waits && size <= largestAhead
    ? { args: ['ahead'], told: args, limits: limitsFor(largestAhead, seconds) }
    : { args, limits: limitsFor(size, seconds) }

async function read(
  make: 'words' | 'scans' | 'rendition' | 'thumbnail' | 'entry' | 'entryRendition' | 'trace',
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

/** What a reader has made; throws what it says instead. */
function answered(answer: Buffer): Buffer {
  const made = answer.subarray(1)
  if (answer[0] === 0) return made
  const { code, message } = JSON.parse(made.toString()) as { code: Refusal; message: string }
  throw new Refused(code, message)
}

/**
 * The words of a document, by pages, sheets or slides where it has them. Throws Refused where it cannot be read, and what
 * runConfined throws where its reader came to its limits.
 */
export async function extractText(source: Source, how: How = {}): Promise<TextSection[]> {
  return JSON.parse((await read('words', source, how, 60)).toString()) as TextSection[]
}

/** Whether {@link extractText} knows files of an extension. */
export function hasText(ext: string): boolean {
  const kind = documentKind(ext)
  return kind !== undefined && kind !== 'picture'
}

/** What a browser shows of a document (contract/documents/renditions.ts), packed. */
export function makeRendition(source: Source, how: How = {}): Promise<Buffer> {
  return read('rendition', source, how, 180)
}

/** Some pages of a rendition, packed as one of their own. */
export interface SomePages {
  readonly packed: Buffer
  /** The number of the first of them, from 1, and how many they are. */
  readonly first: number
  readonly pages: number
}

/** As {@link makeRendition} does of a PDF, with the first pages given to `take` while the others are being made. */
export async function makePages(source: Source, how: How, take: (pages: SomePages) => Promise<void>): Promise<Buffer> {
  if (source.size > largestDocument) throw new Refused('conversionUnsupported', 'it is too large')
  const confined = processArgs(true, source.size, 180, ['steps', source.ext.toLowerCase(), '0'])
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
        // The pages come twice.
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

/** Whether pages of such files are made by LibreOffice where it is there (core/confined/office.ts): sheets are shown as sheets. */
export function hasPages(ext: string): boolean {
  const kind = documentKind(ext)
  if (kind === 'odf') return !['ods', 'ots'].includes(ext.toLowerCase())
  return kind !== undefined && ['docx', 'pptx', 'doc', 'ppt', 'rtf'].includes(kind)
}

/** What is known of a document once its first page was looked at. */
export interface FirstPagePreview {
  /** The small picture, as WebP. */
  readonly picture: Buffer
  /** Pages or slides; 0 where it does not say how many. */
  readonly pages: number
}

/** A small picture of a document, and how many pages it has. */
export async function previewFirstPage(source: Source, how: How = {}): Promise<FirstPagePreview> {
  const answer = await read('thumbnail', source, how, 30)
  return { pages: answer.readUInt32LE(0), picture: answer.subarray(4) }
}

/** A small picture of a document, as WebP. */
export async function makeThumbnail(source: Source, how: How = {}): Promise<Buffer> {
  return (await previewFirstPage(source, how)).picture
}

/** A page that has hardly any words of its own, or a picture (page 0), as it is looked at for words. */
export interface Scan {
  readonly page: number
  /** As PNG. */
  readonly picture: Buffer
}

/** What of a document has fewer letters than so many, drawn; not more than some dozens of pages. */
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

/** A file of an archive, by the path that its listing tells, its names read in an encoding. */
export interface EntryName {
  readonly path: string
  readonly names?: NameEncoding | undefined
}

const entryArgs = ({ path, names }: EntryName): string[] => [
  Buffer.from(path).toString('base64url'),
  ...(names === undefined ? [] : [names]),
]

/** One file of an archive; undefined where there is none. */
export async function takeEntry(source: Source, entry: EntryName, how: How = {}): Promise<Buffer | undefined> {
  const answer = await read('entry', source, how, 60, entryArgs(entry))
  return answer[0] === 1 ? answer.subarray(1) : undefined
}

/** What a browser shows of one file of an archive; undefined where there is none. */
export async function makeEntryRendition(source: Source, entry: EntryName, how: How = {}): Promise<Buffer | undefined> {
  const answer = await read('entryRendition', source, how, 120, entryArgs(entry))
  return answer[0] === 1 ? answer.subarray(1) : undefined
}

/** One file of an archive, or a folder, with a slash at the end of its path. */
export interface UnpackedFile {
  readonly path: string
  /** Milliseconds since 1970; 0 where the archive does not say. */
  readonly modified: number
  /** Or why it cannot be taken out. */
  readonly bytes: Buffer | Refusal
}

/** Gives everything in an archive to `take`, one file after another, each once what took the one before is done. */
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
        if (length > longestHead || count === mostListed) throw new ConfinedFailure('output', 'it says too much')
        const head = JSON.parse((await read(length)).toString()) as
          | { readonly refusal: { readonly code: Refusal; readonly message: string } }
          | (Omit<UnpackedFile, 'bytes'> & {
              readonly size: number
              readonly left?: Refusal
              readonly refusal?: undefined
            })
        if (head.refusal !== undefined) throw new Refused(head.refusal.code, head.refusal.message)
        if (head.size < 0) throw new ConfinedFailure('output', 'a size that is none')
        total += head.size
        // The reader holds to this as well, as long as no document has got the better of it.
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

/** Why an entry is left out, as the process says it; one that some document has got the better of may say anything. */
const skipReason = (said: Refusal | undefined): Refusal | undefined =>
  said === undefined || refusals.includes(said) ? said : 'conversionFailed'

/** What reads so many bytes of a stream, and fails where it ends before. */
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

/** The invisible mark in a screenshot or photo, where there is one. */
export async function findTrace(source: Source, how: How = {}): Promise<FoundTrace> {
  return JSON.parse((await read('trace', source, how, 60)).toString()) as FoundTrace
}

/** A document, or what is shown of one, with a watermark in it. Refused where it cannot bear one. */
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
      limits: limitsFor(source.size, 120),
      ...(how.signal === undefined ? {} : { signal: how.signal }),
      ...(how.progress === undefined ? {} : { progress: how.progress }),
    }),
  )
}

export { ConfinedFailure }
