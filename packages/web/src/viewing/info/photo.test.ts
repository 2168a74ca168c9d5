import { afterEach, expect, test, vi } from 'vitest'
import { readPhoto } from './photo.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A JPEG without image data, with a 4-byte camera make. */
const photo = Buffer.concat([
  Buffer.from('ffd8ffe10022', 'hex'),
  Buffer.from('Exif\0\0'),
  Buffer.from('4d4d002a000000080001010f0002000000044c47420000000000', 'hex'),
  Buffer.from('ffd9', 'hex'),
])

// [R164] The camera data of a photo is read from the file as it is stored.
test('[R164] what a camera says of a photo is read from the file as it is stored; of another file nothing', async () => {
  const read = (bytes: Buffer) => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(new Uint8Array(bytes))))
    return readPhoto('/photo')
  }
  expect(await read(photo)).toEqual({ camera: 'LGB' })
  expect(await read(Buffer.from('no picture'))).toBeUndefined()
})
