import { gunzipSync } from 'node:zlib'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Pages, RenditionHead } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { dropPages } from './renditions.ts'

const pages = 12

// [R168] A wait for a conversion is answered when its state changes, not at the next poll.
// [R168] The first pages of a document are shown while the last ones are being rendered, with the same gates and
// watermark; the rendering process may die in between.
test('[R163] [R168] the first pages are shown while the last ones are being made, and end with the right', async () => {
  const pauses = new Pauses()
  let ran = 0
  // The converter dies once, after all pages are done and before the complete rendition is stored.
  const pause = (point: string): Promise<void> =>
    point === 'job conversion ran' && ++ran === 1 ? Promise.reject(new Error('it dies')) : pauses.at(point)
  const held = pauses.hold('job conversion ran')
  const world = await openWorld({ pause })
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, 'pages')
  await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
  const fileId = await anna.upload(folderId, 'long.pdf', await document())

  const { url, previewKey } = await ben.call('getDocumentPreviewURL', { fileId })
  await held.reached
  expect(ran).toBe(2)
  const { state, pages: there } = await ben.call('getPreviewStatus', { previewKey })
  expect([state, there]).toEqual([codes.converting.code, 9])
  const some = await Promise.all([1, 2, 4].map((from) => shown(world, `${url}&from=${from}`)))
  expect(some.map(({ body }) => [body.some, body.pages.length, body.of])).toEqual([
    [{ first: 1, pages }, 1, pages],
    [{ first: 2, pages }, 2, pages],
    [{ first: 4, pages }, 6, pages],
  ])
  const codeOf = async (address: string): Promise<number> =>
    (await world.app.http.inject({ url: address })).json<{ result: number }>().result
  for (const from of [0, 3, 10, 13]) expect(await codeOf(`${url}&from=${from}`)).toBe(codes.converting.code)
  expect(await codeOf(url)).toBe(codes.converting.code)
  expect((await anna.call('getDocumentPreviewURL', { fileId })).form, 'who has it waits for nothing').toBe('original')

  // New pages are returned at once; otherwise the call waits for them.
  expect((await ben.call('getPreviewStatus', { previewKey, wait: 10_000, had: 3 })).pages).toBe(9)
  // A user who has lost the preview right by the time of new pages gets the refusal instead.
  const cara = await world.person('cara')
  await anna.shares({ folderId }, [
    { to: ben, rights: 6 },
    { to: cara, rights: 6 },
  ])
  const refused = cara.refusal('getPreviewStatus', { previewKey, wait: 10_000, had: 9 })
  // The waiting request was sent before this one is answered.
  expect((await cara.call('getPreviewStatus', { previewKey, wait: 50, had: 9 })).state).toBe(codes.converting.code)
  await anna.shares({ folderId }, [
    { to: ben, rights: 6 },
    { to: cara, rights: 2 },
  ])

  let isCurrent = false
  const told = ben.call('getPreviewStatus', { previewKey, wait: 10_000, had: 9 }).finally(() => {
    isCurrent = true
  })
  expect((await ben.call('getPreviewStatus', { previewKey, wait: 50, had: 9 })).state).toBe(codes.converting.code)
  expect(isCurrent).toBe(false)

  held.release()
  expect(await refused).toBe('noPermission')
  expect((await told).state).toBe(codes.success.code)
  await vi.waitFor(
    async () => expect((await ben.call('getPreviewStatus', { previewKey })).state).toBe(codes.success.code),
    { timeout: 120_000, interval: 50 },
  )
  const whole = await shown(world, url)
  expect(whole.body).toMatchObject({ of: pages })
  expect(whole.body.pages).toHaveLength(pages)
  // A reader of single pages continues with the complete rendition, which contains the same pages.
  const [, second] = some
  expect(whole.pictures[1]?.equals(second?.pictures[0] ?? Buffer.alloc(0))).toBe(true)
  expect((await shown(world, `${url}&from=2`)).pictures[0]?.equals(whole.pictures[1] ?? Buffer.alloc(0))).toBe(true)

  await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
  expect(await codeOf(`${url}&from=1`)).toBe(codes.noPermission.code)
  const { db } = world.app
  expect(await dropPages(db, Date.now() + 10 * 60_000)).toBe(0)
  expect(await dropPages(db, Date.now() + 20 * 60_000)).toBe(3)
  expect((await sql`select 1 from rendition_pages`.execute(db)).rows).toEqual([])
  await world.app.close()
})

// [R168] Opening a document waits neither for thumbnails of folders nor for renditions made ahead for others.
test('[R168] [R169] who opens a document does not wait for the small pictures that a folder of others asked for', async () => {
  const pauses = new Pauses()
  const held = pauses.hold('job small picture ran')
  const world = await openWorld({ pause: (point) => pauses.at(point) })
  const anna = await world.person('anna')
  const upload = (name: string): Promise<number> => anna.upload(anna.library, name, Buffer.from(`${name}\n1\n`))
  const [first, others] = [await upload('0.csv'), await Promise.all([1, 2, 3].map((n) => upload(`${n}.csv`)))]
  await anna.call('getThumbnailURLs', { fileIdArray: others })
  await held.reached
  const { previewKey } = await anna.call('getDocumentPreviewURL', { fileId: first })
  await vi.waitFor(
    async () => expect((await anna.call('getPreviewStatus', { previewKey })).state).toBe(codes.success.code),
    { timeout: 120_000, interval: 50 },
  )
  held.release()
  await world.app.close()
})

async function document(): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n += 1) made.addPage([200, 300]).drawText(`page ${n}`, { x: 20, y: 200, size: 20, font })
  return made.save()
}

async function shown(world: Awaited<ReturnType<typeof openWorld>>, url: string) {
  const { rawPayload: packed } = await world.app.http.inject({ url })
  const length = packed.readUInt32LE(0)
  const { parts } = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const bytes = parts.map(({ at, size }) => packed.subarray(4 + length + at, 4 + length + at + size))
  const body = JSON.parse(gunzipSync(bytes[0] ?? Buffer.alloc(0)).toString()) as Pages
  return { body, pictures: body.pages.map(({ part }) => bytes[part] ?? Buffer.alloc(0)) }
}
