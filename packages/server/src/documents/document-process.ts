/*
 * Reads one document in a process of its own (core/confined/confined.ts). The task and the extension are in the
 * arguments. With `ahead` the process starts in advance, loads the usual readers, and gets its task in a line before
 * the bytes. It answers one byte, 0 or 1, followed by the result or the reason for the failure. Progress goes to the
 * error channel, in thousandths.
 */
import { buffer } from 'node:stream/consumers'
import type { Pages, Rendition } from '@cloudoc/contract'
import { documentKind, extNameOf } from '@cloudoc/domain'
import { createContainer } from './container.ts'
import { textParts, textSectionsOf } from './extracted-text.ts'
import type { Reader } from './readers/reader.ts'
import { readers } from './readers/readers.ts'
import { type Refusal, Refused } from './refusal.ts'

/** Reports progress. */
function progress(share: number): void {
  process.stderr.write(`${Math.round(share * 1000)}\n`)
}

const quietMs = 200
const waited = process.argv[2] === 'ahead' ? await wait() : undefined
const [make = '', ext = '', cells = '500000', more = '', asked = ''] = waited?.told ?? process.argv.slice(2)
const content = async (): Promise<Buffer> => waited?.bytes ?? buffer(process.stdin)
const kind = documentKind(ext)
const mostCells = Number(cells)
/** The encoding of names in an archive, if requested. */
const names = asked === '' ? undefined : asked

async function wait(): Promise<{ readonly told: string[]; readonly bytes: Buffer }> {
  await Promise.all([readers.docx(), readers.xlsx(), readers.pptx()])
  // Preloads the PDF reader, the largest one, once the process has been idle for `quietMs`.
  const later = setTimeout(() => void readers.pdf(), quietMs)
  const chunks: Buffer[] = []
  let told: string[] | undefined
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    clearTimeout(later)
    chunks.push(chunk)
    if (told !== undefined || !chunk.includes(10)) continue
    const line = Buffer.concat(chunks)
    const end = line.indexOf(10)
    told = JSON.parse(line.toString('utf8', 0, end)) as string[]
    chunks.splice(0, Infinity, line.subarray(end + 1))
    // Acknowledges the task: the server then sends the document.
    progress(0)
  }
  return { told: told ?? [], bytes: Buffer.concat(chunks) }
}

async function readAs(ext: string, bytes: Buffer, parts: Parameters<Reader>[0]['parts']): Promise<Rendition> {
  const kind = documentKind(ext)
  if (kind === undefined) throw new Refused('conversionUnsupported')
  const reader = await readers[kind]()
  return reader({ bytes, ext, parts, mostCells, progress })
}
const read = (bytes: Buffer, parts: Parameters<Reader>[0]['parts']): Promise<Rendition> => readAs(ext, bytes, parts)

async function textSections(bytes: Buffer): Promise<Buffer> {
  if (kind === 'pdf') {
    const pages = await (await import('./readers/pdf.ts')).pdfTexts(bytes, progress)
    return Buffer.from(JSON.stringify(pages.map((text, n) => ({ kind: 'page', name: String(n + 1), text }))))
  }
  const parts = textParts()
  const rendition = await read(bytes, parts)
  return Buffer.from(JSON.stringify(textSectionsOf(rendition, parts.values)))
}

/** Pages and pictures for text recognition. */
async function scans(bytes: Buffer): Promise<Buffer> {
  const drawn =
    kind === 'picture'
      ? [{ page: 0, picture: await (await import('./readers/picture.ts')).greyPicture(bytes, ext) }]
      : kind === 'pdf'
        ? await (await import('./readers/pdf.ts')).drawWordless(bytes, Number(more))
        : []
  const head = Buffer.from(JSON.stringify(drawn.map(({ page, picture }) => [page, picture.length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...drawn.map(({ picture }) => picture)])
}

/** One file of an archive or its rendition, preceded by one byte that tells whether it exists. */
async function entry(bytes: Buffer): Promise<Buffer> {
  if (kind !== 'archive') throw new Refused('conversionUnsupported')
  const { readEntry } = await import('./readers/archive.ts')
  const path = Buffer.from(more, 'base64url').toString()
  const found = await readEntry(bytes, ext, path, names)
  if (found === undefined) return Buffer.of(0)
  if (make === 'entry') return Buffer.concat([Buffer.of(1), found])
  const container = createContainer()
  return Buffer.concat([Buffer.of(1), container.pack(await readAs(extNameOf(path).toLowerCase(), found, container))])
}

/** The number of pages and a small picture of the first one. */
async function firstPage(bytes: Buffer): Promise<Buffer> {
  const { picture, pages } = await (await import('./first-picture.ts')).firstPictureAndPages(bytes, ext)
  const count = Buffer.alloc(4)
  count.writeUInt32LE(pages)
  return Buffer.concat([count, picture])
}

async function made(bytes: Buffer): Promise<Buffer> {
  if (make === 'entry' || make === 'entryRendition') return entry(bytes)
  if (make === 'words') return textSections(bytes)
  if (make === 'scans') return scans(bytes)
  if (make === 'faces') return Buffer.from(JSON.stringify((await import('./named-faces.ts')).namedFaces(bytes, ext)))
  if (make === 'inspection')
    return Buffer.from(JSON.stringify(await (await import('./inspect.ts')).inspect(bytes, ext)))
  if (make === 'trace') return Buffer.from(JSON.stringify(await (await import('./marks/trace.ts')).findTrace(bytes)))
  if (make === 'thumbnail') return firstPage(bytes)
  const container = createContainer()
  return container.pack(await read(bytes, container))
}

async function answer(): Promise<Buffer> {
  try {
    return Buffer.concat([Buffer.of(0), await made(await content())])
  } catch (error) {
    return Buffer.concat([Buffer.of(1), Buffer.from(JSON.stringify(refusalOf(error)))])
  }
}

/** Writes to the output. Resolves when the reader has taken the bytes, so that they do not pile up in memory. */
function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())))
}

/** Writes a piece of the output, preceded by its length. */
async function writePiece(...parts: readonly Uint8Array[]): Promise<void> {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0))
  for (const part of [length, ...parts]) await write(part)
}

/**
 * A rendition whose first pages are sent before the last ones are made: pieces that begin with 2, then the usual
 * answer.
 */
async function answerInSteps(): Promise<void> {
  try {
    if (kind !== 'pdf') throw new Refused('conversionUnsupported')
    const { readPdf } = await import('./readers/pdf.ts')
    const container = createContainer()
    const pdf = await content()
    const faces = JSON.parse(more || '[]') as string[]
    const replaced = faces.length === 0 ? [] : (await import('./named-faces.ts')).replacedFaces(faces, pdf)
    const some = async (packed: Buffer, first: number, pages: number): Promise<void> => {
      const where = Buffer.alloc(8)
      where.writeUInt32LE(first)
      where.writeUInt32LE(pages, 4)
      await writePiece(Buffer.of(2), where, packed)
    }
    const body = await readPdf({ bytes: pdf, ext, parts: container, mostCells, progress }, some)
    const told: Pages = replaced.length === 0 ? body : { ...body, replacedFaces: replaced }
    await writePiece(Buffer.of(0), container.pack(told))
  } catch (error) {
    await writePiece(Buffer.of(1), Buffer.from(JSON.stringify(refusalOf(error))))
  }
}

/** Any error that a reader meets is treated as a fault of the document. */
function refusalOf(error: unknown): { readonly code: Refusal; readonly message: string } {
  const code = error instanceof Refused ? error.code : 'conversionFailed'
  return { code, message: (error instanceof Error ? error.message : '').slice(0, 200) }
}

/**
 * Unpacks a whole archive: for each file the length of its header, the header and the bytes. A header of length zero
 * ends the stream.
 */
async function unpackAll(): Promise<void> {
  const head = async (value: unknown): Promise<void> => {
    const json = Buffer.from(value === undefined ? '' : JSON.stringify(value))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(json.length)
    await write(Buffer.concat([length, json]))
  }
  try {
    if (kind !== 'archive') throw new Refused('conversionUnsupported')
    const { unpack } = await import('./readers/archive.ts')
    for await (const { bytes, ...file } of unpack(await content(), ext, names)) {
      if (typeof bytes === 'string') await head({ ...file, size: 0, left: bytes })
      else {
        await head({ ...file, size: bytes.length })
        if (bytes.length > 0) await write(bytes)
      }
    }
    await head(undefined)
  } catch (error) {
    await head({ refusal: refusalOf(error) })
  }
}

if (make === 'unpack') {
  await unpackAll()
  process.exit(0)
}
if (make === 'steps') await answerInSteps()
const bytes = make === 'steps' ? Buffer.alloc(0) : await answer()
process.stdout.write(bytes, () => process.exit(0))
