// Unpacking an archive into a folder: what is unpacked, who may do it, and that the folder appears completely or not at
// all.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countFrom, nothing } from '../../../test/contents.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, storeOf, type World } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { pax, tarOf } from '../../../test/tar.ts'

/** A server that stops at a given point. */
const stopping = join(import.meta.dirname, '../../../test/stopping-server.ts')

let world: World
let anna: Person
let ben: Person
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
})

const zipOf = (files: Record<string, string>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))))
const upload = (files: Record<string, string>): Promise<number> =>
  anna.upload(anna.library, `资料 ${++runs}.zip`, zipOf(files))

// [R163] An archive is extracted completely to a folder, with its secret level, within the space and the allowed
// formats; progress and cancelling as for a copy, all or nothing.
test('[R163] what is in an archive becomes a folder, with the secret level of the archive, by whoever may have it and put something there', async () => {
  const source = await anna.folder(anna.library, 'packed')
  const target = await anna.folder(anna.library, 'unpacked')
  const bytes = zipOf({ '一/二/甲.txt': '甲', '一/乙.txt': '乙', 'c.txt': '3', '空/': '' })
  const fileId = await anna.upload(source, '资料.zip', bytes)
  const made = await anna.call('unpackArchive', { fileId, folderId: target })
  expect(made).toMatchObject({ fName: '资料', parentFolderId: target, files: 3 })
  expect((await anna.names(made.folderId)).toSorted()).toEqual(['c.txt', '一', '空'].toSorted())
  const { list } = await anna.call('getSubItemList3', { folderId: made.folderId })
  const one = list.find(({ fName }) => fName === '一')?.fId ?? 0
  const inside = await anna.call('getSubItemList3', { folderId: one })
  const two = inside.list.find(({ fName }) => fName === '二')?.fId ?? 0
  const [deep] = (await anna.call('getSubItemList3', { folderId: two })).list
  expect(deep).toMatchObject({ fName: '甲.txt', fileSize: 3 })
  expect((await anna.call('unpackArchive', { fileId, folderId: target })).fName).toBe('资料 (2)')

  await anna.shares({ folderId: source }, [{ to: ben, rights: 6 }])
  expect(await ben.refusal('unpackArchive', { fileId, folderId: ben.library })).toBe('noPermission')
  await anna.shares({ folderId: source }, [{ to: ben, rights: 14 }])
  await anna.shares({ folderId: target }, [{ to: ben, rights: 14 }])
  expect(await ben.refusal('unpackArchive', { fileId, folderId: target })).toBe('noPermission')
  expect(await ben.call('unpackArchive', { fileId, folderId: ben.library })).toMatchObject({ files: 3 })

  const lena = await world.person('lena', { secretLevel: 2 })
  const secret = await lena.upload(lena.library, 'secret.zip', bytes)
  await world.app.db.updateTable('item').set({ secret_level: 1 }).where('id', '=', secret).execute()
  const hers = await lena.call('unpackArchive', { fileId: secret, folderId: lena.library })
  const levels = (await lena.call('getSubItemList3', { folderId: hers.folderId })).list
  expect(levels.filter(({ fType }) => fType === 1).map(({ secretLevel }) => secretLevel)).toEqual([1])
})

// [R163] Entries of an archive that cannot be extracted (name, path, password, damage, size, space) are skipped and
// listed, each with its code; the rest is complete, and is undone like a copy.
test('[R163] what cannot be there is left out and named, each with its code, and the rest is whole', async () => {
  const target = await anna.folder(anna.library, 'some')
  const large = new Uint8Array(65 * 1024 * 1024)
  const deep = `${'深/'.repeat(130)}a.txt`
  const packed = Buffer.from(
    zipSync({
      'a.txt': strToU8('1'),
      '../b.txt': strToU8('2'),
      'c:d?.txt': strToU8('3'),
      'A.TXT': strToU8('4'),
      一: strToU8('5'),
      '一/二.txt': strToU8('6'),
      [deep]: strToU8('7'),
      'large.bin': [large, { level: 9 }],
      'broken.txt': [strToU8('these are stored'), { level: 0 }],
      'locked.txt': strToU8('8'),
      'z.txt': strToU8('9'),
    }),
  )
  packed.write('other', packed.indexOf('these are stored'))
  // The encryption flag in the central directory, which precedes the name.
  const locked = packed.lastIndexOf('locked.txt')
  packed.writeUInt16LE(packed.readUInt16LE(locked - 38) | 1, locked - 38)
  const fileId = await anna.upload(anna.library, 'some.zip', packed)
  const made = await anna.call('unpackArchive', { fileId, folderId: target })
  const left = new Map(made.left.map(({ path, result }) => [path, result]))
  expect(left).toEqual(
    new Map([
      ['../b.txt', -6],
      ['c:d?.txt', -6],
      ['A.TXT', -5],
      ['一', -5],
      [deep, -403],
      ['large.bin', -409],
      ['broken.txt', -201],
      ['locked.txt', -206],
    ]),
  )
  expect(made).toMatchObject({ files: 3, leftOut: left.size })
  expect((await anna.names(made.folderId)).toSorted()).toEqual(['a.txt', 'z.txt', '一'].toSorted())
})

test('[R163] where there is no room for all, what fits is there; where nothing is left, nothing is made', async () => {
  const target = await anna.folder(anna.library, 'little')
  await anna.call('setFolderLimit', { folderId: target, limit: 10 })
  const heavy = await upload({ 'a.txt': '123456', 'b.txt': '1234567', 'c.txt': '1234' })
  const many = Object.fromEntries(Array.from({ length: 11_000 }, (_, n) => [`${n}.txt`, '']))
  const none = [
    [await upload({ '../b.txt': '2' }), 'illegalName'],
    [await upload({ 'a.txt': '12345678901' }), 'folderSizeExceeded'],
    [await upload({ [`${'深/'.repeat(130)}a.txt`]: '1' }), 'tooDeep'],
    [await upload(many), 'archiveTooLarge'],
    [await anna.upload(anna.library, 'broken.zip', Buffer.from('no zip')), 'conversionFailed'],
    [await anna.upload(anna.library, 'no.txt', 'text'), 'conversionUnsupported'],
  ] as const
  const left = await countFrom(world)
  for (const [fileId, code] of none)
    expect([code, await anna.refusal('unpackArchive', { fileId, folderId: target })]).toEqual([code, code])
  expect([await anna.names(target), await left()]).toEqual([[], nothing])

  const made = await anna.call('unpackArchive', { fileId: heavy, folderId: target })
  expect(made).toMatchObject({ files: 2, leftOut: 1, left: [{ path: 'b.txt', result: -23 }] })
  expect((await anna.names(made.folderId)).toSorted()).toEqual(['a.txt', 'c.txt'])
  expect(await left()).toEqual({ ...nothing, blobs: 2, versions: 2, objects: 2 })
})

test('[R163] an archive that is made more secret while it is unpacked is so in what comes of it', async () => {
  const mia = await world.person('mia', { secretLevel: 2 })
  const fileId = await mia.upload(mia.library, 'later.zip', zipOf({ 'a.txt': '1' }))
  const target = await mia.folder(mia.library, 'later')
  const beside = extraConnections(world)
  const asked = await beside.transaction().execute(async (tx) => {
    // The target folder's row is locked, so the placing transaction waits.
    await sql`select 1 from item where id = ${target} for update`.execute(tx)
    const call = mia.call('unpackArchive', { fileId, folderId: target })
    await lockIsWaitedFor(beside, '%')
    await beside.updateTable('item').set({ secret_level: 1 }).where('id', '=', fileId).execute()
    return { call }
  })
  const { folderId } = await asked.call
  const { list } = await mia.call('getSubItemList3', { folderId })
  expect(list.map(({ secretLevel }) => secretLevel)).toEqual([1])
})

/** An archive of two files. Placing the second waits for as long as the test locks an equal content. */
async function held(copyId: string | undefined) {
  const words = `held ${++runs}`
  const other = await anna.upload(anna.library, `${words}.txt`, words)
  const fileId = await upload({ 'a.txt': `a ${runs}`, 'b.txt': words })
  const target = await anna.folder(anna.library, `target ${runs}`)
  const left = await countFrom(world)
  const beside = extraConnections(world)
  const hold = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const holding = beside.transaction().execute(async (tx) => {
    await sql`select 1 from blob where id = (select blob_id from version where item_id = ${other}) for update`.execute(
      tx,
    )
    taken.resolve()
    await hold.promise
  })
  await taken.promise
  const gone = new AbortController()
  const asked = fetch(`http://127.0.0.1:${await world.port()}/services2/file/operate/unpackArchive`, {
    method: 'POST',
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fileId, folderId: target, copyId }),
    signal: gone.signal,
  }).then((response) => response.json() as Promise<{ result: number }>)
  asked.catch(() => {})
  await lockIsWaitedFor(beside, '%insert into item%')
  const go = async (): Promise<void> => {
    hold.resolve()
    await holding
  }
  return { target, asked, go, left, beside, leave: () => gone.abort() }
}

test('[R163] unpacking is told of to who does it, and called off leaves nothing, as where nobody waits for it any more', async () => {
  const copyId = 'unpacking-that-is-called-off'
  const one = await held(copyId)
  await expect.poll(async () => (await anna.call('getCopyProgress', { copyId })).copied).toBeGreaterThan(0)
  expect(await ben.refusal('getCopyProgress', { copyId })).toBe('notFound')
  await anna.call('cancelCopy', { copyId })
  await one.go()
  expect(await one.asked).toMatchObject({ result: -9 })
  expect([await anna.names(one.target), await one.left()]).toEqual([[], nothing])

  const two = await held(undefined)
  two.leave()
  await expect(two.asked).rejects.toThrow('aborted')
  // On a separate connection: when it returns, the server has noticed that the other one has closed.
  await fetch(`http://127.0.0.1:${await world.port()}/healthz`)
  await two.go()
  await expect.poll(two.left).toEqual(nothing)
  expect(await anna.names(two.target)).toEqual([])
})

test('[R163] where the connection that places it dies, the folder is whole or not there', async () => {
  const { target, asked, go, beside } = await held(undefined)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into item%'`.execute(beside)
  await go()
  const isThere = (await asked).result === -1
  const { list } = await anna.call('getSubItemList3', { folderId: target })
  expect(list).toHaveLength(isThere ? 1 : 0)
  for (const { fId } of list) expect((await anna.names(fId)).toSorted()).toEqual(['a.txt', 'b.txt'])
})

test.each(few(1, ['commit unpackArchive', 'content kept']))(
  '[R163] [R398] a server that is killed at “%s” leaves nothing, and it can be begun anew',
  async (point) => {
    const own = await openWorld({ elected: false })
    const carl = await own.person('carl')
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n % 4}/${n}.txt`, `file ${n}`]))
    const fileId = await carl.upload(carl.library, 'all.zip', zipOf(files))
    const target = await carl.folder(carl.library, 'target')
    await own.app.settle()
    const server = new ServerProcess([JSON.stringify(own.database), await storeOf(own), point], {}, stopping)
    const origin = await server.ready()
    const asking = fetch(`${origin}/services2/file/operate/unpackArchive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${carl.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fileId, folderId: target }),
    }).catch(() => undefined)
    await server.says(/stopped/)
    server.child.kill('SIGKILL')
    await server.exited
    await asking
    const after = await openWorld({ peer: own, elected: false })
    const again = await after.signIn('carl', 7)
    expect(await again.names(target)).toEqual([])
    const { folderId } = await again.call('unpackArchive', { fileId, folderId: target })
    expect(await again.names(target)).toEqual(['all'])
    const inside = (await again.call('getSubItemList3', { folderId })).list
    const names = await Promise.all(inside.map((folder) => again.names(folder.fId)))
    expect(names.flat()).toHaveLength(40)
  },
)

// [R163] Unpacking a tar loses no file whose name is only in its pax header.
test('[R163] a tar with its names in pax headers is unpacked whole, also packed as .tar.gz', async () => {
  const target = await anna.folder(anna.library, 'tars')
  const [first, second] = ['报表/一月.txt', '报表/二月.txt']
  // Python writes names that are not ASCII as question marks, and the names in pax headers.
  const archive = tarOf(pax({ path: first }), { name: '??/??.txt', text: '1' }, pax({ path: second }), {
    name: '??/??.txt',
    text: '22',
  })
  for (const [name, bytes] of [
    ['python.tar', archive],
    ['python.tar.gz', gzipSync(archive)],
  ] as const) {
    const made = await anna.call('unpackArchive', {
      fileId: await anna.upload(anna.library, name, bytes),
      folderId: target,
    })
    expect(made).toMatchObject({ files: 2, leftOut: 0 })
    const [folder] = (await anna.call('getSubItemList3', { folderId: made.folderId })).list
    expect(folder?.fName).toBe('报表')
    const inside = (await anna.call('getSubItemList3', { folderId: folder?.fId ?? 0 })).list
    expect(Object.fromEntries(inside.map(({ fName, fileSize }) => [fName, fileSize]))).toEqual({
      '一月.txt': 1,
      '二月.txt': 2,
    })
  }
})
