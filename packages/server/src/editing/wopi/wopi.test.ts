// Co-editing: the WOPI host with an office server in a process of its own ([R148], [R172], [R182], [R397]).
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isFrame } from '@cloudoc/contract'
import { codes, defaultFormats, limits } from '@cloudoc/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import type { OfficeRequest, OfficeResponse } from '../../../test/office-server.ts'
import { endExpiredSharedLocks } from './shared-lock.ts'
import { fromUtf7, toUtf7 } from './utf7.ts'

let world: World
let office: ChildProcess
let officeAddress = ''
let address = ''
let shift = 0
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0
let asked = 0
let people = 0

beforeAll(async () => {
  office = fork(fileURLToPath(new URL('../../../test/office-server.ts', import.meta.url)), { stdio: 'inherit' })
  const [[told]] = await Promise.all([
    once(office, 'message') as Promise<[{ port: number }]>,
    openWorld({ elected: false, now: () => Date.now() + shift }).then((opened) => {
      world = opened
    }),
  ])
  officeAddress = `http://127.0.0.1:${told.port}`
  address = `http://127.0.0.1:${await world.port()}`
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 2, office_server: officeAddress })
})
afterAll(() => void office.kill())

/** Two users who may change a document, and a key for each. */
beforeEach(async () => {
  shift = 0
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
  fileId = await anna.upload(folderId, '合同.docx', 'first')
})

const ask = async (asks: OfficeRequest): Promise<OfficeResponse> => {
  asked += 1
  const n = asked
  const answer = new Promise<OfficeResponse>((resolve) => {
    const hear = (message: { n: number; hears: OfficeResponse }): void => {
      if (message.n !== n) return
      office.off('message', hear)
      resolve(message.hears)
    }
    office.on('message', hear)
  })
  office.send({ n, asks })
  return answer
}
const keyOf = async (person: Person, id = fileId): Promise<string> =>
  (await person.call('createEditKey', { fileId: id })).key
const urlOf = (key: string, id = fileId, rest = ''): string =>
  `${address}/wopi/files/${id}${rest}?access_token=${encodeURIComponent(key)}`
const post = (
  key: string,
  override: string,
  headers: Record<string, string> = {},
  more: { body?: string; id?: number } & Partial<OfficeRequest> = {},
): Promise<OfficeResponse> => {
  const { id, ...rest } = more
  return ask({ method: 'POST', url: urlOf(key, id), headers: { 'x-wopi-override': override, ...headers }, ...rest })
}
const put = (key: string, body: string, headers: Record<string, string> = {}, id = fileId): Promise<OfficeResponse> =>
  ask({
    ...{ method: 'POST', url: urlOf(key, id, '/contents'), body },
    headers: { 'x-wopi-override': 'PUT', ...headers },
  })
const info = async (key: string): Promise<Record<string, unknown>> => {
  const { status, body } = await ask({ method: 'GET', url: urlOf(key) })
  expect(status).toBe(200)
  return JSON.parse(body) as Record<string, unknown>
}
const lock = (lockId: string) => ({ 'x-wopi-lock': lockId })
const outcome = ({ status, headers }: OfficeResponse): [number, string | undefined] => [status, headers['x-wopi-lock']]
const content = async (): Promise<string> => (await anna.download(fileId)).body
const statusBit = async (person: Person): Promise<boolean> =>
  ((await person.call('getFileInfo', { fileId })).itemStatus & 67_108_864) !== 0

describe('a WOPI host', () => {
  test('[R148] [R182] tells of a file and gives its bytes to the office of whoever has a key', async () => {
    const { key, canWrite } = await anna.call('createEditKey', { fileId })
    expect(canWrite).toBe(true)
    expect(await info(key)).toMatchObject({
      BaseFileName: '合同.docx',
      Size: 5,
      Version: '1',
      UserId: String(anna.userId),
      UserFriendlyName: anna.account,
      UserCanWrite: true,
      ReadOnly: false,
      UserCanRename: true,
      UserCanNotWriteRelative: false,
      SupportsLocks: true,
      SupportsExtendedLockLength: true,
      DisableExport: false,
    })
    const url = urlOf(key, fileId, '/contents')
    const got = await ask({ method: 'GET', url })
    expect([got.status, got.body, got.headers['x-wopi-itemversion']]).toEqual([200, 'first', '1'])
    // Office servers send the key as a bearer token too.
    const twice = await ask({ method: 'GET', url, headers: { authorization: `Bearer ${key}` } })
    expect(twice.status).toBe(200)
    const small = await ask({ method: 'GET', url, headers: { 'x-wopi-maxexpectedsize': '4' } })
    expect(small.status).toBe(412)
  })

  test('[R148] answers what the office has signed, with its newest keys or those before a change, in the last 20 minutes', async () => {
    const key = await keyOf(anna)
    const statusOf = async (more: Partial<OfficeRequest>): Promise<number> =>
      (await ask({ method: 'GET', url: urlOf(key), ...more })).status
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ signs: 'rotated' })).toBe(200)
    expect(await statusOf({ signs: 'wrong' })).toBe(500)
    expect(await statusOf({ signs: 'none' })).toBe(500)
    expect(await statusOf({ ageMs: 19 * 60_000 })).toBe(200)
    expect(await statusOf({ ageMs: 21 * 60_000 })).toBe(500)
    expect(await statusOf({ ageMs: -21 * 60_000 })).toBe(500)
  })

  // [R148] With an office server that speaks WOPI several people edit one file under one shared lock.
  test('[R148] has locks as the protocol says: taken, renewed, exchanged, given back; a conflict tells the lock that is there', async () => {
    const key = await keyOf(anna)
    const bens = await keyOf(ben)
    const long = 'L'.repeat(1024)
    expect(outcome(await post(key, 'GET_LOCK'))).toEqual([200, ''])
    expect(outcome(await post(key, 'UNLOCK', lock('A')))).toEqual([409, ''])
    expect(outcome(await post(key, 'REFRESH_LOCK', lock('A')))).toEqual([409, ''])
    expect(outcome(await post(key, 'LOCK', { ...lock('B'), 'x-wopi-oldlock': 'A' }))).toEqual([409, ''])
    expect((await post(key, 'LOCK')).status).toBe(400)
    expect((await post(key, 'LOCK', lock(`${long}L`))).status).toBe(400)
    expect((await post(key, 'LOCK', lock(long))).status).toBe(200)
    expect(await statusBit(ben)).toBe(true)
    for (const again of [key, bens]) expect((await post(again, 'LOCK', lock(long))).status).toBe(200)
    expect(outcome(await post(bens, 'LOCK', lock('B')))).toEqual([409, long])
    expect(outcome(await post(bens, 'GET_LOCK'))).toEqual([200, long])
    expect(outcome(await post(bens, 'REFRESH_LOCK', lock('B')))).toEqual([409, long])
    expect(outcome(await post(bens, 'UNLOCK', lock('B')))).toEqual([409, long])
    expect(outcome(await post(bens, 'LOCK', { ...lock('B'), 'x-wopi-oldlock': 'C' }))).toEqual([409, long])
    expect((await post(bens, 'REFRESH_LOCK', lock(long))).status).toBe(200)
    expect((await post(bens, 'LOCK', { ...lock('B'), 'x-wopi-oldlock': long })).status).toBe(200)
    expect(outcome(await post(key, 'GET_LOCK'))).toEqual([200, 'B'])
    expect((await post(key, 'UNLOCK', lock('B'))).status).toBe(200)
    expect(await statusBit(ben)).toBe(false)
    expect((await post(key, 'DELETE')).status).toBe(501)
    expect((await post(key, 'NOTHING')).status).toBe(501)
  })

  test('[R148] [R178] of one file either one person edits alone or several together, and nobody changes it beside them', async () => {
    const key = await keyOf(anna)
    await ben.call('fileEditLock', { fileId })
    expect(outcome(await post(key, 'LOCK', lock('A')))).toEqual([409, ''])
    expect(outcome(await post(key, 'GET_LOCK'))).toEqual([409, ''])
    await ben.call('fileEditUnlock', { fileId })
    expect((await post(key, 'LOCK', lock('A'))).status).toBe(200)
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    expect(await anna.refusal('renameFile', { fileId, fileName: 'b.docx' })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderDelete', { fileIdArray: [fileId] })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe('fileLocked')
    expect((await ben.uploadWire(folderId, '合同.docx', 'x', { conflict: 'version' })).code).toBe('fileLocked')
    expect((await anna.call('getWopiLockFileIdList', {})).list).toContain(fileId)
    const stranger = await world.person(`carl${people}`)
    expect((await stranger.call('getWopiLockFileIdList', {})).list).not.toContain(fileId)
    expect(await content()).toBe('first')
    // The lock is not renewed: it is released after its time.
    shift = limits.editLockMs - 60_000
    await endExpiredSharedLocks(world.app.services, Date.now() + shift)
    expect(await statusBit(ben)).toBe(true)
    shift = limits.editLockMs + 60_000
    await endExpiredSharedLocks(world.app.services, Date.now() + shift)
    expect(await statusBit(ben)).toBe(false)
    await ben.call('fileEditLock', { fileId })
  })

  // [R181] Participants of co-editing on an office server are notified of a forced unlock and lose nothing the office
  // server holds.
  test('[R181] [R339] is forced to end by the owner; who takes part is told, and what the office has still comes in by a new lock', async () => {
    const key = await keyOf(ben)
    await post(key, 'LOCK', lock('A'))
    const stranger = await world.person(`carl${people}`)
    const live = await ben.listen()
    const force = async (all: boolean) => (await anna.wire('forceUnlockFiles', { fileIdArray: [fileId], all })).code
    expect([await force(false), await statusBit(anna)]).toEqual(['fileLocked', true])
    expect((await stranger.wire('forceUnlockFiles', { fileIdArray: [fileId], all: true })).code).toBe('notFound')
    expect([await force(true), await statusBit(anna)]).toEqual(['success', false])
    await world.app.settle()
    const frame = await live.next((each) => isFrame(each, 'fileForceUnlocked'))
    expect(frame.data).toMatchObject({ fileId, lockType: 2, userId: anna.userId })
    expect(outcome(await put(key, 'second', lock('A')))).toEqual([409, ''])
    expect(await content()).toBe('first')
    await post(key, 'LOCK', lock('A'))
    expect((await put(key, 'second', lock('A'))).status).toBe(200)
  })

  // [R397] Content that people edit together on an office server is stored as versions that name the editors.
  test('[R148] [R397] stores what the office hands in under its lock as a version that names who took part', async () => {
    const key = await keyOf(anna)
    await keyOf(ben)
    const stranger = await world.person(`carl${people}`)
    expect(outcome(await put(key, 'no lock'))).toEqual([409, ''])
    await post(key, 'LOCK', lock('A'))
    expect(outcome(await put(key, 'other lock', lock('B')))).toEqual([409, 'A'])
    const editors = { 'x-wopi-editors': `${ben.userId},${stranger.userId},x` }
    const stored = await put(key, 'second', { ...lock('A'), ...editors })
    expect([stored.status, stored.headers['x-wopi-itemversion']]).toEqual([200, '2'])
    expect(await content()).toBe('second')
    const { list } = await ben.call('getVersionList', { fileId, from: 0, rows: 10 })
    expect(list.map(({ creatorName }) => creatorName)).toEqual([`${anna.account}、${ben.account}`, anna.account])
    const empty = await anna.upload(folderId, 'empty.docx', '')
    expect((await put(await keyOf(anna, empty), 'begun', {}, empty)).status).toBe(200)
    await (await world.admin()).call('setServerSetting', { upload_max_size: 5 })
    const large = await put(key, 'much too large', lock('A'))
    await (await world.admin()).call('setServerSetting', { upload_max_size: 0 })
    expect(large.status).toBe(413)
    expect(await content()).toBe('second')
  })

  test('[R148] saves a copy beside it by a suggested name or the one that is asked for, and says which would do', async () => {
    const key = await keyOf(anna)
    const save = (headers: Record<string, string>, body = 'copy') => post(key, 'PUT_RELATIVE', headers, { body })
    const suggested = (name: string) => ({ 'x-wopi-suggestedtarget': toUtf7(name) })
    const relative = (name: string) => ({ 'x-wopi-relativetarget': toUtf7(name) })
    const first = await save(suggested('.pdf'))
    expect(first.status).toBe(200)
    const made = JSON.parse(first.body) as { Name: string; Url: string }
    expect(made.Name).toBe('合同.pdf')
    expect((await ask({ method: 'GET', url: made.Url })).status).toBe(200)
    expect(JSON.parse((await save(suggested('合同.docx'))).body)).toMatchObject({ Name: '合同 (2).docx' })
    const taken = await save(relative('合同.pdf'))
    expect([taken.status, fromUtf7(taken.headers['x-wopi-validrelativetarget'] ?? '')]).toEqual([409, '合同 (2).pdf'])
    expect((await save({ ...relative('合同.pdf'), 'x-wopi-overwriterelativetarget': 'true' }, 'over')).status).toBe(200)
    await post(key, 'LOCK', lock('A'))
    const held = await save({ ...relative('合同 (2).docx'), 'x-wopi-overwriterelativetarget': 'true' })
    expect(held.status).toBe(200)
    expect((await save({ ...relative('a.docx'), ...suggested('b.docx') })).status).toBe(400)
    expect((await save({})).status).toBe(400)
    expect((await save(relative('a/b.docx'))).status).toBe(400)
    expect(await anna.names(folderId)).toEqual(expect.arrayContaining(['合同.docx', '合同.pdf', '合同 (2).docx']))
    await anna.shares({ folderId }, [{ to: ben, rights: 2 + 4 + 8 + 64 }])
    const bens = await keyOf(ben)
    expect(await info(bens)).toMatchObject({ UserCanWrite: true, UserCanNotWriteRelative: true })
    expect((await post(bens, 'PUT_RELATIVE', suggested('x.docx'), { body: 'x' })).status).toBe(401)
  })

  test('[R148] renames under its lock, keeps the extension, and says why a name will not do', async () => {
    const key = await keyOf(anna)
    const rename = (name: string, more: Record<string, string> = {}) =>
      post(key, 'RENAME_FILE', { 'x-wopi-requestedname': toUtf7(name), ...more })
    await anna.upload(folderId, 'taken.docx')
    await post(key, 'LOCK', lock('A'))
    expect(outcome(await rename('新 + 名', lock('B')))).toEqual([409, 'A'])
    const refused = await rename('taken', lock('A'))
    expect([refused.status, refused.headers['x-wopi-invalidfilenameerror']]).toEqual([400, 'alreadyExists'])
    expect((await rename('a/b', lock('A'))).status).toBe(400)
    const renamed = await rename('新 + 名', lock('A'))
    expect([renamed.status, renamed.body]).toEqual([200, JSON.stringify({ Name: '新 + 名' })])
    expect((await anna.call('getFileInfo', { fileId })).fName).toBe('新 + 名.docx')
  })

  test('[R148] asks the rights with every request: who loses that to change it looks on, and stores nothing', async () => {
    const key = await keyOf(ben)
    await post(key, 'LOCK', lock('A'))
    expect((await put(key, 'second', lock('A'))).status).toBe(200)
    await anna.shares({ folderId }, [{ to: ben, rights: 2 + 4 + 8 }])
    expect(await info(key)).toMatchObject({ UserCanWrite: false, ReadOnly: true })
    expect((await put(key, 'third', lock('A'))).status).toBe(401)
    expect((await post(key, 'REFRESH_LOCK', lock('A'))).status).toBe(401)
    expect((await post(key, 'RENAME_FILE', { 'x-wopi-requestedname': 'x', ...lock('A') })).status).toBe(401)
    expect((await post(key, 'UNLOCK', lock('A'))).status).toBe(200)
    await anna.shares({ folderId }, [], { inherit: false })
    expect((await ask({ method: 'GET', url: urlOf(key) })).status).toBe(404)
    expect((await ask({ method: 'GET', url: urlOf(key, fileId, '/contents') })).status).toBe(404)
    expect(await content()).toBe('second')
  })

  // [R172] With the right to change but not to download, a file is edited on the page of an office server.
  test('[R172] lets whoever may change a file but not take it along edit there, and has the office keep it in its page', async () => {
    const admin = await world.admin()
    const mayTake = (allowed: boolean) =>
      admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'download', allowed }] })
    await mayTake(false)
    const key = await keyOf(ben)
    expect(await info(key)).toMatchObject({
      ...{ UserCanWrite: true, DisableExport: true, DisableCopy: true, ProtectInClient: true },
    })
    // The key is known to the browser. Without the office server's signature it gives no access to the content.
    const url = urlOf(key, fileId, '/contents')
    expect((await ask({ method: 'GET', url, signs: 'none' })).status).toBe(500)
    expect((await ask({ method: 'GET', url })).body).toBe('first')
    expect(
      (await world.app.http.inject({ url: `/DownloadServlet?fileId=${fileId}&access_token=${key}` })).statusCode,
    ).toBe(403)
    await mayTake(true)
  })

  // [R148] With security_edit people who may not download edit in the sandbox on Windows, which is refused by its code
  // where there is no driver (X42); people who may download, and other systems, edit as before.
  test('[R148] [R044] refuses who may not download on Windows, where editing is for the sandbox', async () => {
    const admin = await world.admin()
    const mayTake = (allowed: boolean) =>
      admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'download', allowed }] })
    const resultOn = async (system: string): Promise<number> => {
      const headers = { authorization: `Bearer ${ben.token}`, 'user-agent': `Mozilla/5.0 (${system})` }
      const answer = await world.app.http.inject({ url: `/services2/edit/createEditKey/${fileId}`, headers })
      return answer.json<{ result: number }>().result
    }
    const windows = 'Windows NT 10.0; Win64; x64'
    await mayTake(false)
    expect(await resultOn(windows)).toBe(codes.success.code)
    await admin.call('setSafeStrategy', { security_edit: true })
    expect(await resultOn(windows)).toBe(codes.sandboxMissing.code)
    expect(await resultOn('X11; Linux x86_64')).toBe(codes.success.code)
    await mayTake(true)
    expect(await resultOn(windows)).toBe(codes.success.code)
    await admin.call('setSafeStrategy', { security_edit: false })
  })

  test('[R148] takes a key for its file, its person and its session alone, for ten hours', async () => {
    const key = await keyOf(ben)
    const other = await anna.upload(folderId, 'other.docx', 'other')
    const statusOf = async (token: string, id = fileId): Promise<number> =>
      (await ask({ method: 'GET', url: urlOf(token, id) })).status
    expect(await statusOf(key)).toBe(200)
    expect(await statusOf(key, other)).toBe(401)
    expect(await statusOf(key, 987_654_321)).toBe(401)
    expect(await statusOf(ben.token)).toBe(401)
    expect(await statusOf('x')).toBe(401)
    expect((await put(key, 'x', lock('A'), other)).status).toBe(401)
    const elsewhere = await anna.folder(anna.library, 'elsewhere')
    await anna.shares({ folderId: elsewhere }, [{ to: ben, rights: 510 }])
    await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: elsewhere })
    expect(await statusOf(key)).toBe(200)
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await statusOf(key)).toBe(404)
    await anna.call('recycleRestore', { fileIdArray: [fileId] })
    expect(await statusOf(key)).toBe(200)
    await ben.call('logout2', {})
    expect(await statusOf(key)).toBe(401)
    const again = await world.signIn(ben.account)
    const second = await keyOf(again)
    await (await world.admin()).call('setAccountState', { userId: ben.userId, state: 'frozen' })
    expect(await statusOf(second)).toBe(401)
    const annas = await keyOf(anna)
    shift = 10 * 60 * 60_000 + 1
    expect((await ask({ method: 'GET', url: urlOf(annas), ageMs: -shift })).status).toBe(401)
  })
})

describe('what leads there', () => {
  // [R182] Edit keys, the page by its address, the list of locks.
  test('[R182] the page of a file posts the key to the page of the office, which may stand in a frame of ours', async () => {
    const page = (query: Record<string, string | number>) =>
      world.app.http.inject({
        url: `/services2/edit/multiEdit?${new URLSearchParams(query as Record<string, string>).toString()}`,
      })
    const key = await keyOf(anna)
    const shown = await page({ fileId, access_token: key })
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain(`value="${key}"`)
    expect(shown.body).toMatch(
      new RegExp(`action="${officeAddress}/page/edit\\?ui=zh-CN&#38;rs=zh-CN&#38;WOPISrc=http`),
    )

    expect(shown.headers['content-security-policy']).toContain(`form-action ${officeAddress}`)
    // A session token is accepted too, and a key is issued for it.
    const own = await page({ fileId, access_token: anna.token })
    expect([own.statusCode, own.body.includes(anna.token)]).toEqual([200, false])
    const text = await anna.upload(folderId, 'a.txt', 'text')
    expect(await anna.refusal('createEditKey', { fileId: text })).toBe('conversionUnsupported')
    expect((await page({ fileId: text, access_token: anna.token })).body).toContain('role="alert"')
    expect((await page({ fileId: text, access_token: key })).statusCode).toBe(403)
  })

  test('[R148] an administrator is told what the office edits, or what is wrong with it; with the setting off nothing is there', async () => {
    const admin = await world.admin()
    expect(await admin.call('testOfficeServer', {})).toEqual({ edits: ['docx'], others: 1 })
    expect(await anna.refusal('testOfficeServer', {})).toBe('noPermission')
    await admin.call('setServerSetting', { preview_multi_edit: ['xlsx'] })
    expect(await admin.call('testOfficeServer', {})).toEqual({ edits: [], others: 2 })
    expect(await anna.refusal('createEditKey', { fileId })).toBe('conversionUnsupported')
    await admin.call('setServerSetting', { preview_multi_edit: [...defaultFormats.multiEdit] })
    const key = await keyOf(anna)
    await admin.call('setServerSetting', { office_server: address })
    expect(await admin.wire('testOfficeServer', {})).toMatchObject({
      code: 'officeNotUsable',
      msg: 'Office 服务器不可用 (地址返回状态 404)',
    })
    await admin.call('setServerSetting', { multi_edit_type: 0 })
    expect((await ask({ method: 'GET', url: urlOf(key) })).status).toBe(404)
    expect(await anna.refusal('createEditKey', { fileId })).toBe('officeNotSetUp')
    await admin.call('setServerSetting', { multi_edit_type: 2, office_server: officeAddress })
    expect((await ask({ method: 'GET', url: urlOf(key) })).status).toBe(200)
  })

  test('an address of the office server with a name and a password is refused', async () => {
    const admin = await world.admin()
    for (const address of [
      'https://user:pw@office.example',
      'http://user@office.example/x',
      'https://:pw@office.example',
    ])
      expect([address, await admin.refusal('setServerSetting', { office_server: address })]).toEqual([
        address,
        'badRequest',
      ])
    await admin.call('setServerSetting', { office_server: 'https://office.example/a@b' })
    await admin.call('setServerSetting', { office_server: officeAddress })
  })

  test('[R148] names go through UTF-7 and back', () => {
    for (const name of ['a.docx', '合同 (2).docx', 'a+b', '😀é+-', '~x\\y']) expect(fromUtf7(toUtf7(name))).toBe(name)
    expect(fromUtf7('Hi Mom -+Jjo--!')).toBe('Hi Mom -☺-!')
  })
})
