/*
 * The folders that somebody has looked at in this browser, for looking at them again while the server is away ([R067]). They
 * are kept for the account alone, and go when it signs out ([R393]).
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { CallName } from '../../core/api.ts'

type SeenItem = Pick<ItemRecord, 'fId' | 'fType' | 'fName' | 'fileSize' | 'modifyTime'>

/** A folder as it was seen last. */
export interface SeenFolder {
  readonly folderId: number
  readonly name: string
  /** The names above it, topmost first. */
  readonly above: readonly string[]
  readonly items: readonly SeenItem[]
  /** How many it held, which may be more than were seen. */
  readonly total: number
  readonly seenAt: number
}

interface Seen extends DBSchema {
  folder: { key: number; value: SeenFolder; indexes: { time: number } }
}

/** Folders kept, and rows of each. */
const mostFolders = 200
const mostItems = 500

const nameOf = (accountId: number): string => `clouddoc-seen-${accountId}`

async function use<T>(accountId: number, work: (db: IDBPDatabase<Seen>) => Promise<T>, empty: T): Promise<T> {
  let db: IDBPDatabase<Seen> | undefined
  try {
    db = await openDB<Seen>(nameOf(accountId), 1, {
      upgrade: (made) => void made.createObjectStore('folder', { keyPath: 'folderId' }).createIndex('time', 'seenAt'),
    })
    return await work(db)
  } catch {
    // The browser refuses: then nothing is kept.
    return empty
  } finally {
    db?.close()
  }
}

const blank = (folderId: number): SeenFolder => ({ folderId, name: '', above: [], items: [], total: 0, seenAt: 0 })

/** Changes what is kept of one folder, in one step. */
function change(accountId: number, folderId: number, by: (known: SeenFolder) => Partial<SeenFolder>): Promise<void> {
  return use<void>(
    accountId,
    async (db) => {
      const tx = db.transaction('folder', 'readwrite')
      const known = (await tx.store.get(folderId)) ?? blank(folderId)
      await tx.store.put({ ...known, ...by(known), seenAt: Date.now() })
      for (const oldest of (await tx.store.index('time').getAllKeys()).slice(0, -mostFolders)) {
        await tx.store.delete(oldest)
      }
      await tx.done
    },
    undefined,
  )
}

/** Keeps what an answer shows of a folder. */
export async function noteAnswer(
  accountId: number,
  name: CallName,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
): Promise<void> {
  const folderId = Number(input.folderId)
  if (name === 'getFolderInfo2') {
    const { folder, ancestors } = data as { folder: ItemRecord; ancestors: readonly ItemRecord[] }
    await change(accountId, folderId, () => ({ name: folder.fName, above: ancestors.map(({ fName }) => fName) }))
  } else if (name === 'getSubItemList3' && !input.keyword && input.foldersOnly !== true) {
    const { list, total, from = 0 } = data as { list: readonly ItemRecord[]; total: number; from?: number | null }
    const seen = list.map(({ fId, fType, fName, fileSize, modifyTime }) => ({
      fId,
      fType,
      fName,
      fileSize,
      modifyTime,
    }))
    await change(accountId, folderId, ({ items }) => {
      // Pages that lie apart are not stitched together: what is shown is the beginning of the folder.
      const start = from ?? 0
      if (start > items.length) return { total }
      return { total, items: [...items.slice(0, start), ...seen].slice(0, mostItems) }
    })
  }
}

/** The folders that were seen, the latest first. */
export function seenFolders(accountId: number): Promise<SeenFolder[]> {
  const read = async (db: IDBPDatabase<Seen>): Promise<SeenFolder[]> =>
    (await db.getAllFromIndex('folder', 'time')).toReversed().filter(({ name }) => name !== '')
  return use(accountId, read, [])
}

/** Forgets everything that was seen. */
export function forgetSeen(accountId: number): Promise<void> {
  return use<void>(accountId, (db) => db.clear('folder'), undefined)
}
