/*
 * Drafts: unsaved text, stored in a separate database (docs/adr/0090) until it is saved. A crash of the tab, the server
 * or the network loses at most the last two seconds. One draft per file.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { accountDatabase, connection, remove } from './database.ts'

export interface Draft {
  readonly fileId: number
  readonly fileName: string
  /** The version the draft is based on. */
  readonly version: number
  readonly text: string
  readonly changedAt: number
  /**
   * The generation of the co-edited workbook whose cell references the draft uses. Without it, they refer to the
   * draft's version.
   */
  readonly generation?: number
  /** Unsent changes of a co-edited document, with the number of their client. */
  readonly together?: { readonly generation: number; readonly client: number; readonly unsent: Uint8Array }
}

interface DraftTables extends DBSchema {
  draft: { key: number; value: Draft }
}

/** The drafts of one account. If the browser refuses storage there are none, and `keep` reports that. */
export interface Drafts {
  readonly of: (fileId: number) => Promise<Draft | undefined>
  /** Returns false if the browser refused. */
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
        // A browser that refuses storage has no drafts.
      }
    },
  }
}

/** Deletes all drafts of an account. */
export function forgetDrafts(accountId: number): Promise<void> {
  return remove(nameOf(accountId))
}
