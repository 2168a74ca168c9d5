// The invisible mark: drawn into pages, and detected in typical screenshots and photos.
import { randomBytes } from 'node:crypto'
import type { Watermark } from '@cloudoc/contract'
import { defaultWatermark } from '@cloudoc/domain'
import { createCanvas } from '@napi-rs/canvas'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { markPicture } from './picture.ts'
import { findTrace } from './trace.ts'
import { traceOf } from './trace-code.ts'

type Kind = 'text' | 'table' | 'slide'

/** A page as drawn for a screen, with `dense` pixels per CSS pixel. */
function page(kind: Kind, dense: number): Buffer {
  const [width, height] = kind === 'slide' ? [960, 540] : [794, 1123]
  const canvas = createCanvas(width * dense, height * dense)
  const pen = canvas.getContext('2d')
  pen.scale(dense, dense)
  pen.fillStyle = kind === 'slide' ? '#1b3a6b' : '#ffffff'
  pen.fillRect(0, 0, width, height)
  if (kind === 'slide') {
    pen.fillStyle = '#3f7fd0'
    pen.fillRect(0, 0, width, 90)
    pen.fillStyle = '#ffffff'
    for (let line = 0; line < 6; line += 1) pen.fillRect(80, 150 + line * 56, 420 + ((line * 97) % 300), 22)
    return canvas.toBuffer('image/png')
  }
  for (let row = 0; row < 44; row += 1) {
    if (kind === 'table') {
      pen.fillStyle = row % 6 === 0 ? '#fff2cc' : row % 2 === 0 ? '#f5f8ff' : '#ffffff'
      pen.fillRect(40, 40 + row * 24, width - 80, 24)
      pen.strokeStyle = '#c8ccd4'
      pen.strokeRect(40, 40 + row * 24, width - 80, 24)
    }
    pen.fillStyle = row % 7 === 3 ? '#c00000' : '#1f2329'
    // Text is simulated by rows of small strokes.
    for (let x = 48; x < width - 60; x += 9)
      if ((x * 7 + row * 13) % 11 > 1) pen.fillRect(x, 46 + row * 24 + ((x * 3) % 4), 7, 9)
  }
  return canvas.toBuffer('image/png')
}

const mark: Watermark = { ...defaultWatermark, image: '', lines: ['林夏 linxia', '2026-11-20'] }
const marked = (bytes: Uint8Array, trace: string, dense: number) =>
  markPicture(bytes, { ...mark, trace: traceOf(trace) }, dense)

/** Typical modifications of a screenshot. */
const made: Record<string, (shot: Sharp, width: number, height: number) => Sharp> = {
  png: (shot) => shot.png(),
  'JPEG of 80': (shot) => shot.jpeg({ quality: 80 }),
  'JPEG of 60': (shot) => shot.jpeg({ quality: 60 }),
  half: (shot, width) => shot.resize(Math.round(width / 2)).png(),
  'half, JPEG of 80': (shot, width) => shot.resize(Math.round(width / 2)).jpeg({ quality: 80 }),
  'at 83 %, JPEG of 80': (shot, width) => shot.resize(Math.round(width * 0.83)).jpeg({ quality: 80 }),
  'a third of it': (shot, width, height) =>
    shot
      .extract({
        left: Math.round(width * 0.21),
        top: Math.round(height * 0.17),
        width: Math.round(width * 0.6),
        height: Math.round(height * 0.55),
      })
      .png(),
  'turned by a degree': (shot) => shot.rotate(1, { background: '#333333' }).jpeg({ quality: 85 }),
}
const bar = ['png', 'JPEG of 80']

async function tried(ways: readonly string[], kinds: readonly Kind[], denses: readonly number[]) {
  const found: Record<string, number> = {}
  const wrong: string[] = []
  for (const kind of kinds)
    for (const dense of denses) {
      const trace = randomBytes(5).toString('hex')
      const bytes = await marked(page(kind, dense), trace, dense)
      const { width, height } = await sharp(bytes).metadata()
      for (const way of ways) {
        const shot = made[way]?.(sharp(bytes), width, height)
        const { id } = await findTrace(await (shot ?? sharp(bytes)).toBuffer())
        if (id === trace) found[way] = (found[way] ?? 0) + 1
        else if (id !== undefined) wrong.push(`${way}: ${id} for ${trace}`)
      }
    }
  return { found, wrong }
}

// [R279] The invisible mark is detected in screenshots as PNG and JPEG.
test('[R279] it is found in a screenshot as PNG and as JPEG of quality 80, of words, tables and slides', async () => {
  const { found, wrong } = await tried(bar, ['text', 'table', 'slide'], [1, 1.5])
  expect({ found, wrong }).toEqual({ found: { png: 6, 'JPEG of 80': 6 }, wrong: [] })
})

test('a picture without one is said to have none', async () => {
  const { id, width } = await findTrace(page('table', 1))
  expect([id, width]).toEqual([undefined, 794])
})

test('nobody sees it: no pixel is changed by more than four, and its brightness by less than one', async () => {
  const plain = page('text', 1)
  const without = await sharp(await markPicture(plain, mark, 1))
    .removeAlpha()
    .raw()
    .toBuffer()
  const bearing = await sharp(await marked(plain, '0123456789', 1))
    .removeAlpha()
    .raw()
    .toBuffer()
  let [most, changed] = [0, 0]
  for (let n = 0; n < without.length; n += 3) {
    expect(bearing[n]).toBe(without[n])
    const blue = Math.abs((bearing[n + 2] ?? 0) - (without[n + 2] ?? 0))
    most = Math.max(most, blue)
    if (blue > 0) changed += 1
  }
  expect(most).toBeLessThanOrEqual(4)
  expect(changed).toBeGreaterThan(without.length / 3 / 5)
})

longTest('what else is done to screenshots: figures, and never another id', async () => {
  const { found, wrong } = await tried(Object.keys(made), ['text', 'table', 'slide'], [1, 1.25, 1.5, 2])
  console.log(`the invisible mark was found, of 12 each: ${JSON.stringify(found)}`)
  expect(wrong).toEqual([])
  for (const way of bar) expect(found[way]).toBeGreaterThanOrEqual(11)
})
