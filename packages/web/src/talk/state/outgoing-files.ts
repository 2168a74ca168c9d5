/*
 * The pictures and files of messages on their way, in a database of their own (X58), so that they are sent after the page
 * was loaded again. The browser may refuse to store them; then the person chooses the file again.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { accountDatabase, connection } from '../../core/storage/database.ts'

interface OutgoingFiles extends DBSchema {
  file: { key: string; value: { readonly uuid: string; readonly content: File } }
}

const nameOf = (accountId: number): string => accountDatabase(accountId).replace(/^clouddoc-/, 'clouddoc-outgoing-')

const open = (accountId: number): Promise<IDBPDatabase<OutgoingFiles>> =>
  connection<OutgoingFiles>(nameOf(accountId), {
    version: 1,
    make: (db) => void db.createObjectStore('file', { keyPath: 'uuid' }),
  })

/** Stores the file of a message until it is sent. */
export async function storeFile(accountId: number, uuid: string, content: File): Promise<void> {
  try {
    await (await open(accountId)).put('file', { uuid, content })
  } catch {
    // It is sent from this page, or chosen again on the next one.
  }
}

/** The stored file of a message. */
export async function storedFile(accountId: number, uuid: string): Promise<File | undefined> {
  try {
    return (await (await open(accountId)).get('file', uuid))?.content
  } catch {
    return undefined
  }
}

/** Removes the file of a message that was sent or given up. */
export async function removeFile(accountId: number, uuid: string): Promise<void> {
  try {
    await (await open(accountId)).delete('file', uuid)
  } catch {
    // Nothing was stored.
  }
}

/** Removes the files of messages that are no longer on their way. */
export async function removeOtherFiles(accountId: number, uuids: ReadonlySet<string>): Promise<void> {
  try {
    const db = await open(accountId)
    for (const uuid of await db.getAllKeys('file')) if (!uuids.has(uuid)) await db.delete('file', uuid)
  } catch {
    // Nothing was stored.
  }
}
