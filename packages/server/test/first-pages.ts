/*
 * Small reference pictures of the first page of each kind of document, stored beside the documents. After a change to a
 * reader or to rendering, renew and review them: `node packages/server/test/first-pages.ts`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { firstPicture } from '../src/documents/first-picture.ts'
import { ofEveryKind } from './corpus.ts'

const folder = join(import.meta.dirname, 'documents/first-pages')
const side = 160
/** The grid size for comparing two pictures. */
const squares = 16

export const firstPageNames = Object.keys(ofEveryKind)

/** Renders the first page of a document. */
export async function firstPageOf(name: string): Promise<Buffer> {
  const [ext, bytes] = ofEveryKind[name] ?? []
  if (ext === undefined || bytes === undefined) throw new Error(name)
  const drawn = await firstPicture(Buffer.from(await bytes()), ext)
  return sharp(drawn).resize(side, side, { fit: 'inside' }).webp({ quality: 60 }).toBuffer()
}

export const storedFirstPage = (name: string): Promise<Buffer> => readFile(join(folder, `${name}.webp`))

interface Looked {
  readonly shape: number
  /** The brightness of each square, from 0 to 255, per channel. */
  readonly squares: Buffer
  /** The contrast of the picture, as a measure of how much it shows. */
  readonly contrast: number
}

async function measure(picture: Buffer): Promise<Looked> {
  const { width, height } = await sharp(picture).metadata()
  const seen = sharp(picture).flatten({ background: '#ffffff' }).removeAlpha()
  const { channels } = await seen.clone().stats()
  return {
    shape: width / height,
    squares: await seen.resize(squares, squares, { fit: 'fill' }).raw().toBuffer(),
    contrast: Math.max(...channels.map(({ stdev }) => stdev)),
  }
}

/** The difference of two pictures: the mean over all squares, and the largest of a square, from 0 to 255. */
export async function compareFirstPages(one: Buffer, other: Buffer) {
  const [a, b] = await Promise.all([measure(one), measure(other)])
  const apart = [...a.squares].map((value, n) => Math.abs(value - (b.squares[n] ?? 0)))
  return {
    mean: apart.reduce((sum, value) => sum + value, 0) / apart.length,
    most: Math.max(...apart),
    shape: Math.abs(Math.log(a.shape / b.shape)),
    contrast: a.contrast,
  }
}

if (import.meta.main) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pictures = await Promise.all(
    firstPageNames.map(async (name) => {
      const picture = await firstPageOf(name)
      await writeFile(join(folder, `${name}.webp`), picture)
      return { name, picture }
    }),
  )
  // All pictures on one contact sheet for review.
  const [across, cell] = [8, side + 34]
  const sheet = join(import.meta.dirname, '../../../bench-results/first-pages.png')
  await mkdir(join(sheet, '..'), { recursive: true })
  const tiles = pictures.flatMap(({ name, picture }, n) => {
    const [left, top] = [(n % across) * cell, Math.floor(n / across) * cell]
    const words = `<svg xmlns="http://www.w3.org/2000/svg" width="${cell}" height="20"><text x="4" y="15" font-size="12">${name}</text></svg>`
    return [
      { input: Buffer.from(words), left, top },
      { input: picture, left: left + 4, top: top + 22 },
    ]
  })
  const height = Math.ceil(pictures.length / across) * cell
  await sharp({ create: { width: across * cell, height, channels: 3, background: '#c8ccd4' } })
    .composite(tiles)
    .png()
    .toFile(sheet)
  console.log(`${pictures.length} first pages are kept; all of them: ${sheet}`)
}
