/*
 * The databases of this browser ([R353], X58): one for each account, `clouddoc-{accountId}`, and `clouddoc-login`, which is
 * read before anybody is signed in (X29). Both have the six documented tables at the documented version; texts for booleans
 * stay on disk and are read as booleans by the functions beside this file (X30). Whatever else the client keeps lies in
 * databases of its own, so that theirs never has another shape than the documents say: what the tasks of transferList are
 * made of in `clouddoc-transfer-{accountId}`, the key that seals logins in `clouddoc-seal`.
 *
 * A browser may refuse (private windows, policies, a full disk). What is kept here is never the only copy of anything, so
 * a refusal is answered with what an empty database would answer, and the page goes on.
 */
import { limits } from '@cloudoc/domain'
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'

/** A change of a file that somebody follows, as it is kept ([R354]). */
export interface FileChangeRow {
  readonly accountId: number
  readonly remindId: string
  readonly fId: number
  readonly fType: number
  readonly fName: string
  readonly parentFolderId: number
  readonly parentFolderName: string
  readonly operateType: number
  readonly operateTime: number
  readonly operatorId: number
  readonly operatorName: string
  readonly pushType: number
  readonly read: 'true' | 'false'
}

/** Somebody waits for a file that this person holds ([R355]). */
export interface UnlockRequest {
  readonly fileId: number
  readonly fileName: string
  readonly pushType: number
  readonly userId: number
  readonly userName: string
  /** What they say with it. */
  readonly message?: string
}

/** A local copy that is or was edited ([R356]). */
export interface EditRow {
  readonly accountId: number
  readonly fileId: number
  readonly fileName: string
  readonly folderId: number
  readonly folderName: string
  readonly localPath: string
  readonly version: number
  readonly state: number
  readonly closed: 'true' | 'false'
  readonly createTime: number
}

/** A transfer task as it is kept ([R193], [R357]). */
export interface TransferRow {
  readonly taskId: number
  readonly accountId: number
  /** The first name and the count. */
  readonly description: string
  readonly totalSize: number
  /** 0 to 1000. */
  readonly progress: number
  /** Bytes a second. */
  readonly speed: number
  readonly type: 'upload' | 'download'
  readonly status: 'doing' | 'completed' | 'pause' | 'cancel'
  readonly createTime: number
  readonly completedTime: number
  readonly localPath: string
  readonly folderId: number
  /** The name of the folder on the server. */
  readonly cloudPath: string
  /** Taken names that wait for a decision, the first 100 of them. */
  readonly sameNameFiles: readonly string[]
  readonly sameFileWay: string
  readonly totalFileCount: number
  readonly successFileCount: number
  readonly errorFileCount: number
  readonly errorFiles: readonly { readonly name: string; readonly error: string }[]
  readonly showProgress: 'true' | 'false'
  readonly isOnlineEdit: boolean
  readonly downloadWithSandbox: boolean
  /** Milliseconds that it ran. */
  readonly spendTime: number
}

/** A local copy whose edit record was deleted ([R356]). */
export interface RecycledCopy {
  readonly accountId: number
  readonly fileId: number
  readonly localPath: string
}

/** A login that is remembered ([R358]). */
export interface LoginRow {
  readonly account: string
  readonly displayName: string
  /** Opens a session beside this browser's own cookie; sealed (seal.ts), empty when it was deleted. Never a password. */
  readonly authKey: string
  /** 'true', or a random text, which means off. */
  readonly autoLogin: string
  readonly updatedAt: number
  readonly loginAt: number
  readonly expiredAt: number
}

/** One file of an upload; what else is known of it is the business of who sends it. */
export interface TransferFileRow {
  readonly taskId: number
  /** Its place in the task. */
  readonly index: number
}

/** The six tables ([R353]). */
export interface Tables extends DBSchema {
  fileChange: { key: string; value: FileChangeRow; indexes: { time: number } }
  applyUnlock: { key: [number, number]; value: UnlockRequest }
  editList: { key: string; value: EditRow; indexes: { time: number } }
  transferList: { key: [string, number]; value: TransferRow; indexes: { time: number } }
  fileRecycle: { key: string; value: RecycledCopy }
  loginInfo: { key: string; value: LoginRow; indexes: { time: number } }
}

/** What the tasks of transferList are made of. */
export interface TransferTables extends DBSchema {
  /** Gives tasks their numbers, each once, also when several tabs ask; it holds none. */
  transferNumber: { key: number; value: Record<string, never> }
  transferFile: { key: [number, number]; value: TransferFileRow }
  transferContent: { key: [number, number]; value: File }
  transferHandle: { key: number; value: readonly FileSystemHandle[] }
}

export type Database = IDBPDatabase<Tables>
export type TransferDatabase = IDBPDatabase<TransferTables>

/** The name of an account's database. */
export function accountDatabase(accountId: number): string {
  return `clouddoc-${accountId}`
}

/** The name of the database of what an account's transfers are made of. */
export function transferDatabaseOf(accountName: string): string {
  return accountName.replace(/^clouddoc-/, 'clouddoc-transfer-')
}

/** The name of the database of the contents that are kept for an account (kept.ts). */
export function offlineDatabaseOf(accountId: number | ''): string {
  return `clouddoc-kept-${accountId}`
}

const documented = ['fileChange', 'applyUnlock', 'editList', 'transferList', 'fileRecycle', 'loginInfo'] as const
const transferVersion = 1

const opened = new Map<string, Promise<IDBPDatabase>>()

interface Shape<T> {
  readonly version: number
  readonly make: (db: IDBPDatabase<T>) => void
}

const documentedShape: Shape<Tables> = { version: limits.localDatabaseVersion, make: makeDocumented }
const transferShape: Shape<TransferTables> = {
  version: transferVersion,
  make(db) {
    db.createObjectStore('transferNumber', { autoIncrement: true })
    db.createObjectStore('transferFile', { keyPath: ['taskId', 'index'] })
    db.createObjectStore('transferContent')
    db.createObjectStore('transferHandle')
  },
}

/**
 * The connection to a database of the six tables, opened where it is not open; fails where the browser refuses, and for as
 * long as an older page in another tab does not let go of it.
 */
export function database(name: string): Promise<Database> {
  return connection(name, documentedShape, () => fromOneMore(name))
}

/** The same for what transfers are made of. */
export function transferDatabase(name: string): Promise<TransferDatabase> {
  return connection(name, transferShape)
}

/** A database of the client's own, of one version for good. */
export function connection<T>(
  name: string,
  { version, make }: Shape<T>,
  before: () => Promise<void> = async () => undefined,
): Promise<IDBPDatabase<T>> {
  const known = opened.get(name)
  if (known !== undefined) return known as Promise<IDBPDatabase<T>>
  const forget = (): void => void opened.delete(name)
  const { promise: isBlocked, reject: refuse } = Promise.withResolvers<never>()
  const open = (): Promise<IDBPDatabase<T>> =>
    openDB<T>(name, version, {
      upgrade: make,
      blocked: () => refuse(new Error('another tab holds an older database')),
      // Another tab has a newer version of the page, or wants the database gone: this one does not stand in its way.
      blocking(_current, _blocked, event) {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      terminated: forget,
    })
  const opening = open().catch(async (error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'VersionError') throw error
    await before()
    return open()
  })
  const answer = Promise.race([opening, isBlocked])
  const cached = (one: Promise<IDBPDatabase<T>>) => opened.set(name, one as Promise<IDBPDatabase>)
  cached(answer)
  answer.catch(() => {})
  opening.then(() => cached(opening), forget)
  return answer
}

function makeDocumented(db: Database): void {
  db.createObjectStore('fileChange', { keyPath: 'remindId' }).createIndex('time', 'operateTime')
  db.createObjectStore('applyUnlock', { keyPath: ['fileId', 'userId'] })
  db.createObjectStore('editList', { keyPath: 'localPath' }).createIndex('time', 'createTime')
  db.createObjectStore('transferList', { keyPath: ['type', 'taskId'] }).createIndex('time', 'createTime')
  db.createObjectStore('fileRecycle', { keyPath: 'localPath' })
  db.createObjectStore('loginInfo', { keyPath: 'account' }).createIndex('time', 'loginAt')
}

/**
 * Clients of before had one version more, with the stores of transfers beside the six tables. What is large moves first and
 * stays where it is until it has arrived; the six tables are written again in the transaction that makes them.
 */
async function fromOneMore(name: string): Promise<void> {
  const from = await openDB<Tables & TransferTables>(name)
  const rows = new Map<(typeof documented)[number], readonly unknown[]>()
  try {
    // Another tab was faster.
    if (from.version <= limits.localDatabaseVersion) return
    await migrateTransfers(from, transferDatabaseOf(name))
    for (const table of documented) if (from.objectStoreNames.contains(table)) rows.set(table, await from.getAll(table))
  } finally {
    from.close()
  }
  await deleteDB(name)
  const made = await openDB<Tables>(name, limits.localDatabaseVersion, {
    upgrade(db, _from, _to, tx) {
      makeDocumented(db)
      for (const [table, all] of rows) for (const row of all) void tx.objectStore(table).put(row as never)
    },
  })
  made.close()
}

/** The stores of transfers, with what they hold, into their own database. */
async function migrateTransfers(from: IDBPDatabase<Tables & TransferTables>, name: string): Promise<void> {
  if (!from.objectStoreNames.contains('transferFile')) return
  const old = from.transaction(['transferFile', 'transferContent', 'transferHandle', 'transferList'])
  const [files, places, contents, owners, handles, tasks] = await Promise.all([
    old.objectStore('transferFile').getAll(),
    old.objectStore('transferContent').getAllKeys(),
    old.objectStore('transferContent').getAll(),
    old.objectStore('transferHandle').getAllKeys(),
    old.objectStore('transferHandle').getAll(),
    old.objectStore('transferList').getAllKeys(),
  ])
  await importTransfers(name, {
    files,
    contents: places.flatMap((place, n) => (contents[n] === undefined ? [] : [{ place, content: contents[n] }])),
    handles: owners.map((taskId, n) => ({ taskId, handles: handles[n] ?? [] })),
    last: tasks.reduce((most, [, taskId]) => Math.max(most, taskId), 0),
  })
}

/** What transfers of before are made of. */
export interface MigratedTransfers {
  readonly files: readonly TransferFileRow[]
  readonly contents: readonly { readonly place: [number, number]; readonly content: File }[]
  readonly handles: readonly { readonly taskId: number; readonly handles: readonly FileSystemHandle[] }[]
  /** The highest number of a task. */
  readonly last: number
}

/** Takes in what another database held, all of it or nothing. */
export async function importTransfers(
  name: string,
  { files, contents, handles, last }: MigratedTransfers,
): Promise<void> {
  const db = await transferDatabase(name)
  const tx = db.transaction(['transferNumber', 'transferFile', 'transferContent', 'transferHandle'], 'readwrite')
  for (const file of files) void tx.objectStore('transferFile').put(file)
  for (const { place, content } of contents) void tx.objectStore('transferContent').put(content, place)
  for (const one of handles) void tx.objectStore('transferHandle').put(one.handles, one.taskId)
  // The next number is beyond all that are in use.
  if (last > 0) {
    void tx.objectStore('transferNumber').put({}, last)
    void tx.objectStore('transferNumber').delete(last)
  }
  await tx.done
}

/** Uses a database; where the browser refuses, answers what an empty one would. */
export async function withDatabase<T>(name: string, work: (db: Database) => Promise<T>, empty: T): Promise<T> {
  try {
    return await work(await database(name))
  } catch {
    return empty
  }
}

/** Removes a database with all it holds; one that another tab holds goes when it lets go, which is not waited for. */
export async function remove(name: string): Promise<void> {
  const db = await opened.get(name)?.catch(() => undefined)
  // What the browser refuses has been forgotten.
  const isHeld = db === undefined && opened.has(name)
  db?.close()
  opened.delete(name)
  await new Promise<void>((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = request.onerror = request.onblocked = () => resolve()
      if (isHeld) resolve()
    } catch {
      resolve()
    }
  })
}
