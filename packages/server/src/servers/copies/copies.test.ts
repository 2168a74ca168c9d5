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
    list.map(async ({ fType, fId, fName, sha256: hash, diskTime, modifyTime }) => [
      fName,
      // A file that has never been on a disk brings the time of its last change along.
      fType === 1 ? [hash, diskTime || modifyTime] : await below(person, fId),
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

// [R123] Before a copy starts, the server of the target says which items it would refuse, and which it would rename.
test('[R123] what the target would refuse or rename is told before anything is sent', async () => {
  const [mia, miaThere] = [await here.person('mia', { secretLevel: 2 }), await there.person('mia')]
  const adminThere = await there.admin()
  const folder = await made(mia, mia.library, '检查')
  const inner = await made(mia, folder, '内')
  await mia.upload(inner, '正常.txt', 'x'.repeat(1000))
  await mia.upload(inner, '程序.exe', 'x')
  const secret = await mia.upload(inner, '机密.txt', 'x')
  await mia.call('setSecretLevel', { fileIdArray: [secret], secretLevel: 2, duration: 0, unit: 0 })
  await mia.upload(folder, '大.bin', randomBytes(30_000))
  const single = await mia.upload(mia.library, '同名.txt', 'x')
  await made(miaThere, miaThere.library, '检查')
  await miaThere.upload(miaThere.library, '同名.txt', 'old')
  const asked = {
    ...{ sourceServerId: 0, targetServerId: 1, targetFolderId: miaThere.library },
    ...{ sourceFolderIds: [folder], sourceFileIds: [single, 999_999_999] },
  }
  const limits = { user_space: 20_000, upload_types_denied: ['exe'] }
  await adminThere.call('setServerSetting', limits)
  const found = await mia.call('checkServerCopy', { ...asked, conflict: 'keepBoth' })
  const reasons = ({ problems }: typeof found) =>
    Object.fromEntries(problems.map(({ path, result, name }) => [path, result === -1 ? name : result]))
  expect(reasons(found)).toEqual({
    '': codes.notFound.code,
    检查: '检查 (2)',
    '检查/大.bin': codes.userSizeExceeded.code,
    '检查/内/程序.exe': codes.typeRestricted.code,
    '检查/内/机密.txt': codes.secretLevel.code,
    '同名.txt': '同名 (2).txt',
  })
  expect(found).toMatchObject({ files: 6, folders: 2, refused: 4, renamed: 2, isComplete: true, bytes: 1001 })
  expect(found.problems.find(({ path }) => path === '检查/大.bin')?.msg).not.toBe('')
  // Names that are taken are refused where none may be numbered; what is in such a folder is not asked about.
  const strict = await mia.call('checkServerCopy', asked)
  expect(reasons(strict)).toEqual({
    '': codes.notFound.code,
    检查: codes.alreadyExists.code,
    '同名.txt': codes.alreadyExists.code,
  })
  // What was told is what happens.
  const sent = await copyAcross(mia, { ...asked, conflict: 'keepBoth' })
  const refused = Object.fromEntries(sent.answer?.refused.map(({ path, result }) => [path, result]) ?? [])
  expect(refused).toEqual(
    Object.fromEntries(found.problems.flatMap(({ path, result }) => (result === -1 ? [] : [[path, result]]))),
  )
  expect(await miaThere.names(miaThere.library)).toEqual(expect.arrayContaining(['检查 (2)', '同名 (2).txt']))
  await adminThere.call('setServerSetting', { user_space: 0, upload_types_denied: [] })

  // The check reserves nothing, leaves no session behind, and knows no more than the person.
  expect(await mia.refusal('checkServerCopy', { ...asked, targetFolderId: benThere.library })).toBe('notFound')
  expect(await mia.refusal('checkServerCopy', { ...asked, targetServerId: 9 })).toBe('interconnectedServerMissing')
  for (const world of [here, there]) {
    const left = world.app.db.selectFrom('session').select('client_type').where('client_type', '>=', 200)
    expect(await left.execute()).toEqual([])
  }
})

test('[R123] author and times of a file are kept at the target, as information that nobody can invent', async () => {
  const [nia, niaThere] = [await here.person('nia'), await there.person('nia')]
  const own = await nia.upload(nia.library, '此处.txt', 'here')
  const theirs = await niaThere.upload(niaThere.library, '彼处.txt', 'there')
  const of = await nia.call('getFileInfo', { fileId: own })
  const ofTheirs = await niaThere.call('getFileInfo', { fileId: theirs })
  const out = { sourceServerId: 0, targetServerId: 1, targetFolderId: niaThere.library, sourceFileIds: [own] }
  const sent = (await copyAcross(nia, out)).data[0]?.fId ?? 0
  const got = (await copyAcross(nia, { sourceFileIds: [theirs] })).data[0]?.fId ?? 0
  expect(await niaThere.call('getFileOrigin', { fileId: sent })).toEqual({
    // What the server calls itself, as long as its company has no name.
    origin: { server: '云文档', author: 'nia', createTime: of.createTime },
  })
  expect(await nia.call('getFileOrigin', { fileId: got })).toEqual({
    origin: { server: '深圳分部', author: 'nia', createTime: ofTheirs.createTime },
  })
  expect((await nia.call('getFileInfo', { fileId: got })).diskTime).toBe(ofTheirs.modifyTime)
  expect(await nia.call('getFileOrigin', { fileId: own })).toEqual({})
  const invented = { fileId: own, server: '总部', author: '董事长', createTime: 1 }
  expect(await nia.refusal('noteFileOrigin', invented)).toBe('noPermission')
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

/** The same JSON with a field more in each object. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, one]: [string, unknown]) => [name, withMore(one)])
  return { ...Object.fromEntries(fields), ofALaterRelease: { of: 'that' } }
}

test('[R123] a server of a later release, whose answers have more fields, is copied from and to', async () => {
  const fileId = await annaThere.upload(annaThere.library, '新版.txt', 'newer')
  const own = await anna.upload(anna.library, '旧版.txt', 'older')
  const newer = (path: string, bytes: Buffer): Buffer =>
    path.startsWith('/services2/') ? Buffer.from(JSON.stringify(withMore(JSON.parse(bytes.toString())))) : bytes
  await link(await between(newer))
  expect(await copy({ sourceServerId: 2, sourceFileIds: [fileId] })).toMatchObject({ code: 'success' })
  const out = { sourceServerId: 0, targetServerId: 2, sourceFileIds: [own], targetFolderId: annaThere.library }
  expect(await anna.call('checkServerCopy', out)).toMatchObject({ files: 1, refused: 0 })
  expect(await copy(out)).toMatchObject({ code: 'success' })
  await link(address)
})

test('[R123] a server of an earlier release, which knows neither the check nor origins, is copied to', async () => {
  const own = await anna.upload(anna.library, '往旧.txt', 'older')
  const older = (path: string, bytes: Buffer): Buffer =>
    /checkUploads|noteFileOrigin/.test(path) ? Buffer.from('{"message":"Route not found","statusCode":404}') : bytes
  await link(await between(older))
  const out = { sourceServerId: 0, targetServerId: 2, sourceFileIds: [own], targetFolderId: annaThere.library }
  expect(await anna.refusal('checkServerCopy', out)).toBe('interconnectedServerFaulty')
  expect(await copy(out)).toMatchObject({ code: 'success' })
  await link(address)
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
