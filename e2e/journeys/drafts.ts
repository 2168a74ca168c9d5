// Drafts of edited files in the browser's storage.
import type { Page } from 'playwright-core'

/** Returns the stored draft of a file; undefined if there is none. */
export async function draftOf(page: Page, fileId: number): Promise<unknown> {
  return page.evaluate(async (id) => {
    const { name = '' } = (await indexedDB.databases()).find((one) => one.name?.includes('draft')) ?? {}
    const made = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
    const db = await made(indexedDB.open(name))
    const kept: unknown = await made(db.transaction('draft').objectStore('draft').get(id))
    db.close()
    return typeof kept === 'object' && kept !== null && 'text' in kept ? kept.text : ''
  }, fileId)
}
