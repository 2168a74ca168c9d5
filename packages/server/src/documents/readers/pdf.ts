// PDF: pages as pictures, and the text of each.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Pages, PageWord } from '@cloudoc/contract'
import type { HiddenContentKind } from '@cloudoc/domain'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import {
  getDocument,
  type PageViewport,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { createContainer, mostBytes } from '../container.ts'
import { Refused } from '../refusal.ts'
import type { Hidden, Reading } from './reader.ts'

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/** Maximum number of pages that are drawn; the text of all pages is read. */
const mostPages = 500
/** Finished pages are reported after one, three, nine pages, and so on, at least every `longestStep` pages. */
const stepGrows = 3
const longestStep = 24
/** Pixels per CSS pixel of a drawn page. */
const dense = 1.6
const mostPixels = 12_000_000
const pointPx = 96 / 72

/** Opens a document; the caller has to destroy it. */
async function openPdf(bytes: Buffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: join(folder, 'cmaps/'),
    standardFontDataUrl: join(folder, 'standard_fonts/'),
    wasmUrl: join(folder, 'wasm/'),
    enableXfa: false,
    useSystemFonts: true,
    disableFontFace: true,
    verbosity: 0,
  }).promise.catch((error: Error) => {
    throw new Refused(error.name === 'PasswordException' ? 'sourceEncrypted' : 'conversionFailed', error.message)
  })
}

/**
 * Draws one page, as large as fits, and returns it encoded. The canvas is emptied at once: the garbage collector does
 * not see its pixels, about 10 MB a page, and would let them add up to the limit of the process.
 */
async function drawPage(page: PDFPageProxy, scale: number, encode: (canvas: Canvas) => Buffer): Promise<Buffer> {
  const whole = page.getViewport({ scale })
  const fit = Math.min(1, Math.sqrt(mostPixels / (whole.width * whole.height)))
  const viewport = page.getViewport({ scale: scale * fit })
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  try {
    await page.render({ canvas: canvas as never, viewport }).promise
    return encode(canvas)
  } finally {
    canvas.width = 0
    canvas.height = 0
    page.cleanup()
  }
}

const asPng = (canvas: Canvas): Buffer => canvas.toBuffer('image/png')

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>

/** What has been filled into the form fields of a page. It is drawn, but is not part of the text of the page. */
async function filledIn(page: PDFPageProxy): Promise<string[]> {
  const annotations = (await page.getAnnotations()) as readonly {
    readonly subtype?: string
    readonly fieldType?: string
    readonly fieldValue?: unknown
    readonly password?: boolean
  }[]
  return annotations.flatMap(({ subtype, fieldType, fieldValue, password }) => {
    if (subtype !== 'Widget' || (fieldType !== 'Tx' && fieldType !== 'Ch') || password === true) return []
    const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
    return values.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  })
}

/** The text of a page, in lines, and what is filled in. */
async function textOf(page: PDFPageProxy, content?: TextContent): Promise<string> {
  const text = linesOf(content ?? (await page.getTextContent()))
  const values = (await filledIn(page)).map((one) => one.normalize('NFKC'))
  // A value with an appearance of its own can be among the text already.
  return [text, ...values.filter((one) => !text.includes(one))].filter((one) => one !== '').join('\n')
}

/** The text of a page, in lines. */
function linesOf({ items }: TextContent): string {
  return items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('')
    .normalize('NFKC')
}

/** The positions of the text on a page; vertical and upside-down text is omitted. */
function pageWords({ items }: TextContent, { width, height, transform }: PageViewport): PageWord[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform as readonly number[]
  const words: PageWord[] = []
  for (const item of items) {
    if (!('str' in item) || (item.str === '' && !item.hasEOL)) continue
    const [p = 1, q = 0, r = 0, s = 1, x = 0, y = 0] = item.transform as readonly number[]
    const across = [a * p + c * q, b * p + d * q] as const
    if (across[0] <= 0 || Math.abs(across[1]) > across[0] / 20) continue
    const size = Math.hypot(a * r + c * s, b * r + d * s)
    const [left, baseline] = [a * x + c * y + e, b * x + d * y + f]
    if (left < 0 || left > width || baseline < 0 || baseline > height + size) continue
    const round = (value: number): number => Math.round(value * 10) / 10
    const place = [round(left), round(baseline - size * 0.85), round(item.width * pointPx), round(size)] as const
    words.push(item.hasEOL ? [item.str, ...place, 1] : [item.str, ...place])
  }
  return words
}

type Page = Pages['pages'][number]

/** Yields pages as they are drawn, each with its picture. */
async function* drawnPages(pdf: PDFDocumentProxy, count: number): AsyncGenerator<readonly [Page, picture: Buffer]> {
  for (let n = 1; n <= count; n += 1) {
    const page = await pdf.getPage(n)
    const viewport = page.getViewport({ scale: pointPx })
    const content = await page.getTextContent()
    const text = await textOf(page, content)
    const picture = await drawPage(page, dense * pointPx, (canvas) => canvas.toBuffer('image/webp', 80))
    const { width, height } = viewport
    const words = pageWords(content, viewport)
    yield [{ part: 0, width: Math.round(width), height: Math.round(height), text, words }, picture]
  }
}

/**
 * Reads a PDF. With `some`, its first pages are reported, packed, before the last ones are made; drawing continues when
 * they have been taken, so that no more than one step is held twice. It ends before the pictures exceed what a
 * rendition holds: `of` still tells how many pages there are.
 */
export async function readPdf(
  { bytes, parts, progress }: Reading,
  some?: (packed: Buffer, first: number, pages: number) => Promise<void>,
): Promise<Pages> {
  const pdf = await openPdf(bytes)
  const count = Math.min(pdf.numPages, mostPages)
  const pages: Page[] = []
  let step = { container: createContainer(), pages: [] as Page[], until: 1 }
  let size = 0
  for await (const [page, picture] of drawnPages(pdf, count)) {
    size += picture.length
    if (size > mostBytes && pages.length > 0) break
    pages.push({ ...page, part: parts.bytes('image/webp', picture) })
    progress(pages.length / count)
    if (some === undefined) continue
    step.pages.push({ ...page, part: step.container.bytes('image/webp', picture) })
    if (pages.length < step.until || pages.length === count) continue
    const first = pages.length - step.pages.length + 1
    const body: Pages = { kind: 'pages', pages: step.pages, of: pdf.numPages, some: { first, pages: count } }
    await some(step.container.pack(body), first, step.pages.length)
    const until = Math.min(step.until * stepGrows, step.until + longestStep)
    step = { container: createContainer(), pages: [], until }
  }
  return { kind: 'pages', pages, of: pdf.numPages }
}

/** What a note on a page says. */
interface PageNote {
  readonly subtype?: string
  readonly contentsObj?: { readonly str?: string }
  readonly titleObj?: { readonly str?: string }
  readonly alternativeText?: string
  readonly fieldName?: string
  readonly fieldValue?: unknown
  readonly defaultFieldValue?: unknown
  readonly password?: boolean
  readonly fileId?: string
  readonly file?: { readonly filename?: string }
}

/** Tells what a page contains beside its text: comments, names and values of its form, attached files. */
async function reportHiddenOfPage(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  n: number,
  { shown, hidden }: { readonly shown: string; readonly hidden: Hidden },
): Promise<void> {
  const own = { kind: 'page', name: String(n) } as const
  const add = (place: HiddenContentKind, texts: readonly unknown[]): void => {
    const text = texts.filter((one): one is string => typeof one === 'string' && one.trim() !== '').join('\n')
    if (text !== '') hidden.add({ ...own, place, text })
  }
  for (const note of (await page.getAnnotations()) as readonly PageNote[]) {
    const isField = note.subtype === 'Widget'
    add(isField ? 'alternative' : 'comment', [note.contentsObj?.str])
    add('alternative', [note.alternativeText])
    if (note.fileId !== undefined) await enclose(pdf, note.fileId, note.file?.filename, hidden)
    if (!isField || note.password === true) continue
    const values = [note.fieldValue, note.defaultFieldValue].flat()
    add(
      'form',
      [...new Set(values)].filter((value) => typeof value === 'string' && !shown.includes(value)),
    )
  }
}

async function enclose(pdf: PDFDocumentProxy, id: string, name: string | undefined, hidden: Hidden): Promise<void> {
  const content = await pdf.getAttachmentContent(id)
  if (content === null) hidden.leave(name ?? id, 'conversionFailed')
  else hidden.enclose(name ?? id, Buffer.from(content))
}

/** Tells what a document contains beside its pages: properties, bookmarks, attached files. */
async function reportHiddenOfFile(pdf: PDFDocumentProxy, hidden: Hidden): Promise<void> {
  const { info } = (await pdf.getMetadata()) as { readonly info: Readonly<Record<string, unknown>> }
  const custom = (info['Custom'] ?? {}) as Readonly<Record<string, unknown>>
  const properties = Object.entries({ ...info, ...custom }).flatMap(([name, value]) =>
    typeof value === 'string' && !/^(PDFFormatVersion|Language|CreationDate|ModDate)$/.test(name)
      ? [`${name} ${value}`]
      : [],
  )
  const add = (place: HiddenContentKind, text: string): void => {
    if (text !== '') hidden.add({ kind: 'whole', name: '', place, text })
  }
  add('property', properties.join('\n'))
  const titles: string[] = []
  const walk = (items: Awaited<ReturnType<PDFDocumentProxy['getOutline']>>): void => {
    for (const { title, items: below } of items ?? []) {
      titles.push(title)
      walk(below as typeof items)
    }
  }
  walk(await pdf.getOutline())
  add('hidden', titles.join('\n'))
  for (const [id, { filename }] of (await pdf.getAttachments()) ?? []) await enclose(pdf, id, filename, hidden)
}

/** Returns the text only, page by page. */
export async function pdfTexts(bytes: Buffer, progress: Reading['progress'], hidden?: Hidden): Promise<string[]> {
  const pdf = await openPdf(bytes)
  if (hidden !== undefined) await reportHiddenOfFile(pdf, hidden)
  const words: string[] = []
  for (let n = 1; n <= pdf.numPages; n += 1) {
    const page = await pdf.getPage(n)
    const text = await textOf(page)
    words.push(text)
    if (hidden !== undefined) await reportHiddenOfPage(pdf, page, n, { shown: text, hidden })
    page.cleanup()
    progress(n / pdf.numPages)
  }
  return words
}

/** Draws the first page within a square of that side. */
export async function firstPage(bytes: Buffer, side: number): Promise<{ picture: Buffer; pages: number }> {
  const pdf = await openPdf(bytes)
  const page = await pdf.getPage(1)
  const { width, height } = page.getViewport({ scale: 1 })
  return { picture: await drawPage(page, side / Math.max(width, height), asPng), pages: pdf.numPages }
}

/** Maximum number of pages drawn for text recognition, and their resolution. */
const mostScans = 60
const scanScale = 200 / 72
const mostScanBytes = 200 * 1024 * 1024

/** Draws the pages that have fewer than that many letters. */
export async function drawWordless(bytes: Buffer, letters: number): Promise<{ page: number; picture: Buffer }[]> {
  const pdf = await openPdf(bytes)
  const drawn: { page: number; picture: Buffer }[] = []
  let size = 0
  for (let n = 1; n <= pdf.numPages && drawn.length < mostScans && size < mostScanBytes; n += 1) {
    const page = await pdf.getPage(n)
    if (linesOf(await page.getTextContent()).trim().length < letters) {
      const picture = await drawPage(page, scanScale, asPng)
      size += picture.length
      drawn.push({ page: n, picture })
    }
    page.cleanup()
  }
  return drawn
}
