/*
 * What somebody typed and has not handed in yet, kept in a database of its own (docs/adr/0090) until it is: a tab, a server
 * or a network that dies takes at most the last two seconds. One draft for each file.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { accountDatabase, connection, remove } from './database.ts'

export interface Draft {
  readonly fileId: number
  readonly fileName: string
  /** The version that it was made of. */
  readonly version: number
  readonly text: string
  readonly changedAt: number
  /** The workbook that was written together by whose places it names cells; without one those are its version's. */
  readonly generation?: number
  /** What was written together with others and not sent: changes of a document, by the number of their sender. */
  readonly together?: { readonly generation: number; readonly client: number; readonly unsent: Uint8Array }
}

interface DraftTables extends DBSchema {
  draft: { key: number; value: Draft }
}

/** The drafts of one account. Where the browser keeps nothing there are none, and `keep` says so. */
export interface Drafts {
  readonly of: (fileId: number) => Promise<Draft | undefined>
  /** False where the browser refused. */
  readonly keep: (draft: Draft) => Promise<boolean>
  readonly drop: (fileId: number) => Promise<void>
}

const nameOf = (accountId: number): string => accountDatabase(accountId).replace(/^clouddoc-/, 'clouddoc-draft-')

/** The drafts of an account. */
export function draftsOf(accountId: number): Drafts {
  const open = (): Promise<IDBPDatabase<DraftTables>> =>
    connection<DraftTables>(nameOf(accountId), {
      version: 1,
      make: (db) => void db.createObjectStore('draft', { keyPath: 'fileId' }),
    })
  return {
    of: async (fileId) => {
      try {
        return await (await open()).get('draft', fileId)
      } catch {
        return undefined
      }
    },
    keep: async (draft) => {
      try {
        await (await open()).put('draft', draft)
        return true
      } catch {
        return false
      }
    },
    drop: async (fileId) => {
      try {
        await (await open()).delete('draft', fileId)
      } catch {
        // A browser that refuses has kept none.
      }
    },
  }
}

/** Forgets all drafts of an account. */
export function forgetDrafts(accountId: number): Promise<void> {
  return remove(nameOf(accountId))
}
