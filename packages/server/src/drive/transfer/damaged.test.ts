// Damaged content: no download delivers it as if it were intact, and the damage is reported.
import { randomBytes } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { calls } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { createLog } from '../../core/log.ts'
import { scrubSome } from '../../system/upkeep/index.ts'

const MiB = 1024 * 1024
const day = 24 * 60 * 60_000

/** The object that holds these bytes, and their offset in it. */
async function objectOf(world: World, bytes: Buffer): Promise<{ path: string; stored: Buffer; from: number }> {
  const entries = await readdir(world.folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const stored = await readFile(path)
    const from = stored.indexOf(bytes)
    if (from >= 0) return { path, stored, from }
  }
  throw new Error('no object holds these bytes')
}

/** Changes a byte of a stored content. */
async function damage(world: World, bytes: Buffer, at: number): Promise<void> {
  const { path, stored, from } = await objectOf(world, bytes)
  stored[from + at] = 255 - (stored[from + at] ?? 0)
  await writeFile(path, stored)
}

/** Downloads a URL completely; undefined if the connection broke. */
async function get(person: Person, path: string, headers: Record<string, string> = {}) {
  const port = await person.world.port()
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer } | undefined>()
  const asked = request(`http://127.0.0.1:${port}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })
  asked.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ECONNRESET' ? resolve(undefined) : reject(error),
  )
  asked.once('response', (response) => {
    buffer(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, body }),
      () => resolve(undefined),
    )
  })
  asked.end()
  return promise
}

const problems = async (world: World) => {
  const rows = await world.app.db.selectFrom('blob_problem').select('kind').execute()
  return rows.map(({ kind }) => kind)
}
const damagedByMetrics = async (world: World): Promise<string | undefined> =>
  /^cloudoc_damaged_contents (\S+)$/m.exec((await world.app.http.inject('/metrics')).body)?.[1]
const stored = () => {
  const bytes = randomBytes(3 * MiB + 17)
  return { bytes, at: 2 * MiB + 5 }
}
const lines: string[] = []
const log = createLog('error', { write: (line) => void lines.push(line) })

// [R201] Damaged content is an error and never a wrong file: whole, in ranges, previewed, in a zip.
test('[R201] a flipped bit of a large content ends what is read, and an equal one heals it', async () => {
  const world = await openWorld({ elected: false, log })
  const anna = await world.person('anna')
  const { bytes, at } = stored()
  const fileId = await anna.upload(anna.library, '大.bin', bytes)
  const path = `/DownloadServlet?fileId=${fileId}`
  expect((await get(anna, path))?.body).toEqual(bytes)
  await damage(world, bytes, at)
  lines.length = 0
  expect(await get(anna, path)).toBeUndefined()
  expect(await problems(world)).toEqual(['hash'])
  expect(await damagedByMetrics(world)).toBe('1')
  expect(lines.join()).toContain('a content is not as it was stored')
  expect(await get(anna, path, { range: `bytes=${at}-${at}` })).toBeUndefined()
  expect((await get(anna, path, { range: 'bytes=1-9' }))?.body).toEqual(bytes.subarray(1, 10))
  expect(await get(anna, `/DownloadMultiFile?files=fi_${fileId}`)).toBeUndefined()
  // Uploads the same content again elsewhere.
  await anna.upload(anna.library, '又.bin', bytes)
  expect(await problems(world)).toEqual([])
  expect((await get(anna, path))?.body).toEqual(bytes)
})

test.each([
  ['a file of its own', 200_000, {}],
  ['in a pack', 20_000, { packing: { after: 0, bytes: 256 * 1024 } }],
] as const)(
  'a flipped bit of a small content, %s, is an error; what is in memory goes on',
  async (_, size, options) => {
    const world = await openWorld({ elected: false, ...options })
    const anna = await world.person('anna')
    const [bytes, known] = [randomBytes(size), randomBytes(size)]
    const fileId = await anna.upload(anna.library, '小.txt', bytes)
    const knownId = await anna.upload(anna.library, '熟.bin', known)
    expect((await anna.download(knownId)).rawPayload).toEqual(known)
    for (const content of [bytes, known]) await damage(world, content, 999)
    expect((await anna.download(fileId)).statusCode).toBe(500)
    expect(await problems(world)).toEqual(['hash'])
    expect((await get(anna, `/DownloadServlet?fileId=${fileId}`, { range: 'bytes=0-1' }))?.status).toBe(500)
    expect((await get(anna, `${calls.previewServlet.path}?fileId=${fileId}`))?.status).toBe(500)
    expect((await anna.download(knownId)).rawPayload).toEqual(known)
  },
)

test('a content that has become shorter is told of as well', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const { bytes } = stored()
  const fileId = await anna.upload(anna.library, '短.bin', bytes)
  await truncate((await objectOf(world, bytes)).path, 2 * MiB)
  // A store that detects the damage at once returns an error.
  const got = await get(anna, `/DownloadServlet?fileId=${fileId}`)
  expect([undefined, 500]).toContain(got?.status)
  expect(await problems(world)).toEqual(['size'])
})

test('contents that came in parts have sums, and older ones get them from the scrubber', async () => {
  const world = await openWorld({ elected: false, partBytes: MiB })
  const anna = await world.person('anna')
  const { bytes, at } = stored()
  const { uploadId } = await anna.call('uploadOpen', {
    folderId: anna.library,
    fileName: '分.bin',
    fileSize: bytes.length,
  })
  for (let part = 0; part * MiB < bytes.length; part += 1)
    await anna.uploadPart(uploadId, part + 1, bytes.subarray(part * MiB, (part + 1) * MiB))
  const { fileId } = await anna.call('uploadComplete', { uploadId })
  const sums = () => world.app.db.selectFrom('blob_sums').select('sums').execute()
  const [row] = await sums()
  expect(row?.sums.length).toBe(13 * 8)
  // Rows from before checksums existed, and rows with invalid checksums.
  for (const change of [
    () => world.app.db.deleteFrom('blob_sums').execute(),
    () =>
      world.app.db
        .updateTable('blob_sums')
        .set({ sums: Buffer.alloc(104) })
        .execute(),
  ]) {
    await change()
    const parts = { db: world.app.db, blobs: world.app.blobs, now: () => clock, log, cycleMs: day }
    const clock = Date.now() + 365 * day
    await world.app.db.deleteFrom('walk').execute()
    while (await scrubSome({ ...parts, wait: () => Promise.resolve() }, new AbortController().signal));
    expect(await sums()).toEqual([row])
  }
  await damage(world, bytes.subarray(0, MiB), at - 2 * MiB)
  expect(await get(anna, `/DownloadServlet?fileId=${fileId}`)).toBeUndefined()
})

test('instant upload of a content that is damaged finds it out, and what is then sent heals it', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const bytes = randomBytes(100_000)
  const fileId = await anna.upload(anna.library, '一.bin', bytes)
  await damage(world, bytes, 7)
  expect((await anna.download(fileId)).statusCode).toBe(500)
  await anna.upload(anna.library, '二.bin', bytes)
  expect((await anna.download(fileId)).rawPayload).toEqual(bytes)
})
