/*
 * The databases of this browser ([R353], X58): one per account, `clouddoc-{accountId}`, and `clouddoc-login`, which is
 * read before sign-in (X29). Both have the six documented tables at the documented version. Booleans are stored as
 * text; the functions in this folder convert them (X30). All other client data is in separate databases, so the
 * documented ones keep their schema: transfer parts of transferList in `clouddoc-transfer-{accountId}`, the key that
 * encrypts logins in `clouddoc-seal`.
 *
 * A browser may refuse storage (private windows, policies, a full disk). The stored data is never the only copy. After
 * a refusal the functions return what an empty database would return, and the page continues.
 */
import { limits } from '@cloudoc/domain'
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'

/** A stored change of a followed file ([R354]). */
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

/** Another user waits for a file this user has locked ([R355]). */
export interface UnlockRequest {
  readonly fileId: number
  readonly fileName: string
  readonly pushType: number
  readonly userId: number
  readonly userName: string
  /** The message of the waiting user. */
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

/** A stored transfer task ([R193], [R357]). */
export interface TransferRow {
  readonly taskId: number
  readonly accountId: number
  /** The first name and the number of items. */
  readonly description: string
  readonly totalSize: number
  /** 0 to 1000. */
  readonly progress: number
  /** Bytes per second. */
  readonly speed: number
  readonly type: 'upload' | 'download'
  readonly status: 'doing' | 'completed' | 'pause' | 'cancel'
  readonly createTime: number
  readonly completedTime: number
  readonly localPath: string
  readonly folderId: number
  /** The name of the folder on the server. */
  readonly cloudPath: string
  /** The first 100 name conflicts that wait for a decision. */
  readonly sameNameFiles: readonly string[]
  readonly sameFileWay: string
  readonly totalFileCount: number
  readonly successFileCount: number
  readonly errorFileCount: number
  readonly errorFiles: readonly { readonly name: string; readonly error: string }[]
  readonly showProgress: 'true' | 'false'
  readonly isOnlineEdit: boolean
  readonly downloadWithSandbox: boolean
  /** Running time in milliseconds. */
  readonly spendTime: number
}

/** A local copy whose edit record was deleted ([R356]). */
export interface RecycledCopy {
  readonly accountId: number
  readonly fileId: number
  readonly localPath: string
}

/** A remembered login ([R358]). */
export interface LoginRow {
  readonly account: string
  readonly displayName: string
  /**
   * Key for a new session independent of this browser's cookie. Encrypted (seal.ts); empty when it was deleted. Never a
   * password.
   */
  readonly authKey: string
  /** 'true', or a random text, which means off. */
  readonly autoLogin: string
  readonly updatedAt: number
  readonly loginAt: number
  readonly expiredAt: number
}

/** One file of an upload. The uploader defines the other fields. */
export interface TransferFileRow {
  readonly taskId: number
  /** Its index in the task. */
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

/** The parts of the tasks in transferList. */
export interface TransferTables extends DBSchema {
  /** Generates unique task numbers, also across tabs. It holds no rows. */
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

/** The name of the database with an account's transfer parts. */
export function transferDatabaseOf(accountName: string): string {
  return accountName.replace(/^clouddoc-/, 'clouddoc-transfer-')
}

/** The name of the database with an account's offline copies (kept.ts). */
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
 * The connection to a database with the six tables, opened if necessary. Fails if the browser refuses, or while an
 * older page in another tab keeps the database open.
 */
export function database(name: string): Promise<Database> {
  return connection(name, documentedShape, () => fromOneMore(name))
}

/** The same for transfer parts. */
export function transferDatabase(name: string): Promise<TransferDatabase> {
  return connection(name, transferShape)
}

/** A database of the client, with one fixed version. */
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
      // Another tab has a newer version of the page, or deletes the database: close the connection so that this tab
      // does not block it.
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
 * Migrates from older clients, whose version was one higher and whose database also held the transfer stores. Large
 * data is copied first and stays in the old store until the copy is complete. The six tables are written again in the
 * transaction that creates them.
 */
async function fromOneMore(name: string): Promise<void> {
  const from = await openDB<Tables & TransferTables>(name)
  const rows = new Map<(typeof documented)[number], readonly unknown[]>()
  try {
    // Another tab has already migrated.
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

/** Moves the transfer stores with their content into their own database. */
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

/** The transfer parts of older clients. */
export interface MigratedTransfers {
  readonly files: readonly TransferFileRow[]
  readonly contents: readonly { readonly place: [number, number]; readonly content: File }[]
  readonly handles: readonly { readonly taskId: number; readonly handles: readonly FileSystemHandle[] }[]
  /** The highest task number. */
  readonly last: number
}

/** Imports the parts from another database, all or nothing. */
export async function importTransfers(
  name: string,
  { files, contents, handles, last }: MigratedTransfers,
): Promise<void> {
  const db = await transferDatabase(name)
  const tx = db.transaction(['transferNumber', 'transferFile', 'transferContent', 'transferHandle'], 'readwrite')
  for (const file of files) void tx.objectStore('transferFile').put(file)
  for (const { place, content } of contents) void tx.objectStore('transferContent').put(content, place)
  for (const one of handles) void tx.objectStore('transferHandle').put(one.handles, one.taskId)
  // The next number is higher than all numbers in use.
  if (last > 0) {
    void tx.objectStore('transferNumber').put({}, last)
    void tx.objectStore('transferNumber').delete(last)
  }
  await tx.done
}

/** Uses a database. If the browser refuses, returns what an empty one would return. */
export async function withDatabase<T>(name: string, work: (db: Database) => Promise<T>, empty: T): Promise<T> {
  try {
    return await work(await database(name))
  } catch {
    return empty
  }
}

/**
 * Deletes a database with its content. One that another tab holds open is deleted when that tab closes it, which is not
 * awaited.
 */
export async function remove(name: string): Promise<void> {
  const db = await opened.get(name)?.catch(() => undefined)
  // A database the browser refused to open counts as deleted.
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
