/*
 * Offline copies: the content of opened files, stored in this browser for reading while the server is unreachable
 * ([R067]). The server decides which files may be stored (docs/adr/0099). Each account has a separate database for
 * them, like its other data (X58).
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { connection, offlineDatabaseOf, remove } from './database.ts'

/** A file as last opened. */
export interface OfflineFile {
  readonly fileId: number
  readonly version: number
  readonly name: string
  /** The size of the file in bytes. The stored content may be a rendition. */
  readonly fileSize: number
  readonly form: 'original' | 'rendition'
  /** Its media type, as reported by the server. */
  readonly type: string
  /** The size of the stored content in bytes. */
  readonly size: number
  readonly keptAt: number
  readonly seenAt: number
  /** When the server last permitted storing it. */
  readonly allowedAt: number
  /** The user has asked for it: it is not deleted to make room. */
  readonly marked?: boolean
}

interface OfflineTables extends DBSchema {
  file: { key: number; value: OfflineFile; indexes: { time: number } }
  content: { key: number; value: ArrayBuffer }
}
type OfflineDatabase = IDBPDatabase<OfflineTables>

/** The maximum number of files. The server is asked about all of them in one call. */
export const maxOfflineCopies = 200
/** Copies are deleted after this long without a connection, because the user's permissions may have ended. */
const longestMs = 30 * 24 * 3600_000

const open = (accountId: number): Promise<OfflineDatabase> =>
  connection<OfflineTables>(offlineDatabaseOf(accountId), {
    version: 1,
    make(db) {
      db.createObjectStore('file', { keyPath: 'fileId' }).createIndex('time', 'seenAt')
      db.createObjectStore('content')
    },
  })

async function withOfflineDatabase<T>(
  accountId: number,
  work: (db: OfflineDatabase) => Promise<T>,
  empty: T,
): Promise<T> {
  try {
    return await work(await open(accountId))
  } catch {
    // The browser refuses storage, or has no room: nothing is stored.
    return empty
  }
}

const change = (accountId: number, work: (tx: Both) => Promise<unknown>): Promise<void> =>
  withOfflineDatabase<void>(
    accountId,
    async (db) => {
      const tx = openBoth(db)
      // `done` reports failures of the work.
      await Promise.all([work(tx), tx.done])
    },
    undefined,
  )
type Both = ReturnType<typeof openBoth>
const openBoth = (db: OfflineDatabase) => db.transaction(['file', 'content'], 'readwrite')

async function drop(tx: Both, fileId: number): Promise<void> {
  await tx.objectStore('file').delete(fileId)
  await tx.objectStore('content').delete(fileId)
}

/** Deletes the least recently opened copies until the rest fits; those that the user has asked for stay. */
async function makeRoom(tx: Both, bytes: number): Promise<void> {
  let [left, count] = [bytes, maxOfflineCopies]
  for (const { fileId, size, marked } of (await tx.objectStore('file').index('time').getAll()).toReversed()) {
    if (marked) continue
    left -= size
    count -= 1
    if (left < 0 || count < 0) await drop(tx, fileId)
  }
}

/** Stores a content within this total size. Other copies are deleted to make room. */
export function storeOfflineCopy(
  accountId: number,
  file: OfflineFile,
  content: ArrayBuffer,
  bytes: number,
): Promise<void> {
  return change(accountId, async (tx) => {
    await tx.objectStore('file').put(file)
    await tx.objectStore('content').put(content, file.fileId)
    await makeRoom(tx, bytes)
  })
}

/** Changes the metadata of a copy, if it is stored. */
export function updateOfflineFile(
  accountId: number,
  fileId: number,
  by: Partial<Pick<OfflineFile, 'name' | 'seenAt' | 'allowedAt' | 'marked'>>,
): Promise<void> {
  return change(accountId, async (tx) => {
    const known = await tx.objectStore('file').get(fileId)
    if (known !== undefined) await tx.objectStore('file').put({ ...known, ...by })
  })
}

/** The stored files, last opened first. */
export async function offlineFiles(accountId: number, now = Date.now()): Promise<readonly OfflineFile[]> {
  const all = await withOfflineDatabase(accountId, (db) => db.getAllFromIndex('file', 'time'), [])
  const old = all.filter(({ allowedAt }) => now - allowedAt > longestMs)
  const oldIds = old.map(({ fileId }) => fileId)
  if (oldIds.length > 0) await forgetOfflineCopies(accountId, oldIds)
  return all.filter((file) => !old.includes(file)).toReversed()
}

/** A stored file with its content. */
export async function readOfflineCopy(accountId: number, fileId: number): Promise<OfflineCopy | undefined> {
  const file = (await offlineFiles(accountId)).find((one) => one.fileId === fileId)
  const content = await withOfflineDatabase(accountId, (db) => db.get('content', fileId), undefined)
  if (file === undefined || content === undefined) return undefined
  return { ...file, content: new Blob([content], { type: file.type }) }
}
export type OfflineCopy = OfflineFile & { readonly content: Blob }

/** Deletes some copies. */
export function forgetOfflineCopies(accountId: number, fileIds: readonly number[]): Promise<void> {
  return change(accountId, (tx) => Promise.all(fileIds.map((fileId) => drop(tx, fileId))))
}

/** Deletes copies above this total size. */
export function trimOfflineCopies(accountId: number, bytes: number): Promise<void> {
  return change(accountId, (tx) => makeRoom(tx, bytes))
}

/** Deletes all copies of an account. */
export function forgetAllOfflineCopies(accountId: number): Promise<void> {
  return change(accountId, (tx) => Promise.all([tx.objectStore('file').clear(), tx.objectStore('content').clear()]))
}

/** After sign-in, deletes the copies of other accounts that used this browser. */
export async function forgetOfflineCopiesOfOthers(accountId: number): Promise<void> {
  try {
    const listed = await indexedDB.databases()
    const others = listed.flatMap(({ name = '' }) =>
      name.startsWith(offlineDatabaseOf('')) && name !== offlineDatabaseOf(accountId) ? [name] : [],
    )
    await Promise.all(others.map(remove))
  } catch {
    // The browser stores nothing, or cannot list its databases. Copies then end with their account or their maximum
    // age.
  }
}
