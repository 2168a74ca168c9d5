/*
 * Watermarking of downloads as the server does it: in a separate process, from its start to the last byte. The baseline
 * reads the same document with the same library and writes it again, in this process and without a watermark.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Watermark } from '@cloudoc/contract'
import { defaultWatermark } from '@cloudoc/domain'
import { strToU8, unzipSync, zipSync } from 'fflate'
import sharp from 'sharp'
import { emptyDocument, makeMarked } from '../src/documents/index.ts'
import { longPdf } from '../test/long-pdf.ts'
import { compare, type Measured } from './measure.ts'

const mark: Watermark = { ...defaultWatermark, image: '', lines: ['林夏 linxia', '2026-11-20 10:30'] }
const pages = 500
const paragraphs = 5000
const raw = { width: 4000, height: 3000, channels: 3 } as const

/** A docx of about 100 pages with twenty pictures. */
function longDocx(): Uint8Array {
  const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
  const xml = new TextDecoder().decode(parts['word/document.xml'])
  const words = Array.from({ length: paragraphs }, (_, n) => {
    const text = `${n} ${randomBytes(60).toString('hex')}`
    return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  })
  const media = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`word/media/image${n}.jpeg`, new Uint8Array(randomBytes(500_000))]),
  )
  return zipSync({ ...parts, ...media, 'word/document.xml': strToU8(xml.replace('<w:p/>', words.join(''))) })
}

interface Sample {
  readonly ext: string
  readonly what: string
  readonly bytes: Uint8Array
  /** Reads and writes it without a watermark. */
  readonly again: (bytes: Uint8Array) => Promise<unknown>
}

async function samples(): Promise<Sample[]> {
  const photo = await sharp(randomBytes(1000 * 750 * 3), { raw: { width: 1000, height: 750, channels: 3 } })
    .resize(raw.width, raw.height)
    .jpeg({ quality: 90 })
    .toBuffer()
  return [
    {
      ...{ ext: 'pdf', what: `a PDF of ${pages} pages`, bytes: await longPdf(pages) },
      again: async (bytes) => (await PDFDocument.load(bytes)).save(),
    },
    {
      ...{ ext: 'docx', what: 'a docx of 5,000 paragraphs and 20 pictures', bytes: longDocx() },
      again: (bytes) => Promise.resolve(zipSync(unzipSync(bytes), { level: 6 })),
    },
    {
      ...{ ext: 'jpg', what: 'a photo of 12 megapixels', bytes: photo },
      again: (bytes) => sharp(bytes).jpeg({ quality: 90 }).toBuffer(),
    },
  ]
}

export async function watermarks(runs: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const { ext, what, bytes, again } of await samples()) {
    const megabytes = bytes.length / 1e6
    const rateOf = async (work: () => Promise<unknown>): Promise<number> => {
      const begun = performance.now()
      await work()
      return megabytes / ((performance.now() - begun) / 1000)
    }
    const source = () => ({
      content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
      size: bytes.length,
      ext,
    })
    const one = await compare(
      { what: `watermark into ${what}, ${megabytes.toFixed(1)} MB`, bar: 0, unit: 'MB/s' },
      runs,
      () => rateOf(() => again(bytes)),
      () => rateOf(() => makeMarked('copy', source(), mark)),
    )
    measured.push(one)
  }
  return measured
}
