// The metadata of pictures: what is removed, and what stays as it was.
import { hash } from 'node:crypto'
import exifr from 'exifr'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { withoutMetadata } from './picture-metadata.ts'

const secret = 'SERIAL-4711-SECRET'

/** A picture of noise with a position, a serial number, a comment, a colour profile and an orientation. */
async function picture(write: (picture: Sharp) => Sharp, orientation = 6): Promise<Buffer> {
  const pixels = Buffer.from(Array.from({ length: 40 * 24 * 3 }, (_, n) => (n * 7919) % 251))
  return write(
    sharp(pixels, { raw: { width: 40, height: 24, channels: 3 } })
      .withMetadata({ orientation })
      .withIccProfile('p3')
      .withExif({
        IFD0: { Make: 'Cam', Model: secret },
        IFD2: { BodySerialNumber: secret, MakerNote: secret },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '31/1 13/1 49/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '121/1 28/1 25/1',
        },
      })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`),
  ).toBuffer()
}

const facts = async (bytes: Buffer) => {
  const { format, width, height, orientation = 1, icc } = await sharp(bytes).metadata()
  const pixels = hash('sha256', await sharp(bytes).raw().toBuffer())
  const profile = icc && hash('sha256', icc)
  return { format, width, height, orientation, profile, pixels }
}

test.each([
  ['jpeg', (one: Sharp) => one.jpeg()],
  ['a progressive jpeg', (one: Sharp) => one.jpeg({ progressive: true })],
  ['png', (one: Sharp) => one.png()],
  ['webp', (one: Sharp) => one.webp()],
  ['a lossless webp', (one: Sharp) => one.webp({ lossless: true })],
  ['avif', (one: Sharp) => one.avif()],
])('%s keeps its pixels, colour profile and orientation, and loses position, camera and comments', async (_, write) => {
  const before = await picture(write)
  expect(before.includes(secret)).toBe(true)
  const after = withoutMetadata(before)
  if (after === undefined) throw new Error('it is a picture')
  expect(await facts(after)).toEqual(await facts(before))
  expect(after.includes(secret)).toBe(false)
  const { exif } = await sharp(after).metadata()
  const tags: unknown = exif && (await exifr.parse(exif).catch(() => undefined))
  expect(Object.keys(tags ?? {}).filter((tag) => tag !== 'Orientation')).toEqual([])
  // Nothing is left to remove.
  expect(withoutMetadata(after)).toEqual(after)
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('the orientation %i is shown as before', async (orientation) => {
  for (const write of [(one: Sharp) => one.jpeg(), (one: Sharp) => one.png(), (one: Sharp) => one.webp()]) {
    const before = await picture(write, orientation)
    expect((await sharp(before).metadata()).orientation).toBe(orientation)
    const turned = (bytes: Buffer) => sharp(bytes).autoOrient().raw().toBuffer()
    expect(await turned(withoutMetadata(before) ?? Buffer.alloc(0))).toEqual(await turned(before))
  }
})

test('the position in a JPEG is read before, and not after', async () => {
  const before = await picture((one) => one.jpeg())
  expect((await exifr.gps(before))?.latitude).toBeCloseTo(31.23, 1)
  expect(await exifr.gps(withoutMetadata(before) ?? Buffer.alloc(0)).catch(() => undefined)).toBeUndefined()
})

test('what follows the end of a picture is cut off: a second picture, a film of the moment', async () => {
  for (const write of [(one: Sharp) => one.jpeg(), (one: Sharp) => one.png(), (one: Sharp) => one.gif()]) {
    const plain = await write(sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })).toBuffer()
    const clean = withoutMetadata(Buffer.concat([plain, await picture((one) => one.jpeg()), Buffer.from(secret)]))
    expect(clean).toEqual(withoutMetadata(plain))
  }
})

test('an animation keeps its frames and loses its comments', async () => {
  const frames = await sharp(Buffer.from(Array.from({ length: 8 * 24 * 3 }, (_, n) => n % 256)), {
    raw: { width: 8, height: 24, channels: 3, pageHeight: 8 },
  })
    .gif({ delay: [90, 90, 90], loop: 0 })
    .toBuffer()
  const note = Buffer.concat([Buffer.from([0x21, 0xfe, secret.length]), Buffer.from(secret), Buffer.from([0])])
  // Before the trailer.
  const before = Buffer.concat([frames.subarray(0, -1), note, frames.subarray(-1)])
  const after = withoutMetadata(before) ?? Buffer.alloc(0)
  expect(after.includes(secret)).toBe(false)
  const read = async (bytes: Buffer) => {
    const { pages, delay, loop } = await sharp(bytes, { pages: -1 }).metadata()
    return { pages, delay, loop, pixels: await sharp(bytes, { pages: -1 }).raw().toBuffer() }
  }
  expect(await read(after)).toEqual(await read(before))
  expect((await read(after)).pages).toBe(3)
})

test('what is no picture, or broken, is refused', async () => {
  const jpeg = await picture((one) => one.jpeg())
  const png = await picture((one) => one.png())
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('<html><img src=x></html>'),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from([0xff, 0xd8]),
    Buffer.from('GIF89a'),
    Buffer.from('BM'),
    Buffer.from('RIFF\0\0\0\0WEBP'),
    Buffer.from('\0\0\0\x20ftypavif'),
    jpeg.subarray(0, 100),
    png.subarray(0, -20),
  ])
    expect(withoutMetadata(bytes), bytes.toString('latin1', 0, 12)).toBeUndefined()
})
