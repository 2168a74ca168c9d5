/*
 * Reads one document, in a process of its own (core/confined/confined.ts): what to make of it and its extension stand in the
 * arguments, or, where that is `ahead`, in a line before its bytes, for which it waits with the usual readers there. It answers one byte, 0 or 1, and then what was made or why nothing was. How far it is goes
 * to the error channel, in thousandths.
 */
import { buffer } from 'node:stream/consumers'
import type { Rendition } from '@cloudoc/contract'
import { documentKind, extNameOf } from '@cloudoc/domain'
import { createContainer } from './container.ts'
import { textParts, textSectionsOf } from './extracted-text.ts'
import type { Reader } from './readers/reader.ts'
import { readers } from './readers/readers.ts'
import { type Refusal, Refused } from './refusal.ts'

/** How far it is. */
function progress(share: number): void {
  process.stderr.write(`${Math.round(share * 1000)}\n`)
}

const quietMs = 200
const waited = process.argv[2] === 'ahead' ? await wait() : undefined
const [make = '', ext = '', cells = '500000', more = '', asked = ''] = waited?.told ?? process.argv.slice(2)
const content = async (): Promise<Buffer> => waited?.bytes ?? buffer(process.stdin)
const kind = documentKind(ext)
const mostCells = Number(cells)
/** How names of an archive are read, where that was asked for. */
const names = asked === '' ? undefined : asked

async function wait(): Promise<{ readonly told: string[]; readonly bytes: Buffer }> {
  await Promise.all([readers.docx(), readers.xlsx(), readers.pptx()])
  // The largest, so only once nobody seems to be waiting already.
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
    // What follows is given to who has heard.
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

/** Pages and pictures as they are looked at for words. */
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

/** One file of an archive, or what is shown of it: one byte whether there is one, then it. */
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

/** How many pages there are, and a small picture of the first. */
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

/** What goes out in pieces, each behind its length. */
function writePiece(...parts: readonly Uint8Array[]): void {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0))
  for (const part of [length, ...parts]) process.stdout.write(part)
}

/** A rendition whose first pages go out before the last ones are made: pieces that begin with 2, then the answer as ever. */
async function answerInSteps(): Promise<void> {
  try {
    if (kind !== 'pdf') throw new Refused('conversionUnsupported')
    const { readPdf } = await import('./readers/pdf.ts')
    const container = createContainer()
    const reading = { bytes: await content(), ext, parts: container, mostCells, progress }
    const body = await readPdf(reading, (packed, first, pages) => {
      const where = Buffer.alloc(8)
      where.writeUInt32LE(first)
      where.writeUInt32LE(pages, 4)
      writePiece(Buffer.of(2), where, packed)
    })
    writePiece(Buffer.of(0), container.pack(body))
  } catch (error) {
    writePiece(Buffer.of(1), Buffer.from(JSON.stringify(refusalOf(error))))
  }
}

/** Whatever a document makes a reader stumble over is the document's fault. */
function refusalOf(error: unknown): { readonly code: Refusal; readonly message: string } {
  const code = error instanceof Refused ? error.code : 'conversionFailed'
  return { code, message: (error instanceof Error ? error.message : '').slice(0, 200) }
}

/** Everything of an archive, each file as the length of its head, its head and its bytes; a head of no length ends it. */
async function unpackAll(): Promise<void> {
  const write = (one: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => process.stdout.write(one, (error) => (error ? reject(error) : resolve())))
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
