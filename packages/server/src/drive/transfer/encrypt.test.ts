// Encrypted downloads: what leaves on Windows, who gets the key back, and what the log of a file tells.
import { codes, LogBit, readEncryptedHeader } from '@cloudoc/domain'
import { Decrypter } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { unzipped } from '../../../test/unzip.ts'
import { createSealer } from '../../system/audit/seal.ts'

const windows = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36' }
const linux = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }

let world: World
let admin: Person
let anna: Person
let ben: Person
let fileId: number
let folderId: number

beforeAll(async () => {
  world = await openWorld()
  admin = await world.admin()
  anna = await world.person('anna')
  ben = await world.person('ben')
  folderId = (await anna.call('folderCreate', { parentId: anna.library, folderName: '合同' })).folderId
  fileId = await anna.upload(folderId, '报价.txt', '每件 12 元')
  await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
  await admin.call('setServerSetting', { encryption_download: true })
})
afterAll(() => admin.call('setServerSetting', { encryption_download: false, encryption_exempt: 0 }))

const get = (person: Person, url: string, headers: Record<string, string> = windows, method: 'GET' | 'HEAD' = 'GET') =>
  person.world.app.http.inject({ method, url, headers: { authorization: `Bearer ${person.token}`, ...headers } })
const nameOf = ({ headers }: { readonly headers: Record<string, unknown> }): string =>
  decodeURIComponent(String(headers['content-disposition']).split("UTF-8''")[1] ?? '')

/** Decrypts a download with the key that the server gives back. */
async function decrypted(person: Person, bytes: Buffer, headers = linux): Promise<Buffer> {
  const head = readEncryptedHeader(bytes)
  const answer = await person.world.app.http.inject({
    method: 'POST',
    url: '/services2/download/getEncryptedKey',
    headers: { authorization: `Bearer ${person.token}`, ...headers },
    payload: { files: head?.files, header: head?.text },
  })
  const { result, data } = answer.json<{ result: number; data: { key: string } | null }>()
  if (data === null) throw new Error(String(result))
  const decrypter = new Decrypter()
  decrypter.addIdentity({ unwrapFileKey: () => Buffer.from(data.key, 'base64') })
  return Buffer.from(await decrypter.decrypt(bytes))
}

// [R205] Where encryption_download is set, downloads on Windows leave encrypted, in the age format, whole and without
// ranges; elsewhere they leave as they are.
// [R132] An encrypted download has the extension .cld.
test('[R132] [R205] a download on Windows is an encrypted .cld file, and none elsewhere', async () => {
  const url = `/DownloadServlet?fileId=${fileId}`
  const taken = await get(ben, url)
  expect([taken.statusCode, nameOf(taken)]).toEqual([200, '报价.txt.cld'])
  expect(taken.headers['content-length']).toBe(String(taken.rawPayload.length))
  expect(taken.headers['accept-ranges']).toBeUndefined()
  expect(taken.rawPayload.includes('元')).toBe(false)
  expect(readEncryptedHeader(taken.rawPayload)).toMatchObject({ files: `fi_${fileId}`, version: 0 })
  expect((await get(ben, url, { ...windows, range: 'bytes=3-' })).statusCode).toBe(200)
  expect((await get(ben, url, windows, 'HEAD')).headers['content-disposition']).toContain('.cld')
  expect((await get(ben, url, linux)).body).toBe('每件 12 元')
  expect((await decrypted(ben, taken.rawPayload)).toString()).toBe('每件 12 元')
  // Two downloads have two keys.
  expect((await get(ben, url)).rawPayload.equals(taken.rawPayload)).toBe(false)
})

test('[R132] [R205] several items are one encrypted zip', async () => {
  const taken = await get(ben, `/DownloadMultiFile?files=fi_${fileId},fo_${folderId}`)
  expect(nameOf(taken)).toBe('报价 等 2 项.zip.cld')
  const files = await unzipped(await decrypted(ben, taken.rawPayload))
  expect(Object.keys(files).toSorted()).toEqual(['合同/报价.txt', '报价.txt'])
})

// [R190] An encrypted download has a row of the kind encrypt in the log of its file, beside that of the download.
test('[R190] the log of a file tells that it left encrypted', async () => {
  const logged = await anna.upload(folderId, '日志.txt', 'a')
  expect((await get(ben, `/DownloadServlet?fileId=${logged}`)).statusCode).toBe(200)
  const sealer = createSealer(world.app.db, Date.now)
  while (await sealer());
  const { list } = await anna.call('getFileLog', { fileId: logged, types: LogBit.encrypt | LogBit.download })
  const told = list.map(({ type, userName }) => `${userName} ${type}`)
  expect(told.toSorted()).toEqual([`ben ${LogBit.encrypt}`, `ben ${LogBit.download}`])
})

test('[R205] the key is given to nobody whose downloads are encrypted, and to nobody without the right', async () => {
  const { rawPayload: bytes } = await get(ben, `/DownloadServlet?fileId=${fileId}`)
  const refusal = (result: number): string => String(result)
  await expect(decrypted(ben, bytes, windows)).rejects.toThrow(refusal(codes.noPermission.code))
  const carl = await world.person('carl')
  await expect(decrypted(carl, bytes)).rejects.toThrow(refusal(codes.notFound.code))
  // An altered header, and the items of another file.
  const altered = Buffer.from(bytes)
  const at = altered.indexOf('\n', altered.indexOf('-> cloudoc') + 1) + 8
  altered[at] = altered[at] === 65 ? 66 : 65
  await expect(decrypted(ben, altered)).rejects.toThrow(refusal(codes.encryptionFailed.code))
  const other = await anna.upload(folderId, '别的.txt', 'b')
  const swapped = Buffer.from(bytes.toString('latin1').replace(`fi_${fileId}`, `fi_${other}`), 'latin1')
  await expect(decrypted(ben, swapped)).rejects.toThrow(refusal(codes.encryptionFailed.code))
  await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
  await expect(decrypted(ben, bytes)).rejects.toThrow(refusal(codes.noPermission.code))
  await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
})

test('[R205] who is exempt downloads as before; who edits is given the content; network drives of Windows are refused', async () => {
  await admin.call('setServerSetting', { encryption_exempt: 1 })
  const url = `/DownloadServlet?fileId=${fileId}`
  expect((await get(anna, url)).body).toBe('每件 12 元')
  expect(nameOf(await get(ben, url))).toBe('报价.txt.cld')
  await admin.call('setServerSetting', { encryption_exempt: 0 })
  await anna.call('fileEditLock', { fileId })
  expect((await get(anna, `${url}&forEdit=true`)).body).toBe('每件 12 元')
  expect(nameOf(await get(anna, url))).toBe('报价.txt.cld')
  await anna.call('fileEditUnlock', { fileId })
})
