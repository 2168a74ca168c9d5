/*
 * The folders the user visited in this browser, for viewing while the server is unreachable ([R067]). They are stored
 * per account and deleted at sign-out ([R393]).
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { CallName } from '../../core/call/api.ts'
import { remove } from '../../core/storage/database.ts'
import { forgetAllOfflineCopies } from '../../core/storage/offline-copies.ts'

type VisitedItem = Pick<ItemRecord, 'fId' | 'fType' | 'fName' | 'fileSize' | 'modifyTime'>

/** A folder as last visited. */
export interface VisitedFolder {
  readonly folderId: number
  readonly name: string
  /** The names of its ancestor folders, topmost first. */
  readonly above: readonly string[]
  readonly items: readonly VisitedItem[]
  /** The number of items in the folder, which may be more than were loaded. */
  readonly total: number
  readonly seenAt: number
}

interface VisitedFolderTables extends DBSchema {
  folder: { key: number; value: VisitedFolder; indexes: { time: number } }
}

/** Maximum number of stored folders, and of rows in each. */
const maxFolders = 200
const maxItems = 500

const namePrefix = 'clouddoc-seen-'
const nameOf = (accountId: number): string => namePrefix + accountId

async function withDatabase<T>(
  accountId: number,
  work: (db: IDBPDatabase<VisitedFolderTables>) => Promise<T>,
  empty: T,
): Promise<T> {
  let db: IDBPDatabase<VisitedFolderTables> | undefined
  try {
    db = await openDB<VisitedFolderTables>(nameOf(accountId), 1, {
      upgrade: (made) => void made.createObjectStore('folder', { keyPath: 'folderId' }).createIndex('time', 'seenAt'),
    })
    return await work(db)
  } catch {
    // The browser refuses storage: nothing is stored.
    return empty
  } finally {
    db?.close()
  }
}

const blank = (folderId: number): VisitedFolder => ({ folderId, name: '', above: [], items: [], total: 0, seenAt: 0 })

/** Changes the stored data of one folder in one transaction. */
function change(
  accountId: number,
  folderId: number,
  by: (known: VisitedFolder) => Partial<VisitedFolder>,
): Promise<void> {
  return withDatabase<void>(
    accountId,
    async (db) => {
      const tx = db.transaction('folder', 'readwrite')
      const known = (await tx.store.get(folderId)) ?? blank(folderId)
      await tx.store.put({ ...known, ...by(known), seenAt: Date.now() })
      for (const oldest of (await tx.store.index('time').getAllKeys()).slice(0, -maxFolders)) {
        await tx.store.delete(oldest)
      }
      await tx.done
    },
    undefined,
  )
}

/** Stores what a server answer shows of a folder. */
export async function recordAnswer(
  accountId: number,
  name: CallName,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
): Promise<void> {
  const folderId = Number(input.folderId)
  if (name === 'getFolderInfo2') {
    const { folder, ancestors } = data as { folder: ItemRecord; ancestors: readonly ItemRecord[] }
    await change(accountId, folderId, () => ({ name: folder.fName, above: ancestors.map(({ fName }) => fName) }))
  } else if (name === 'getSubItemList3' && !input.keyword && !input.exts && input.foldersOnly !== true) {
    const { list, total, from = 0 } = data as { list: readonly ItemRecord[]; total: number; from?: number | null }
    const seen = list.map(({ fId, fType, fName, fileSize, modifyTime }) => ({
      fId,
      fType,
      fName,
      fileSize,
      modifyTime,
    }))
    await change(accountId, folderId, ({ items }) => {
      // Pages that are not contiguous are not joined: only the beginning of the folder is shown.
      const start = from ?? 0
      if (start > items.length) return { total }
      return { total, items: [...items.slice(0, start), ...seen].slice(0, maxItems) }
    })
  }
}

/** The visited folders, latest first. */
export async function visitedFolders(accountId: number): Promise<VisitedFolder[]> {
  const all = await withDatabase(accountId, async (db) => (await db.getAllFromIndex('folder', 'time')).toReversed(), [])
  const byId = new Map(all.map((folder) => [folder.folderId, folder]))
  const parents = new Map(
    all.flatMap(({ folderId, items }) =>
      items.filter(({ fType }) => fType === 2).map(({ fId, fName }) => [fId, { folderId, fName }] as const),
    ),
  )
  // For a folder opened from its parent, the page loaded only the content. Data of different times may name two folders
  // as each other's parent; then the second one has no name.
  const named = (folder: VisitedFolder, below: readonly number[] = []): VisitedFolder => {
    const parent = parents.get(folder.folderId)
    const above = parent === undefined ? undefined : byId.get(parent.folderId)
    if (folder.name !== '' || parent === undefined || above === undefined) return folder
    if (below.includes(folder.folderId)) return folder
    const { name, above: higher } = named(above, [...below, folder.folderId])
    return { ...folder, name: parent.fName, above: [...higher, name] }
  }
  return all.map((folder) => named(folder)).filter(({ name }) => name !== '')
}

/** Deletes all stored folders. */
export function forgetVisitedFolders(accountId: number): Promise<void> {
  return withDatabase<void>(accountId, (db) => db.clear('folder'), undefined)
}

/** After sign-in, deletes the folders that other accounts visited in this browser, who may not have signed out. */
export async function forgetVisitedFoldersOfOthers(accountId: number): Promise<void> {
  try {
    const names = (await indexedDB.databases()).flatMap(({ name = '' }) => (name.startsWith(namePrefix) ? [name] : []))
    await Promise.all(names.filter((name) => name !== nameOf(accountId)).map(remove))
  } catch {
    // The browser stores nothing, or cannot list its databases. The names of databases keep accounts apart.
  }
}

/** Deletes all that this browser keeps of an account for reading without the server. */
export async function forgetAllOf(accountId: number): Promise<void> {
  await Promise.all([forgetVisitedFolders(accountId), forgetAllOfflineCopies(accountId)])
}
