// Watermarks in documents: the original content is preserved, and each page, sheet and slide has a watermark.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { degrees, PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib'
import type { Watermark } from '@cloudoc/contract'
import { defaultWatermark } from '@cloudoc/domain'
import { unzipSync, zipSync } from 'fflate'
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openedByOffice } from '../../../test/libreoffice.ts'
import { longPdf } from '../../../test/long-pdf.ts'
import { emptyDocument } from '../empty-documents.ts'
import { markOffice } from './office.ts'
import { markPdf } from './pdf.ts'
import { markPicture } from './picture.ts'

const mark: Watermark = { ...defaultWatermark, image: '', lines: ['林夏 linxia', '2026-11-20 10:30'] }
const nothing = (): void => undefined

/** The text of each page with its rotation as displayed, in degrees. */
async function wordsOf(bytes: Uint8Array) {
  const task = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
  const pdf = await task.promise
  const pages = []
  for (let n = 1; n <= pdf.numPages; n += 1) {
    const page = await pdf.getPage(n)
    const [a = 0, b = 0, c = 0, d = 0] = page.getViewport({ scale: 1 }).transform
    const { items } = await page.getTextContent()
    pages.push(
      items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [x = 0, y = 0] = item.transform as number[]
        return [{ text: item.str, angle: Math.round((Math.atan2(-(b * x + d * y), a * x + c * y) * 180) / Math.PI) }]
      }),
    )
  }
  await task.destroy()
  return pages
}

describe('a PDF', () => {
  // [R279] In a PDF on each page, upright as viewed; text stays text; a signed PDF becomes a copy that says so.
  test('[R279] bears it on each page, upright as the page is seen; its own words stay words', async () => {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    for (const turn of [0, 90, 180, 270]) {
      const page = document.addPage([420, 600])
      page.setRotation(degrees(turn))
      page.drawText(`page turned by ${turn}`, { x: 40, y: 300, size: 14, font })
    }
    document.getForm().createTextField('field').addToPage(document.getPage(0), { x: 40, y: 40, width: 100, height: 20 })
    const marked = await markPdf(await document.save(), mark, nothing)
    const pages = await wordsOf(marked)
    for (const [n, words] of pages.entries()) {
      const whole = words.map(({ text }) => text).join('')
      expect(whole).toContain(`page turned by ${n * 90}`)
      expect(whole.replaceAll(' ', '')).toContain('林夏linxia')
      const own = words.filter(({ text }) => text.includes('夏') || text.includes('linxia'))
      expect(own.length).toBeGreaterThan(1)
      expect([...new Set(own.map(({ angle }) => angle))]).toEqual([45])
    }
    expect((await PDFDocument.load(marked)).getForm().getTextField('field')).toBeDefined()
  })

  test('[R279] that was signed becomes a copy that says so', async () => {
    const document = await PDFDocument.create()
    document.addPage([420, 600])
    const { context } = document
    const value = context.register(
      context.obj({ Type: 'Sig', Contents: PDFString.of('signed'), ByteRange: [0, 1, 2, 3] }),
    )
    const field = context.register(context.obj({ FT: 'Sig', T: PDFString.of('signature'), V: value, Kids: [] }))
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }))
    const marked = await markPdf(await document.save(), mark, nothing)
    const [words = []] = await wordsOf(marked)
    expect(words.map(({ text }) => text).join('')).toContain('signature holds for the original')
    const again = await PDFDocument.load(marked)
    expect(again.catalog.lookup(PDFName.of('AcroForm'))?.toString()).not.toContain('SigFlags')
    expect(again.getForm().getSignature('signature').acroField.dict.has(PDFName.of('V'))).toBe(false)
  })

  test('[R281] of many pages holds one mark for all of them', async () => {
    const document = await PDFDocument.create()
    for (let n = 0; n < 60; n += 1) document.addPage([420, 600])
    const one = await PDFDocument.create()
    one.addPage([420, 600])
    const [many, few] = await Promise.all([
      markPdf(await document.save(), mark, nothing),
      markPdf(await one.save(), mark, nothing),
    ])
    expect(many.length - few.length).toBeLessThan(60 * 400)
    const pages = await wordsOf(many)
    expect(pages.filter((words) => words.length > 0)).toHaveLength(60)
  })

  longTest(
    '[R281] of 500 pages, turned, cropped, with pictures and a form, is whole to poppler and to pdf.js',
    async () => {
      const plain = await longPdf(500)
      const begun = performance.now()
      const marked = await markPdf(plain, mark, nothing)
      const seconds = (performance.now() - begun) / 1000
      const megabytes = plain.length / 1e6
      console.log(
        `a PDF of 500 pages, ${megabytes.toFixed(1)} MB: ${seconds.toFixed(2)} s, ${(megabytes / seconds).toFixed(1)} MB/s, ${marked.length - plain.length} bytes more`,
      )
      const pages = await wordsOf(marked)
      const joined = (words: readonly { readonly text: string }[]) => words.map(({ text }) => text).join('')
      const bare = (words: string) => words.replaceAll(/\s/g, '')
      const lacking = (texts: readonly string[]) =>
        texts.flatMap((text, n) => (text.includes(`sentence${n}ofpage${n}`) && text.includes('林') ? [] : [n]))
      expect(pages).toHaveLength(500)
      expect(lacking(pages.map((words) => bare(joined(words))))).toEqual([])

      const folder = await mkdtemp(join(tmpdir(), 'cloudoc-marked-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const path = join(folder, 'marked.pdf')
      await writeFile(path, marked)
      const run = promisify(execFile)
      const info = await run('pdfinfo', [path])
      expect(info.stdout).toMatch(/Pages:\s+500\n/)
      expect(info.stdout).toMatch(/Form:\s+AcroForm\n/)
      const text = await run('pdftotext', ['-raw', path, '-'], { maxBuffer: 64 << 20 })
      // Poppler reports problems on stderr.
      expect([info.stderr, text.stderr]).toEqual(['', ''])
      const popplers = text.stdout.split('\f').slice(0, -1).map(bare)
      expect(popplers).toHaveLength(500)
      expect(lacking(popplers)).toEqual([])
      expect(popplers[50]).toContain('answer50')
    },
  )
})

const wellFormed = (xml: string): void => {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
}

describe('office documents', () => {
  test.each([
    ['docx', 'word/cloudoc-header-default.xml', 'word/document.xml', 'w:headerReference'],
    ['xlsx', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml', '<picture'],
    ['pptx', 'ppt/slides/slide1.xml', 'ppt/slides/slide1.xml', 'name="Watermark"'],
  ] as const)('[R279] [R281] a %s bears it, and is well formed', async (ext, bearing, part, said) => {
    const parts = unzipSync(await markOffice(Buffer.from(emptyDocument(ext) ?? []), ext, mark))
    const text = (path: string): string => Buffer.from(parts[path] ?? []).toString()
    expect(text(part)).toContain(said)
    const cut = bearing.lastIndexOf('/') + 1
    const relations = text(`${bearing.slice(0, cut)}_rels/${bearing.slice(cut)}.rels`)
    const target = /Target="([^"]*cloudoc-mark\.png)"/.exec(relations)?.[1] ?? ''
    const path = new URL(target, `http://x/${bearing}`).pathname.slice(1)
    expect((await sharp(parts[path]).metadata()).hasAlpha).toBe(true)
    expect(text('[Content_Types].xml')).toContain('Extension="png"')
    for (const [name, bytes] of Object.entries(parts))
      if (/\.(xml|rels)$/.test(name)) wellFormed(Buffer.from(bytes).toString())
  })

  test('[R281] a header that is there and one that stands in a later section bear it too', async () => {
    const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts['word/header7.xml'] = Buffer.from(`<w:hdr ${w}><w:p/></w:hdr>`)
    const at = 'word/_rels/document.xml.rels'
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/header'
    const known =
      parts[at] === undefined
        ? '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
        : Buffer.from(parts[at]).toString()
    parts[at] = Buffer.from(
      known
        .replace(/<Relationships([^>]*)\/>/, '<Relationships$1></Relationships>')
        .replace('</Relationships>', `<Relationship Id="rId77" Type="${type}" Target="header7.xml"/></Relationships>`),
    )
    const marked = unzipSync(await markOffice(Buffer.from(zipSync(parts)), 'docx', mark))
    expect(Buffer.from(marked['word/header7.xml'] ?? []).toString()).toContain('Watermark')
    expect(Buffer.from(marked['word/_rels/header7.xml.rels'] ?? []).toString()).toContain('cloudoc-mark.png')
  })
})

longTest('[R279] [R281] LibreOffice opens what bears it: every page is there, its words and its form too', async () => {
  const paragraph = '<w:p><w:r><w:t>wordsofthedocument</w:t></w:r></w:p>'
  const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
  const xml = Buffer.from(parts['word/document.xml'] ?? []).toString()
  const docx = zipSync({ ...parts, 'word/document.xml': Buffer.from(xml.replace('<w:p/>', paragraph.repeat(200))) })
  const plain = [
    { ext: 'docx', bytes: docx },
    ...(['xlsx', 'pptx'] as const).map((ext) => ({ ext, bytes: emptyDocument(ext) ?? new Uint8Array() })),
  ] as const
  const marked = await Promise.all(
    plain.map(async ({ ext, bytes }) => ({
      ext,
      bytes: await markOffice(Buffer.from(bytes), ext, mark),
    })),
  )
  const long = { ext: 'pdf', bytes: await markPdf(await longPdf(60), mark, nothing) }
  const [document, , slides, pdf] = await openedByOffice([...marked, long])
  const picturesOf = async (bytes: Uint8Array | undefined): Promise<number[]> => {
    const task = getDocument({ data: new Uint8Array(bytes ?? []), useSystemFonts: false, verbosity: 0 })
    const opened = await task.promise
    const drawn: number[] = []
    for (let n = 1; n <= opened.numPages; n += 1) {
      const { fnArray } = await (await opened.getPage(n)).getOperatorList()
      drawn.push(fnArray.filter((one) => one === OPS.paintImageXObject).length)
    }
    await task.destroy()
    return drawn
  }
  const pages = await picturesOf(document)
  expect(pages.length).toBeGreaterThan(3)
  // On each page of the document and on the slide.
  for (const drawn of [...pages, ...(await picturesOf(slides))]) expect(drawn).toBeGreaterThan(0)
  const words = (await wordsOf(pdf ?? new Uint8Array())).map((page) =>
    page
      .map(({ text }) => text)
      .join('')
      .replaceAll(/\s/g, ''),
  )
  expect(words).toHaveLength(60)
  // Draw gives all pages the same size: larger pages are cut off.
  const lacking = words.flatMap((text, n) =>
    n % 7 === 0 || (text.includes(`sentence${n}ofpage${n}`) && text.includes('林')) ? [] : [n],
  )
  expect(lacking).toEqual([])
  expect(words[50]).toContain('answer50')
})

test.each(['png', 'jpeg', 'webp'] as const)('[R279] a %s keeps its format and size and bears it', async (format) => {
  const plain = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#ffffff' } })
    .toFormat(format)
    .toBuffer()
  const marked = await markPicture(plain, { ...mark, color: '#ff0000' })
  const { format: found, width, height } = await sharp(marked).metadata()
  expect({ found, width, height }).toEqual({ found: format, width: 640, height: 400 })
  const { channels } = await sharp(marked).stats()
  // White has become partly red.
  expect(channels[1]?.mean).toBeLessThan(254)
  expect(channels[0]?.mean).toBeGreaterThan(channels[1]?.mean ?? 255)
})
