/*
 * Contents of files that somebody has opened, kept in this browser to be read while the server is away ([R067]). Which may be
 * kept the server says (docs/adr/0099). They have a database of their own for each account, as others have (X58).
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { connection, offlineDatabaseOf, remove } from './database.ts'

/** A file as it was opened last. */
export interface OfflineFile {
  readonly fileId: number
  readonly version: number
  readonly name: string
  /** Bytes of the file; what is kept may be what the server makes of it. */
  readonly fileSize: number
  readonly form: 'original' | 'rendition'
  /** Its media type, as the server says it. */
  readonly type: string
  /** Bytes that are kept. */
  readonly size: number
  readonly keptAt: number
  readonly seenAt: number
  /** When the server last said that it may be kept. */
  readonly allowedAt: number
}

interface OfflineTables extends DBSchema {
  file: { key: number; value: OfflineFile; indexes: { time: number } }
  content: { key: number; value: ArrayBuffer }
}
type OfflineDatabase = IDBPDatabase<OfflineTables>

/** So many at most: of all of them the server is asked at once. */
export const maxOfflineCopies = 200
/** Whoever has not been connected for so long may not be who they were. */
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
    // The browser refuses, or has no room: then nothing is kept.
    return empty
  }
}

const change = (accountId: number, work: (tx: Both) => Promise<unknown>): Promise<void> =>
  withOfflineDatabase<void>(
    accountId,
    async (db) => {
      const tx = openBoth(db)
      // What fails within is told by `done`.
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

/** Lets go of those that were opened longest ago until the others have room. */
async function makeRoom(tx: Both, bytes: number): Promise<void> {
  let [left, count] = [bytes, maxOfflineCopies]
  for (const { fileId, size } of (await tx.objectStore('file').index('time').getAll()).toReversed()) {
    left -= size
    count -= 1
    if (left < 0 || count < 0) await drop(tx, fileId)
  }
}

/** Keeps a content within so many bytes; others make room for it. */
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

/** Changes what is noted of one, if it is kept. */
export function updateOfflineFile(
  accountId: number,
  fileId: number,
  by: Partial<Pick<OfflineFile, 'name' | 'seenAt' | 'allowedAt'>>,
): Promise<void> {
  return change(accountId, async (tx) => {
    const known = await tx.objectStore('file').get(fileId)
    if (known !== undefined) await tx.objectStore('file').put({ ...known, ...by })
  })
}

/** What is kept, opened last first. */
export async function offlineFiles(accountId: number, now = Date.now()): Promise<readonly OfflineFile[]> {
  const all = await withOfflineDatabase(accountId, (db) => db.getAllFromIndex('file', 'time'), [])
  const old = all.filter(({ allowedAt }) => now - allowedAt > longestMs)
  const oldIds = old.map(({ fileId }) => fileId)
  if (oldIds.length > 0) await forgetOfflineCopies(accountId, oldIds)
  return all.filter((file) => !old.includes(file)).toReversed()
}

/** One that is kept, with its content. */
export async function readOfflineCopy(accountId: number, fileId: number): Promise<OfflineCopy | undefined> {
  const file = (await offlineFiles(accountId)).find((one) => one.fileId === fileId)
  const content = await withOfflineDatabase(accountId, (db) => db.get('content', fileId), undefined)
  if (file === undefined || content === undefined) return undefined
  return { ...file, content: new Blob([content], { type: file.type }) }
}
export type OfflineCopy = OfflineFile & { readonly content: Blob }

/** Forgets some. */
export function forgetOfflineCopies(accountId: number, fileIds: readonly number[]): Promise<void> {
  return change(accountId, (tx) => Promise.all(fileIds.map((fileId) => drop(tx, fileId))))
}

/** Lets go of what is more than so many bytes. */
export function trimOfflineCopies(accountId: number, bytes: number): Promise<void> {
  return change(accountId, (tx) => makeRoom(tx, bytes))
}

/** Forgets all that is kept for an account. */
export function forgetAllOfflineCopies(accountId: number): Promise<void> {
  return change(accountId, (tx) => Promise.all([tx.objectStore('file').clear(), tx.objectStore('content').clear()]))
}

/** Whoever signs in finds nothing of others who have used this browser. */
export async function forgetOfflineCopiesOfOthers(accountId: number): Promise<void> {
  try {
    const listed = await indexedDB.databases()
    const others = listed.flatMap(({ name = '' }) =>
      name.startsWith(offlineDatabaseOf('')) && name !== offlineDatabaseOf(accountId) ? [name] : [],
    )
    await Promise.all(others.map(remove))
  } catch {
    // A browser that keeps nothing, or does not list what it keeps: there they end with their account, or their days.
  }
}
