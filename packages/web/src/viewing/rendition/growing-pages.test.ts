import { gzipSync } from 'node:zlib'
import type { Pages } from '@cloudoc/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openGrowingPages, openRendition } from './rendition.ts'

const page = { width: 200, height: 300, text: '' }

/** A rendition of pages; the picture of each is its number. */
function packed(first: number, count: number, some: boolean): Uint8Array<ArrayBuffer> {
  const body: Pages = {
    kind: 'pages',
    pages: Array.from({ length: count }, (_, n) => ({ ...page, part: n + 1 })),
    of: 5,
    ...(some ? { some: { first, pages: 5 } } : { replacedFaces: ['宋体'] }),
  }
  const parts = [gzipSync(JSON.stringify(body)), ...body.pages.map((_, n) => Buffer.from(`page ${first + n}`))]
  let at = 0
  const places = parts.map(({ length }) => ({ at: (at += length) - length, size: length, type: 'image/webp' }))
  const head = Buffer.from(JSON.stringify({ parts: places, body: 0 }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return new Uint8Array(Buffer.concat([length, head, ...parts]))
}

test('[R163] pages that are there are shown while others are being made, and go on being shown when all are there', async () => {
  const answers: Record<string, () => Uint8Array<ArrayBuffer>> = {
    '/made?id=1&from=1': () => packed(1, 1, true),
    '/made?id=1&from=2': () => packed(2, 2, true),
    '/made?id=1': () => packed(1, 5, false),
  }
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const found = answers[url]
    return found === undefined ? new Response('{"result":-200}', { status: 409 }) : new Response(found())
  })
  const blobs = new Map<string, Blob>()
  vi.stubGlobal('URL', {
    createObjectURL: (blob: Blob) => {
      blobs.set(`blob:${blobs.size}`, blob)
      return `blob:${blobs.size - 1}`
    },
    revokeObjectURL: () => undefined,
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const pictureOf = async (part: number): Promise<string | undefined> => blobs.get(await growing.address(part))?.text()

  const growing = openGrowingPages('/made?id=1')
  expect(await growing.take(0)).toBeUndefined()
  expect(asked).toEqual([])
  expect(await growing.take(1)).toMatchObject({ of: 5, some: { first: 1, pages: 5 }, pages: [{ part: 0 }] })
  const first = await growing.address(0)
  expect((await growing.take(3))?.pages).toHaveLength(3)
  expect([await pictureOf(0), await pictureOf(1), await pictureOf(2)]).toEqual(['page 1', 'page 2', 'page 3'])
  await expect(growing.address(3)).rejects.toThrow('no page 4')
  // The rendition was dropped, or does not exist yet: the loaded pages remain.
  await expect(growing.take(4)).rejects.toThrow()

  const whole = growing.end(await openRendition('/made?id=1')) as Pages
  expect(whole.some).toBeUndefined()
  expect(whole.replacedFaces).toEqual(['宋体'])
  expect(whole.pages.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4])
  expect([await pictureOf(3), await pictureOf(4)]).toEqual(['page 4', 'page 5'])
  expect(await growing.address(0), 'it is not fetched and drawn again').toBe(first)
})
