/*
 * The databases of this browser ([R353]): one for each account, `clouddoc-{accountId}`, and `clouddoc-login`, which is read
 * before anybody is signed in (X29). Both have the six documented tables; texts for booleans stay on disk and are read as
 * booleans by the functions beside this file (X30). Beside transferList stand the stores of what its tasks are made of,
 * since a task and its files change in one transaction; with them the version is the one after the documented.
 *
 * A browser may refuse (private windows, policies, a full disk). What is kept here is never the only copy of anything, so
 * a refusal is answered with what an empty database would answer, and the page goes on.
 */
import { limits } from '@cloudoc/domain'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

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
  /** Opens a session beside this browser's own cookie; empty when it was deleted. Never a password. */
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

/** The six tables ([R353]), and what lies beside transferList. */
export interface Tables extends DBSchema {
  fileChange: { key: string; value: FileChangeRow; indexes: { time: number } }
  applyUnlock: { key: [number, number]; value: UnlockRequest }
  editList: { key: string; value: EditRow; indexes: { time: number } }
  transferList: { key: [string, number]; value: TransferRow; indexes: { time: number } }
  fileRecycle: { key: string; value: RecycledCopy }
  loginInfo: { key: string; value: LoginRow; indexes: { time: number } }
  /** Gives tasks their numbers, each once, also when several tabs ask; it holds none. */
  transferNumber: { key: number; value: Record<string, never> }
  transferFile: { key: [number, number]; value: TransferFileRow }
  transferContent: { key: [number, number]; value: File }
  transferHandle: { key: number; value: readonly FileSystemHandle[] }
}

export type Database = IDBPDatabase<Tables>

/** The name of an account's database. */
export function accountDatabase(accountId: number): string {
  return `clouddoc-${accountId}`
}

const version = limits.localDatabaseVersion + 1
const opened = new Map<string, Promise<Database>>()

/**
 * The connection to a database, opened where it is not open; fails where the browser refuses, and for as long as an older
 * page in another tab does not let go of it.
 */
export function database(name: string): Promise<Database> {
  const known = opened.get(name)
  if (known !== undefined) return known
  const forget = (): void => void opened.delete(name)
  const { promise: isBlocked, reject: refuse } = Promise.withResolvers<never>()
  const opening = openDB<Tables>(name, version, {
    upgrade(db, from) {
      if (from < limits.localDatabaseVersion) makeDocumented(db)
      db.createObjectStore('transferNumber', { autoIncrement: true })
      db.createObjectStore('transferFile', { keyPath: ['taskId', 'index'] })
      db.createObjectStore('transferContent')
      db.createObjectStore('transferHandle')
    },
    blocked: () => refuse(new Error('another tab holds an older database')),
    // Another tab has a newer version of the page, or wants the database gone: this one does not stand in its way.
    blocking(_current, _blocked, event) {
      forget()
      ;(event.target as IDBDatabase).close()
    },
    terminated: forget,
  })
  const answer = Promise.race([opening, isBlocked])
  opened.set(name, answer)
  answer.catch(() => {})
  opening.then(() => opened.set(name, opening), forget)
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
