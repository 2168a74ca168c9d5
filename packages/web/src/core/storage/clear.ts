// Deletes all data of the product in this browser.
import { offlineDatabaseOf, remove } from './database.ts'

/** A database that another tab holds open is deleted when that tab closes. The wipe does not wait for it. */
const patienceMs = 2000

/** Deletes every database, cache and storage entry of this origin. */
export async function clearBrowser(accountId: number | undefined): Promise<void> {
  await Promise.race([
    Promise.allSettled([forgetDatabases(accountId), forgetCaches()]),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ])
  for (const area of [() => localStorage, () => sessionStorage]) {
    try {
      area().clear()
    } catch {
      // A browser that refuses storage has stored nothing.
    }
  }
}

async function forgetDatabases(accountId: number | undefined): Promise<void> {
  const listed = typeof indexedDB.databases === 'function' ? await indexedDB.databases() : []
  const names = new Set(['clouddoc-login', `clouddoc-${accountId ?? 0}`, offlineDatabaseOf(accountId ?? 0)])
  for (const { name } of listed) if (name !== undefined) names.add(name)
  await Promise.all([...names].map(remove))
}

async function forgetCaches(): Promise<void> {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) await caches.delete(name)
}
