import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AccountRecords, accountRecords, type FileChange } from './account-records.ts'
import { database, transferDatabase } from './database.ts'
import { blankLogin, forgetLogin, savedLogins, saveLogin } from './logins.ts'

let account = 100
let records: AccountRecords
beforeEach(() => {
  account += 1
  records = accountRecords(account)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const { account: name } of await savedLogins()) await forgetLogin(name)
})

const change = (n: number): Omit<FileChange, 'read'> => ({
  remindId: `r${n}`,
  fId: n,
  fType: 1,
  fName: `合同 ${n}.docx`,
  parentFolderId: 1,
  parentFolderName: '合同',
  operateType: 3,
  operateTime: 1_795_000_000_000 + n,
  operatorId: 9,
  operatorName: '王敏',
  pushType: 6,
})
const edit = (localPath: string, createTime = 1) => ({
  fileId: 5,
  fileName: '报价.xlsx',
  folderId: 1,
  folderName: '报价',
  localPath,
  version: 3,
  state: 0,
  closed: false,
  createTime,
})

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('refused'))
  })
}

/** A row as stored on disk. */
async function raw(name: string, table: string): Promise<Record<string, unknown>[]> {
  const db = await opened(indexedDB.open(name))
  const rows = await new Promise<Record<string, unknown>[]>((resolve) => {
    const request = db.transaction(table).objectStore(table).getAll()
    request.onsuccess = () => resolve(request.result as Record<string, unknown>[])
  })
  db.close()
  return rows
}

describe('the database of an account', () => {
  // [R353] One database per account, version 85 with the six tables only; additional client data is stored in databases
  // of its own.
  it('is its own, of version 85 with the six documented tables and nothing else; what transfers keep is elsewhere [R353]', async () => {
    await records.recordFileChange(change(1))
    const name = `clouddoc-${account}`
    await transferDatabase(`clouddoc-transfer-${account}`)
    const all = await indexedDB.databases()
    expect(all.find((one) => one.name === name)).toEqual({ name, version: 85 })
    const db = await opened(indexedDB.open(name))
    expect([...db.objectStoreNames]).toEqual([
      'applyUnlock',
      'editList',
      'fileChange',
      'fileRecycle',
      'loginInfo',
      'transferList',
    ])
    db.close()
    expect(await accountRecords(account + 1000).fileChanges()).toEqual([])
    await records.clear()
    expect((await indexedDB.databases()).some((one) => one.name?.endsWith(`-${account}`))).toBe(false)
  })

  // [R353] Data stored by an earlier client is migrated completely.
  it('of the version of before moves, with what its transfers are made of, whole and once [R353]', async () => {
    const name = `clouddoc-${account}`
    const request = indexedDB.open(name, 86)
    request.onupgradeneeded = () => {
      const made = request.result
      made.createObjectStore('fileChange', { keyPath: 'remindId' }).createIndex('time', 'operateTime')
      made.createObjectStore('applyUnlock', { keyPath: ['fileId', 'userId'] })
      made.createObjectStore('editList', { keyPath: 'localPath' }).createIndex('time', 'createTime')
      made.createObjectStore('transferList', { keyPath: ['type', 'taskId'] }).createIndex('time', 'createTime')
      made.createObjectStore('fileRecycle', { keyPath: 'localPath' })
      made.createObjectStore('loginInfo', { keyPath: 'account' }).createIndex('time', 'loginAt')
      made.createObjectStore('transferNumber', { autoIncrement: true })
      made.createObjectStore('transferFile', { keyPath: ['taskId', 'index'] })
      made.createObjectStore('transferContent')
      made.createObjectStore('transferHandle')
    }
    const before = await opened(request)
    // Behaves like a client of that version.
    before.onversionchange = () => before.close()
    const tables = ['fileChange', 'transferList', 'transferFile', 'transferContent', 'transferHandle']
    const rows = before.transaction(tables, 'readwrite')
    rows.objectStore('fileChange').put({ ...change(7), accountId: account, read: 'false' })
    rows.objectStore('transferList').put({ type: 'upload', taskId: 12, accountId: account, createTime: 1 })
    rows.objectStore('transferFile').put({ taskId: 12, index: 0 })
    rows.objectStore('transferContent').put(new File(['abc'], '0'), [12, 0])
    rows.objectStore('transferHandle').put([], 12)
    await new Promise((resolve) => {
      rows.oncomplete = resolve
    })
    const [one, two] = await Promise.all([database(name), records.fileChanges()])
    expect([one.version, two]).toEqual([85, [{ ...change(7), read: false }]])
    expect(await one.getAllKeys('transferList')).toEqual([['upload', 12]])
    const parts = await transferDatabase(`clouddoc-transfer-${account}`)
    expect(await parts.getAllKeys('transferFile')).toEqual([[12, 0]])
    expect(await (await parts.get('transferContent', [12, 0]))?.text()).toBe('abc')
    expect(await parts.get('transferHandle', 12)).toEqual([])
    // The next task has the next number.
    expect(await parts.add('transferNumber', {})).toBe(13)
    await records.recordFileChange(change(8))
    expect((await records.fileChanges()).map(({ fId }) => fId)).toEqual([8, 7])
  })

  it('is taken for empty while an older page in another tab does not let go of it, and is used once it does', async () => {
    const held = await opened(indexedDB.open(`clouddoc-${account}`, 80))
    await records.recordFileChange(change(1))
    expect(await records.fileChanges()).toEqual([])
    held.close()
    const seen = async () => {
      await records.recordFileChange(change(2))
      return (await records.fileChanges()).map(({ fId }) => fId)
    }
    await expect.poll(seen).toEqual([2])
  })

  it('that another tab holds is removed when that lets go of it, and nobody waits', async () => {
    const held = await opened(indexedDB.open(`clouddoc-${account}`, 80))
    await records.recordFileChange(change(1))
    await records.clear()
    held.close()
    const names = async () => (await indexedDB.databases()).map(({ name }) => name)
    await expect.poll(names).not.toContain(`clouddoc-${account}`)
  })

  // [R354] The store holds each change once, the latest 100.
  it('keeps the latest 100 file changes, unread until they are read singly or all at once [R354]', async () => {
    for (let n = 1; n <= 103; n++) await records.recordFileChange(change(n))
    const all = await records.fileChanges()
    expect(all).toHaveLength(100)
    expect(all[0]).toEqual({ ...change(103), read: false })
    expect((await records.unreadFileChanges()).map(({ fId }) => fId)).toEqual([
      103, 102, 101, 100, 99, 98, 97, 96, 95, 94,
    ])
    await records.markFileChangeRead('r103')
    expect((await records.unreadFileChanges())[0]?.fId).toBe(102)
    expect((await raw(`clouddoc-${account}`, 'fileChange')).find(({ remindId }) => remindId === 'r103')).toMatchObject({
      accountId: account,
      read: 'true',
    })
    await records.markAllFileChangesRead()
    expect(await records.unreadFileChanges()).toEqual([])
  })

  it('holds a change once, whatever number of times it is told [R354]', async () => {
    await records.recordFileChange(change(1))
    await records.recordFileChange(change(1))
    expect(await records.fileChanges()).toHaveLength(1)
  })

  // [R355] The store of lock requests.
  it('keeps who waits for a file until that is answered [R355]', async () => {
    const request = { fileId: 5, fileName: '报价.xlsx', pushType: 13, userId: 9, userName: '王敏' }
    await records.storeUnlockRequest(request)
    expect(await records.unlockRequests()).toEqual([request])
    await records.dropUnlockRequest(request)
    expect(await records.unlockRequests()).toEqual([])
  })

  // [R356] The store: edited copies by path, at most 1000; a deleted one moves to the copies to remove.
  it('updates the edit of a known path, closes all, and moves what is deleted to the copies to clear away [R356]', async () => {
    await records.storeEdit(edit('C:/a.xlsx'))
    await records.storeEdit({ ...edit('C:/a.xlsx'), version: 4 })
    await records.storeEdit(edit('C:/b.xlsx', 2))
    expect((await records.edits()).map(({ localPath, version }) => [localPath, version])).toEqual([
      ['C:/b.xlsx', 3],
      ['C:/a.xlsx', 4],
    ])
    await records.closeAllEdits()
    expect((await records.edits()).every(({ closed }) => closed)).toBe(true)
    await records.deleteEdit('C:/a.xlsx')
    expect((await records.edits()).map(({ localPath }) => localPath)).toEqual(['C:/b.xlsx'])
    expect(await records.recycledCopies()).toEqual([{ accountId: account, fileId: 5, localPath: 'C:/a.xlsx' }])
  })

  it('is gone with all it held once it is cleared, and can be used again', async () => {
    await records.recordFileChange(change(1))
    await records.clear()
    expect((await indexedDB.databases()).some(({ name }) => name === `clouddoc-${account}`)).toBe(false)
    await records.recordFileChange(change(2))
    expect((await records.fileChanges()).map(({ fId }) => fId)).toEqual([2])
  })

  it('gives way to a second tab that needs it gone, and is opened again', async () => {
    await records.recordFileChange(change(1))
    const other = new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(`clouddoc-${account}`)
      request.onsuccess = () => resolve()
      request.onblocked = () => reject(new Error('this tab stood in its way'))
    })
    await other
    await records.recordFileChange(change(2))
    expect((await records.fileChanges()).map(({ fId }) => fId)).toEqual([2])
  })

  it('that the browser refuses holds nothing, and nothing fails', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const refused = accountRecords(account + 2000)
    await refused.recordFileChange(change(1))
    expect(await refused.fileChanges()).toEqual([])
    await refused.clear()
    vi.stubGlobal('indexedDB', new IDBFactory())
    await refused.recordFileChange(change(1))
    expect(await refused.fileChanges()).toHaveLength(1)
  })

  it('that is full keeps what it has, and nothing fails', async () => {
    await records.recordFileChange(change(1))
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await records.recordFileChange(change(2))
    vi.restoreAllMocks()
    expect((await records.fileChanges()).map(({ fId }) => fId)).toEqual([1])
  })
})

describe('the remembered logins', () => {
  const login = (account: string, more = {}) => ({
    account,
    displayName: account,
    authKey: `key of ${account}`,
    autoLogin: false,
    expiredAt: 10_000,
    ...more,
  })
  const names = async (now: number): Promise<string[]> => (await savedLogins(now)).map(({ account: one }) => one)

  // [R029] Saving a login updates its record or adds one; at most one signs in automatically.
  it('are updated or added, latest first, and at most one signs in by itself [R029] [R358]', async () => {
    await saveLogin(login('anna', { autoLogin: true }), 1)
    await saveLogin(login('ben', { autoLogin: true }), 2)
    await saveLogin(login('anna', { displayName: 'Anna Lee' }), 3)
    expect(await names(4)).toEqual(['anna', 'ben'])
    const [anna, ben] = await savedLogins(4)
    expect(anna).toMatchObject({ displayName: 'Anna Lee', autoLogin: false, loginAt: 3, updatedAt: 3 })
    expect(ben).toMatchObject({ autoLogin: true })
    await saveLogin(login('anna', { autoLogin: true }), 5)
    expect((await savedLogins(6)).map(({ autoLogin }) => autoLogin)).toEqual([true, false])
    const rows = await raw('clouddoc-login', 'loginInfo')
    expect(rows.map(({ autoLogin }) => autoLogin === 'true' || /^[0-9a-f]{8,}$/.test(String(autoLogin)))).toEqual([
      true,
      true,
    ])
  })

  it('whose key is deleted stay on offer without it and no longer sign in by themselves [R028]', async () => {
    await saveLogin(login('anna', { autoLogin: true }), 1)
    await blankLogin('anna', 2)
    expect(await savedLogins(3)).toMatchObject([{ account: 'anna', authKey: '', autoLogin: false, updatedAt: 2 }])
    expect((await raw('clouddoc-login', 'loginInfo'))[0]).toMatchObject({ authKey: '' })
  })

  it('lose their key when they are too old [R042]', async () => {
    await saveLogin(login('anna', { autoLogin: true }), 1)
    expect(await savedLogins(9999)).toMatchObject([{ authKey: 'key of anna', autoLogin: true }])
    expect(await savedLogins(10_000)).toMatchObject([{ authKey: '', autoLogin: false }])
  })

  // [R358] Remembered logins hold half a key, encrypted with a non-exportable key (not on plain HTTP, X59).
  it('hold their key sealed by one that this browser does not give out [R358]', async () => {
    await saveLogin(login('anna', { autoLogin: true }), 1)
    const [row] = await raw('clouddoc-login', 'loginInfo')
    expect(String(row?.['authKey'])).toMatch(/^sealed:/)
    expect(JSON.stringify(row)).not.toContain('key of anna')
    expect(await savedLogins(2)).toMatchObject([{ authKey: 'key of anna', autoLogin: true }])
    const db = await opened(indexedDB.open('clouddoc-seal'))
    const key = await new Promise<CryptoKey>((resolve) => {
      const request = db.transaction('key').objectStore('key').get('seal')
      request.onsuccess = () => resolve(request.result as CryptoKey)
    })
    expect(key.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
    // A key of another browser decrypts nothing: the account stays in the list, and the password is asked for.
    const other = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const tx = db.transaction('key', 'readwrite')
    tx.objectStore('key').put(other, 'seal')
    await new Promise((resolve) => {
      tx.oncomplete = resolve
    })
    expect(await savedLogins(2)).toMatchObject([{ account: 'anna', authKey: '', autoLogin: false }])
    db.close()
  })

  it('of before are sealed when they are first read, and on plain HTTP kept as they are [R358]', async () => {
    const subtle = vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto)
    await saveLogin(login('anna'), 1)
    expect((await raw('clouddoc-login', 'loginInfo'))[0]).toMatchObject({ authKey: 'key of anna' })
    expect(await savedLogins(2)).toMatchObject([{ authKey: 'key of anna' }])
    subtle.mockRestore()
    expect(await savedLogins(2)).toMatchObject([{ authKey: 'key of anna' }])
    expect(String((await raw('clouddoc-login', 'loginInfo'))[0]?.['authKey'])).toMatch(/^sealed:/)
    expect(await savedLogins(2)).toMatchObject([{ authKey: 'key of anna' }])
  })

  // [R042] 30 logins are stored for 30 days; the oldest is removed first.
  it('are 30 at most: the oldest makes room [R042]', async () => {
    for (let n = 1; n <= 31; n++) await saveLogin(login(`a${n}`), n)
    expect(await names(40)).toHaveLength(30)
    expect(await names(40)).not.toContain('a1')
  })
})
