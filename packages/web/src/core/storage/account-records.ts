// The data stored in this browser for one account, by purpose ([R354]-[R357]).
import { limits } from '@cloudoc/domain'
import {
  accountDatabase,
  type Database,
  type EditRow,
  type FileChangeRow,
  type RecycledCopy,
  remove,
  type TransferRow,
  transferDatabaseOf,
  type UnlockRequest,
  withDatabase,
} from './database.ts'
import { forgetDrafts } from './drafts.ts'

/** A change of a followed file. */
export type FileChange = Omit<FileChangeRow, 'accountId' | 'read'> & { readonly read: boolean }
/** The record of an edited local copy. */
export type EditRecord = Omit<EditRow, 'accountId' | 'closed'> & { readonly closed: boolean }
/** A transfer task. */
export type TransferRecord = Omit<TransferRow, 'accountId' | 'showProgress'> & { readonly showProgress: boolean }

/** The records of one account. */
export interface AccountRecords {
  /** Stores a new, unread change. The oldest are dropped above the limit. */
  recordFileChange(change: Omit<FileChange, 'read'>): Promise<void>
  /** The latest changes, newest first. */
  fileChanges(): Promise<FileChange[]>
  /** The latest unread changes. */
  unreadFileChanges(): Promise<FileChange[]>
  markFileChangeRead(remindId: string): Promise<void>
  markAllFileChangesRead(): Promise<void>

  storeUnlockRequest(request: UnlockRequest): Promise<void>
  unlockRequests(): Promise<UnlockRequest[]>
  /** Removes a request that has been answered. */
  dropUnlockRequest(request: Pick<UnlockRequest, 'fileId' | 'userId'>): Promise<void>

  /** Stores an edit. The record of a known local path is updated. */
  storeEdit(edit: EditRecord): Promise<void>
  /** Edits, newest first. */
  edits(): Promise<EditRecord[]>
  /** Marks every record closed, except those of open files. */
  closeAllEdits(open?: ReadonlySet<number>): Promise<void>
  /** Deletes a record. Its file and path are listed among the copies to delete. */
  deleteEdit(localPath: string): Promise<void>
  recycledCopies(): Promise<RecycledCopy[]>
  /** Takes the copies to delete out of their table. */
  takeRecycled(): Promise<RecycledCopy[]>

  /** The transfer tasks stored by drive/transfer/store.ts, newest first. */
  transfers(): Promise<TransferRecord[]>

  /** Deletes all data of the account. */
  clear(): Promise<void>
}

const yes = (text: string): boolean => text === 'true'
const text = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false')

const readChange = ({ accountId: _, read, ...change }: FileChangeRow): FileChange => ({ ...change, read: yes(read) })
const readEdit = ({ accountId: _, closed, ...edit }: EditRow): EditRecord => ({ ...edit, closed: yes(closed) })
const readTransfer = ({ accountId: _, showProgress, ...task }: TransferRow): TransferRecord => ({
  ...task,
  showProgress: yes(showProgress),
})

type Timed = 'fileChange' | 'editList'

/** Deletes the oldest rows of a table above its limit. */
async function makeRoom(db: Database, table: Timed, most: number): Promise<void> {
  const tx = db.transaction(table, 'readwrite')
  let left = (await tx.store.count()) - most
  for (let row = left > 0 ? await tx.store.index('time').openCursor() : null; row !== null && left > 0; left--) {
    await row.delete()
    row = await row.continue()
  }
  await tx.done
}

const editsChannel = (accountId: number): BroadcastChannel => new BroadcastChannel(`cloudoc-edits-${accountId}`)

function publishEdits(accountId: number): void {
  const channel = editsChannel(accountId)
  const say: (message: string) => void = channel.postMessage.bind(channel)
  say('changed')
  channel.close()
}

/** Subscribes to changes of an account's edit records, in any tab. Returns the function that unsubscribes. */
export function followEdits(accountId: number, changed: () => void): () => void {
  const channel = editsChannel(accountId)
  channel.onmessage = changed
  return () => channel.close()
}

/** The records of an account. */
export function accountRecords(accountId: number): AccountRecords {
  const name = accountDatabase(accountId)
  const change = (work: (db: Database) => Promise<unknown>): Promise<void> =>
    withDatabase<unknown>(name, work, undefined).then(() => undefined)

  const fileChanges = (): Promise<FileChange[]> =>
    withDatabase(name, async (db) => (await db.getAllFromIndex('fileChange', 'time')).toReversed().map(readChange), [])

  return {
    recordFileChange: (one) =>
      change(async (db) => {
        await db.put('fileChange', { ...one, accountId, read: text(false) })
        await makeRoom(db, 'fileChange', limits.fileChanges)
      }),
    fileChanges,
    unreadFileChanges: async () => (await fileChanges()).filter(({ read }) => !read).slice(0, limits.unreadFileChanges),
    markFileChangeRead: (remindId) =>
      change(async (db) => {
        const tx = db.transaction('fileChange', 'readwrite')
        const row = await tx.store.get(remindId)
        if (row !== undefined) await tx.store.put({ ...row, read: text(true) })
        await tx.done
      }),
    markAllFileChangesRead: () =>
      change(async (db) => {
        const tx = db.transaction('fileChange', 'readwrite')
        for (const row of await tx.store.getAll()) await tx.store.put({ ...row, read: text(true) })
        await tx.done
      }),

    storeUnlockRequest: (request) => change((db) => db.put('applyUnlock', request)),
    unlockRequests: () => withDatabase(name, (db) => db.getAll('applyUnlock'), []),
    dropUnlockRequest: ({ fileId, userId }) => change((db) => db.delete('applyUnlock', [fileId, userId])),

    storeEdit: (edit) =>
      change(async (db) => {
        const tx = db.transaction(['editList', 'fileRecycle'], 'readwrite')
        await tx.objectStore('editList').put({ ...edit, accountId, closed: text(edit.closed) })
        // A copy that is edited again is not deleted.
        await tx.objectStore('fileRecycle').delete(edit.localPath)
        await tx.done
        await makeRoom(db, 'editList', limits.editRecords)
        publishEdits(accountId)
      }),
    edits: () =>
      withDatabase(name, async (db) => (await db.getAllFromIndex('editList', 'time')).toReversed().map(readEdit), []),
    closeAllEdits: (open = new Set()) =>
      change(async (db) => {
        const tx = db.transaction('editList', 'readwrite')
        for (const row of await tx.store.getAll()) {
          if (!open.has(row.fileId)) await tx.store.put({ ...row, closed: text(true) })
        }
        await tx.done
      }),
    deleteEdit: (localPath) =>
      change(async (db) => {
        const tx = db.transaction(['editList', 'fileRecycle'], 'readwrite')
        const row = await tx.objectStore('editList').get(localPath)
        if (row !== undefined) {
          await tx.objectStore('fileRecycle').put({ accountId, fileId: row.fileId, localPath })
          await tx.objectStore('editList').delete(localPath)
        }
        await tx.done
        publishEdits(accountId)
      }),
    recycledCopies: () => withDatabase(name, (db) => db.getAll('fileRecycle'), []),
    takeRecycled: () =>
      withDatabase(
        name,
        async (db) => {
          const tx = db.transaction('fileRecycle', 'readwrite')
          const copies = await tx.store.getAll()
          await tx.store.clear()
          await tx.done
          return copies
        },
        [],
      ),

    transfers: () =>
      withDatabase(
        name,
        async (db) => (await db.getAllFromIndex('transferList', 'time')).toReversed().map(readTransfer),
        [],
      ),

    async clear() {
      await remove(name)
      await remove(transferDatabaseOf(name))
      await forgetDrafts(accountId)
    },
  }
}
