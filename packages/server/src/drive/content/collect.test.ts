import { createHash } from 'node:crypto'
import { limits } from '@cloudoc/domain'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { contentsOf, nothing } from '../../../test/contents.ts'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { purgeAll } from '../../../test/purge.ts'
import { lockContents } from '../../core/blobs/contents-lock.ts'
import { installation } from '../../installation.ts'
import { collectRows, removeDropped, sweepObjects } from './index.ts'

const { droppedObjectMs, unnamedObjectMs, nameObjectWithinMs } = limits

/** A test world whose collector runs only when the test calls it and pauses where the test asks. */
async function openWithCollector() {
  const pauses = new Pauses()
  const world = await openWorld({ elected: false, pause: pauses.at })
  const parts = (later: number) => ({
    db: world.app.db,
    blobs: world.app.blobs,
    now: () => Date.now() + later,
    pause: pauses.at,
  })
  return {
    world,
    pauses,
    rows: () => collectRows({ ...parts(0), ...installation }, 0),
    remove: (later = droppedObjectMs) => removeDropped(parts(later)),
    sweep: (later = unnamedObjectMs) => sweepObjects(parts(later + 1)),
    /** A complete collector run, after all grace periods have passed. */
    collect: async (): Promise<void> => {
      await collectRows({ ...parts(0), ...installation }, 0)
      await sweepObjects(parts(unnamedObjectMs + 1))
      await removeDropped(parts(unnamedObjectMs + 1 + droppedObjectMs))
    },
    anna: await world.person('anna'),
  }
}

/** Permanently deletes a file and its rows. */
async function destroy(person: Person, fileId: number): Promise<void> {
  await person.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
  await purgeAll(person.world.app.db)
}

async function bodyOf(person: Person, fileId: number): Promise<string> {
  const { statusCode, body } = await person.download(fileId)
  return `${statusCode} ${body}`
}

async function dropped(world: World): Promise<number> {
  return (await world.app.db.selectFrom('dropped_object').select('key').execute()).length
}

test('a content that nothing refers to goes: its row at once, its object after the grace time', async () => {
  const { anna, world, rows, remove } = await openWithCollector()
  const fileId = await anna.upload(anna.library, 'a.txt', 'content')
  await destroy(anna, fileId)
  expect(await contentsOf(world)).toEqual({ ...nothing, blobs: 1, objects: 1 })
  expect(await rows()).toEqual({ after: undefined, dropped: 1 })
  expect(await contentsOf(world)).toEqual({ ...nothing, objects: 1 })
  expect(await remove(droppedObjectMs - 60_000)).toBe(0)
  expect(await remove()).toBe(1)
  expect(await contentsOf(world)).toEqual(nothing)
  expect(await dropped(world)).toBe(0)
})

test('a content that a file, an older version, a copy or something in the bin refers to stays', async () => {
  const { anna, world, collect } = await openWithCollector()
  const fileId = await anna.upload(anna.library, 'a.txt', 'first')
  await anna.upload(anna.library, 'a.txt', 'second', { conflict: 'version' })
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'copies' })
  await anna.call('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: folderId })
  const binned = await anna.upload(anna.library, 'b.txt', 'third')
  await anna.call('fileOrFolderDelete', { fileIdArray: [binned] })
  const before = await contentsOf(world)
  expect(before).toEqual({ blobs: 3, versions: 4, objects: 3, staged: 0 })
  await collect()
  expect(await contentsOf(world)).toEqual(before)
  await destroy(anna, fileId)
  await collect()
  const [copy] = await anna.call('getSubItemList3', { folderId }).then(({ list }) => list)
  expect(await bodyOf(anna, copy?.fId ?? 0)).toBe('200 second')
  await anna.call('recycleRestore', { fileIdArray: [binned] })
  expect(await bodyOf(anna, binned)).toBe('200 third')
  expect(await contentsOf(world)).toEqual({ blobs: 2, versions: 2, objects: 2, staged: 0 })
})

/** Every step of the collector, in order. */
const steps = [
  'loose rows seen',
  'loose rows held',
  'loose rows deleted',
  'loose rows dropped',
  'unnamed objects seen',
  'objects removed',
] as const

test.each(few(2, steps))(
  'an upload of the same content while the collector stands at “%s” has a whole content',
  async (at) => {
    const { anna, world, pauses, rows, collect } = await openWithCollector()
    await destroy(anna, await anna.upload(anna.library, 'a.txt', 'content'))
    const crashed = await world.app.blobs.stage(bytes('left behind'))
    await crashed.keep()
    const stop = pauses.hold(at)
    // The grace periods of objects are over only on the collector's clock. Objects therefore must not be collected
    // while an upload still uses one.
    const collecting = at.startsWith('loose') ? rows() : collect()
    await stop.reached
    const uploading = anna.upload(anna.library, 'b.txt', 'content')
    // While the row is locked the upload waits for it. At the other steps the upload finishes before the collector
    // continues.
    if (at === 'loose rows held' || at === 'loose rows deleted') await isWaiting(world)
    else await uploading
    stop.release()
    const fileId = await uploading
    await collecting
    expect(await bodyOf(anna, fileId)).toBe('200 content')
    await collect()
    expect(await bodyOf(anna, fileId)).toBe('200 content')
    expect(await contentsOf(world)).toEqual({ blobs: 1, versions: 1, objects: 1, staged: 0 })
  },
)

test.each(few(2, steps))('a copy and a restore while the collector stands at “%s” keep their content', async (at) => {
  const { anna, world, pauses, collect } = await openWithCollector()
  const fileId = await anna.upload(anna.library, 'a.txt', 'content')
  const binned = await anna.upload(anna.library, 'b.txt', 'content')
  await anna.call('fileOrFolderDelete', { fileIdArray: [binned] })
  await destroy(anna, await anna.upload(anna.library, 'c.txt', 'other'))
  await (await world.app.blobs.stage(bytes('left behind'))).keep()
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'copies' })
  const stop = pauses.hold(at)
  const collecting = collect()
  await stop.reached
  await anna.call('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: folderId })
  await anna.call('recycleRestore', { fileIdArray: [binned] })
  await destroy(anna, fileId)
  stop.release()
  await collecting
  await collect()
  const { list } = await anna.call('getSubItemList3', { folderId })
  expect(await bodyOf(anna, list[0]?.fId ?? 0)).toBe('200 content')
  expect(await bodyOf(anna, binned)).toBe('200 content')
  expect(await contentsOf(world)).toEqual({ blobs: 1, versions: 2, objects: 1, staged: 0 })
})

/**
 * Starts an instant upload of stored content, up to the response to its challenge. The test sends that response later.
 */
async function instant(person: Person, content: string) {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { folderId: person.library, fileName: 'instant.txt', fileSize: bytes.length, sha256 }
  const { uploadId, challenge } = await person.call('uploadOpen', file)
  const proof = createHash('sha256').update(Buffer.from(challenge?.nonce ?? '', 'hex'))
  for (const { start, end } of challenge?.ranges ?? []) proof.update(bytes.subarray(start, end + 1))
  const answered = { ...file, uploadId, proof: proof.digest('hex') }
  return { uploadId, send: () => person.call('uploadOpen', answered) }
}

test.each(few(2, steps))(
  'an instant upload whose content goes while the collector stands at “%s” promises nothing',
  async (at) => {
    const { anna, world, pauses, rows, collect } = await openWithCollector()
    const fileId = await anna.upload(anna.library, 'a.txt', 'content')
    await (await world.app.blobs.stage(bytes('left behind'))).keep()
    const { uploadId, send } = await instant(anna, 'content')
    const proved = pauses.hold('proved')
    const answering = send()
    await proved.reached
    await destroy(anna, fileId)
    const stop = pauses.hold(at)
    const collecting = at.startsWith('loose') ? rows() : collect()
    await stop.reached
    proved.release()
    stop.release()
    expect((await answering).done).toBeUndefined()
    await collecting
    await collect()
    const request = { method: 'PUT', url: `/services2/upload/part/${uploadId}/1`, payload: 'content' } as const
    await world.app.http.inject({ ...request, headers: { authorization: `Bearer ${anna.token}` } })
    const stored = await anna.call('uploadComplete', { uploadId })
    expect(await bodyOf(anna, stored.fileId)).toBe('200 content')
  },
)

test('an instant upload that is about to commit keeps its content from the collector', async () => {
  const { anna, pauses, rows, collect } = await openWithCollector()
  const fileId = await anna.upload(anna.library, 'a.txt', 'content')
  const { send } = await instant(anna, 'content')
  const stop = pauses.hold('commit uploadOpen')
  const answering = send()
  await stop.reached
  await destroy(anna, fileId)
  expect(await rows()).toEqual({ after: undefined, dropped: 0 })
  stop.release()
  const { done, fileId: stored } = await answering
  expect(done).toBe(true)
  await collect()
  expect(await bodyOf(anna, stored ?? 0)).toBe('200 content')
})

test('a row that an upload holds is passed over, and what it stores is whole', async () => {
  const { anna, world, pauses, rows, collect } = await openWithCollector()
  await destroy(anna, await anna.upload(anna.library, 'a.txt', 'content'))
  const stop = pauses.hold('commit uploadRaw')
  const uploading = anna.upload(anna.library, 'b.txt', 'content')
  await stop.reached
  expect(await rows()).toEqual({ after: undefined, dropped: 0 })
  stop.release()
  const fileId = await uploading
  await collect()
  expect(await bodyOf(anna, fileId)).toBe('200 content')
  expect(await contentsOf(world)).toEqual({ blobs: 1, versions: 1, objects: 1, staged: 0 })
})

test('an object that no row names goes only when it is old, was seen, and seen again after the grace time', async () => {
  const { world, sweep, remove } = await openWithCollector()
  await (await world.app.blobs.stage(bytes('left behind'))).keep()
  expect(await sweep(unnamedObjectMs - 60_000)).toBe(0)
  expect(await sweep()).toBe(1)
  expect(await sweep()).toBe(0)
  expect(await remove(unnamedObjectMs + droppedObjectMs - 60_000)).toBe(0)
  expect((await contentsOf(world)).objects).toBe(1)
  expect(await remove(unnamedObjectMs + droppedObjectMs + 1)).toBe(1)
  expect(await contentsOf(world)).toEqual(nothing)
})

longTest(
  'an upload that is held up between keeping and naming for too long is refused and leaves nothing',
  async () => {
    const { anna, world, pauses } = await openWithCollector()
    const stop = pauses.hold('content kept')
    const uploading = anna.uploadWire(anna.library, 'a.txt', 'content')
    await stop.reached
    stop.release()
    const clock = vi.spyOn(performance, 'now')
    const began = performance.timeOrigin
    clock.mockImplementationOnce(() => 0)
    clock.mockImplementation(() => Date.now() - began + nameObjectWithinMs)
    expect(await uploading).toMatchObject({ code: 'uploadInterrupted' })
    clock.mockRestore()
    expect(await contentsOf(world)).toEqual(nothing)
  },
)

test('nothing is removed while somebody copies the contents of a snapshot', async () => {
  const { anna, world, rows, remove } = await openWithCollector()
  await destroy(anna, await anna.upload(anna.library, 'a.txt', 'content'))
  await rows()
  const client = new pg.Client(world.database)
  await client.connect()
  await lockContents(client)
  expect(await remove()).toBe(0)
  await client.end()
  await expect.poll(() => remove()).toBe(1)
})

longTest('the elected process collects by itself, as soon as it is one', async () => {
  const { anna, world } = await openWithCollector()
  await destroy(anna, await anna.upload(anna.library, 'a.txt', 'content'))
  await openWorld({ peer: world })
  await expect.poll(() => contentsOf(world)).toEqual({ ...nothing, objects: 1 })
})

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

/** Resolves when a statement waits for a lock. */
async function isWaiting(world: World): Promise<void> {
  const client = new pg.Client(world.database)
  await client.connect()
  await vi.waitFor(async () => {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_locks where not granted and locktype in ('transactionid', 'tuple')",
    )
    expect(rows[0]?.n).toBeGreaterThan(0)
  }, 10_000)
  await client.end()
}
