// Documents of hundreds of pages: the memory of their readers does not grow with the pages that are drawn.
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Pages, RenditionHead } from '@cloudoc/contract'
import { defaultWatermark } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { longTest } from '../../test/full.ts'
import { longPdf } from '../../test/long-pdf.ts'
import { drawScans, extractText, makeMarked, makePages, previewFirstPage } from './index.ts'

const source = (bytes: Uint8Array, ext = 'pdf') => ({
  content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  size: bytes.length,
  ext,
})

function bodyOf(packed: Buffer): Pages {
  const end = 4 + packed.readUInt32LE(0)
  const { parts } = JSON.parse(packed.toString('utf8', 4, end)) as RenditionHead
  const { at = 0, size = 0 } = parts[0] ?? {}
  return JSON.parse(gunzipSync(packed.subarray(end + at, end + at + size)).toString()) as Pages
}

/** Empty pages, which are quickly encoded. Their pictures have as many pixels as those of other pages. */
async function emptyPages(count: number): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  for (let n = 0; n < count; n += 1) made.addPage([595, 842])
  return made.save()
}

// [R168] Documents of 500 pages are shown: what drawing a page takes in memory does not grow with the pages before it.
test('[R168] drawing pages takes the same memory however many were drawn: 110 pages, within the limit of their reader', async () => {
  const pieces: number[] = []
  const whole = await makePages(source(await emptyPages(110)), {}, ({ pages }) => {
    pieces.push(pages)
    return Promise.resolve()
  })
  expect(bodyOf(whole)).toMatchObject({ of: 110 })
  expect(bodyOf(whole).pages).toHaveLength(110)
  expect(pieces).toEqual([1, 2, 6, 18, 24, 24, 24])
})

longTest(
  '[R168] a PDF of 500 pages with pictures is shown, also marked; its text, thumbnail and scans are read',
  { timeout: 3_600_000 },
  async () => {
    const bytes = await longPdf(500)
    const whole = await makePages(source(bytes), {}, () => Promise.resolve())
    const { pages } = bodyOf(whole)
    expect(pages.map(({ text }, n) => text.includes(`sentence${n} of page ${n}`)).indexOf(false)).toBe(-1)
    expect(pages).toHaveLength(500)
    const mark = { ...defaultWatermark, image: '', lines: ['林夏 linxia'], trace: '0123456789abcdef'.repeat(16) }
    const marked = await makeMarked('rendition', source(whole, ''), mark)
    expect(bodyOf(marked).pages).toHaveLength(500)
    expect(await extractText(source(bytes))).toHaveLength(500)
    expect((await previewFirstPage(source(bytes))).pages).toBe(500)
    expect(await drawScans(source(bytes), 1000)).toHaveLength(60)
  },
)
