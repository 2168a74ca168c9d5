// Two linked servers, each with its own database and blobs ([R123], [R343], [R345]).
import { createHash, randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { codes, rightsGroup } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { copyAcross, copyEnded, linkWorlds } from '../../../test/linked-worlds.ts'
import { Pauses } from '../../../test/pauses.ts'
import { allFeatures } from '../../installation.ts'
import { usualTimes } from '../links/index.ts'
import { serverCopies, serverCopiesWithin } from './feature.ts'

let here: World
let there: World
let anna: Person
let annaThere: Person
let benThere: Person
let address: string
const pauses = new Pauses()

let publicKey: string

/** Links the other server under this number, at another address. */
const link = async (apiHost: string, serverId = 2) => {
  const admin = await here.admin()
  await admin.call('removeLinkedServer', { serverId: 1 }).catch(() => {})
  return admin.call('setLinkedServer', { serverId, serverName: '分公司', publicKey, apiHost })
}
const copy = (input: object) => copyAcross(anna, input)
const made = async (person: Person, parentId: number, folderName: string) =>
  (await person.call('folderCreate', { parentId, folderName })).folderId
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  here = await openWorld({
    pause: pauses.at,
    features: allFeatures.map((each) =>
      each === serverCopies ? serverCopiesWithin({ ...usualTimes, retryMs: 20 }) : each,
    ),
  })
  there = await openWorld()
  anna = await here.person('anna')
  annaThere = await there.person('anna')
  benThere = await there.person('ben')
  address = `http://127.0.0.1:${await there.port()}`
  await linkWorlds(here, there)
  publicKey = (await (await here.admin()).call('probeServer', { apiHost: address })).publicKey
})

test('[R123] files and folders of another server arrive byte for byte, as far as the person may have them there', async () => {
  const project = await made(annaThere, annaThere.library, '项目')
  const inner = await made(annaThere, project, '二期')
  await made(annaThere, project, '空')
  const contents = new Map([
    ['大.bin', randomBytes(5_000_000)],
    ['空.txt', Buffer.alloc(0)],
    ['小.txt', Buffer.from('小')],
  ])
  for (const [name, bytes] of contents) await annaThere.upload(inner, name, bytes)
  const single = await annaThere.upload(annaThere.library, '单.txt', 'single')
  await annaThere.call('fileOrFolderLink', { fileIdArray: [single], targetFolderId: inner })
  const foreign = await benThere.upload(benThere.library, '别人的.txt', 'x')

  const wire = await copy({ sourceFolderIds: [project], sourceFileIds: [single, foreign] })
  expect(wire.code).toBe('notFound')
  const [folder, file, refused] = wire.data
  expect(folder).toMatchObject({ id: `f-${project}`, name: '项目', result: -1 })
  expect(refused).toMatchObject({ id: `f${foreign}`, fType: 1, name: '', result: -3 })
  expect((await anna.download(file?.fId ?? 0)).body).toBe('single')
  const top = folder?.fId ?? 0
  expect((await anna.names(top)).toSorted()).toEqual(['二期', '空'])
  const { list } = await anna.call('getSubItemList3', { folderId: top })
  const copied = (await anna.call('getSubItemList3', { folderId: list.find((one) => one.fName === '二期')?.fId ?? 0 }))
    .list
  expect(copied.map((one) => one.fName).toSorted()).toEqual([...contents.keys()].toSorted())
  for (const { fId, fName } of copied) {
    const { rawPayload } = await anna.download(fId)
    expect(sha256(rawPayload), fName).toBe(sha256(contents.get(fName) ?? Buffer.of(0)))
  }
  // The visit leaves no session behind.
  const sessions = there.app.db.selectFrom('session').select('client_type').where('client_type', '>=', 200)
  expect(await sessions.execute()).toEqual([])
})

test('[R123] rules of the place hold: rights, taken names, a copy beside', async () => {
  const source = await annaThere.upload(annaThere.library, '规则.txt', 'new')
  await anna.upload(anna.library, '规则.txt', 'old')
  expect(await copy({ sourceFileIds: [source] })).toMatchObject({
    code: 'alreadyExists',
    data: [{ name: '规则.txt', result: -5 }],
  })
  const beside = await copy({ sourceFileIds: [source], conflict: 'keepBoth' })
  expect(beside).toMatchObject({ code: 'success' })
  expect(await anna.names(anna.library)).toEqual(expect.arrayContaining(['规则.txt', '规则 (2).txt']))
  const admin = await here.admin()
  const { folderId } = await admin.call('folderCreate', { parentId: admin.library, folderName: 'f' })
  await admin.shares({ folderId }, [{ to: anna, rights: rightsGroup.preview }])
  expect(await copy({ sourceFileIds: [source], targetFolderId: folderId })).toMatchObject({ code: 'noPermission' })
  expect(await copy({ sourceFileIds: [source], targetFolderId: -2 })).toMatchObject({ code: 'noPermission' })
})

/** A folder with folders and files of many sizes. Returns its id. */
async function treeOf(person: Person, name: string): Promise<number> {
  const top = await made(person, person.library, name)
  const inner = await made(person, top, '内')
  await made(person, inner, '空')
  await person.upload(top, '空.txt', '')
  await person.upload(inner, '大.bin', randomBytes(9_000_000))
  for (let n = 0; n < 5; n += 1) await person.upload(inner, `${n}.txt`, `${name} ${n}`)
  return top
}

/** The names and hashes below a folder. */
async function below(person: Person, folderId: number): Promise<unknown> {
  const { list } = await person.call('getSubItemList3', { folderId, rows: 1000, fields: 'sha256' })
  const inside = await Promise.all(
    list.map(async ({ fType, fId, fName, sha256: hash, diskTime }) => [
      fName,
      fType === 1 ? [hash, diskTime] : await below(person, fId),
    ]),
  )
  return inside.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

// [R123] Files and folders are copied and moved between servers, in both directions and between two linked ones, byte for
// byte and compared by hash, with the rights that the person has on both sides.
test('[R123] a folder goes to a linked server, and from one linked server to another', async () => {
  const top = await treeOf(anna, '去分公司')
  const foreign = await benThere.call('folderCreate', { parentId: benThere.library, folderName: '别人的' })
  const out = { sourceServerId: 0, targetServerId: 1, sourceFolderIds: [top] }
  expect(await copy({ ...out, targetFolderId: foreign.folderId })).toMatchObject({ code: 'notFound' })
  const sent = await copy({ ...out, targetFolderId: annaThere.library })
  expect(sent).toMatchObject({
    code: 'success',
    answer: { copy: { files: 7, filesDone: 7, folders: 3, refused: 0, name: '去分公司', isListed: true } },
  })
  const arrived = sent.data[0]?.fId ?? 0
  expect(await below(annaThere, arrived)).toEqual(await below(anna, top))
  // Whoever owns the files there sees who has put them there.
  expect(await annaThere.call('getFolderInfo', { folderId: arrived })).toMatchObject({ creatorName: 'anna' })

  const third = await openWorld()
  const annaThird = await third.person('anna')
  const number = await linkWorlds(here, third, { name: '研究院' })
  const on = { sourceServerId: 1, targetServerId: number, targetFolderId: annaThird.library }
  const passed = await copy({ ...on, sourceFolderIds: [arrived] })
  expect(passed).toMatchObject({ code: 'success' })
  expect(await below(annaThird, passed.data[0]?.fId ?? 0)).toEqual(await below(anna, top))
  for (const world of [here, there, third]) {
    const left = world.app.db.selectFrom('session').select('client_type').where('client_type', '>=', 200)
    expect(await left.execute()).toEqual([])
  }
})

test('[R123] a move leaves the source in its recycle bin, unless something has changed there since', async () => {
  const [top, other] = [await treeOf(annaThere, '搬走'), await treeOf(annaThere, '改过')]
  const file = await annaThere.upload(annaThere.library, '搬走.txt', 'moved')
  const stop = pauses.hold('server copy file made')
  const move = { isMove: true, sourceFolderIds: [top, other], sourceFileIds: [file] }
  const moving = copy(move)
  await stop.reached
  await annaThere.upload(other, '后来.txt', 'later')
  stop.release()
  const { data, answer } = await moving
  expect(data.map(({ name, result }) => [name, result])).toEqual([
    ['搬走', -1],
    ['改过', codes.fileConflict.code],
    ['搬走.txt', -1],
  ])
  expect(answer?.refused).toMatchObject([{ path: '改过', result: codes.fileConflict.code }])
  const left = await annaThere.names(annaThere.library)
  expect(left).toContain('改过')
  expect(left).not.toContain('搬走')
  expect(left).not.toContain('搬走.txt')
  // What has come since is copied when the person tries again.
  await anna.call('resumeServerCopy', { copyId: answer?.copy.copyId ?? 0 })
  expect(await copyEnded(anna, answer?.copy.copyId ?? 0)).toMatchObject({ code: 'success' })
  expect(await annaThere.names(annaThere.library)).not.toContain('改过')
  expect(await anna.names(data[1]?.fId ?? 0)).toContain('后来.txt')
})

test('[R123] a copy is cancelled by whoever has started it, and exists for nobody else', async () => {
  const top = await treeOf(annaThere, '不要了')
  const stop = pauses.hold('server copy part sent')
  const { copyId } = await anna.call('copyFilesAndFolders', {
    ...{ sourceServerId: 1, sourceFolderIds: [top], targetFolderId: anna.library },
  })
  await stop.reached
  const ben = await here.person('ben')
  expect(await ben.refusal('getServerCopy', { copyId })).toBe('notFound')
  expect(await ben.refusal('cancelServerCopy', { copyId })).toBe('notFound')
  expect(await ben.refusal('resumeServerCopy', { copyId })).toBe('notFound')
  expect((await ben.call('getServerCopies', {})).list).toEqual([])
  await anna.call('cancelServerCopy', { copyId })
  expect(await anna.refusal('cancelServerCopy', { copyId })).toBe('duplicateOperation')
  stop.release()
  expect((await anna.call('getServerCopies', {})).list[0]).toMatchObject({ copyId, state: 'cancelled' })
  await anna.call('resumeServerCopy', { copyId })
  const { data } = await copyEnded(anna, copyId)
  expect(await below(anna, data[0]?.fId ?? 0)).toEqual(await below(annaThere, top))
})

/** A proxy in front of the other server that modifies the traffic. */
async function between(change: (path: string, bytes: Buffer) => Buffer | 'cut'): Promise<string> {
  const server = createServer((request, response) => {
    const pass = (answer: IncomingMessage, chunks: Buffer[]): void => {
      const whole = Buffer.concat(chunks)
      const bytes = change(request.url ?? '', whole)
      const length = bytes === 'cut' ? whole.length : bytes.length
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': length })
      if (bytes === 'cut') response.write(whole.subarray(0, 1000), () => response.destroy())
      else response.end(bytes)
    }
    const { method, headers } = request
    const passed = httpRequest(`${address}${request.url}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => pass(answer, chunks))
    })
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('[R123] a content that is not what the other server says, or breaks off, is not taken', async () => {
  const fileId = await annaThere.upload(annaThere.library, '完整.bin', randomBytes(100_000))
  const flipped = (path: string, bytes: Buffer) => {
    if (path.startsWith('/DownloadServlet')) bytes[5000] = 255 - (bytes[5000] ?? 0)
    return bytes
  }
  await link(await between(flipped))
  expect(await copy({ sourceServerId: 2, sourceFileIds: [fileId] })).toMatchObject({ code: 'uploadInterrupted' })
  await link(await between((path, bytes) => (path.startsWith('/DownloadServlet') ? 'cut' : bytes)))
  const cut = await copy({ sourceServerId: 2, sourceFileIds: [fileId] })
  expect(cut).toMatchObject({ code: 'interconnectedServerNotResponding', answer: { copy: { state: 'running' } } })
  expect(await anna.names(anna.library)).not.toContain('完整.bin')
  // It goes on as soon as the server answers.
  await link(address)
  await vi.waitFor(async () => expect(await anna.names(anna.library)).toContain('完整.bin'), 120_000)
  await link(await between((path, bytes) => (path.includes('getFileInfo') ? Buffer.from('{}') : bytes)))
  expect(await copy({ sourceServerId: 2, sourceFileIds: [fileId] })).toMatchObject({
    code: 'interconnectedServerFaulty',
  })
})

test('[R123] a server that is not linked, or does not answer, has its code', async () => {
  expect(await copy({ sourceServerId: 9 })).toMatchObject({ code: 'interconnectedServerMissing' })
  expect(await copy({ sourceServerId: 0 })).toMatchObject({ code: 'interconnectedServerMissing' })
  await link('http://127.0.0.1:1')
  expect(await copy({ sourceServerId: 2, sourceFileIds: [1] })).toMatchObject({
    code: 'interconnectedServerNotResponding',
  })
})

test('a linked server is no link-local address and no metadata service, however it is written, and no name of one is asked', async () => {
  const admin = await here.admin()
  const hosts = [
    '169.254.169.254',
    '169.254.0.1:8080',
    '2852039166',
    '0xa9fea9fe',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ]
  for (const host of hosts) {
    const input = { serverId: 3, serverName: '云', publicKey: 'k'.repeat(43), apiHost: `http://${host}/latest` }
    expect([host, await admin.refusal('setLinkedServer', input)]).toEqual([host, 'badRequest'])
  }
  expect((await anna.call('getServerList', {})).list.map(({ serverId }) => serverId)).not.toContain(3)
})
