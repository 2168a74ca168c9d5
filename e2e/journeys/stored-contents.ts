// Contents of files, and the copies that a browser stores of them.
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { Person } from './company.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Resolves when the browser has stored the content of a file that is being uploaded. */
export async function untilContentStored(page: Page, person: Person): Promise<void> {
  const { accountId } = await person.call('getMyAccountInfo', {})
  await page.waitForFunction(async (name) => {
    const opened = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve) => {
      opened.onsuccess = () => resolve(opened.result)
    })
    const count = db.transaction('transferContent').objectStore('transferContent').count()
    const kept = await new Promise<number>((resolve) => {
      count.onsuccess = () => resolve(count.result)
    })
    db.close()
    return kept > 0
  }, `clouddoc-transfer-${accountId}`)
}
