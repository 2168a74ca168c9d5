// The administrator has this device forget what it keeps ([R047], -50): the session that was here says so with its next call.
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { accountOfBrowser } from '../core/session/session.ts'
import { remove } from '../core/storage/database.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { loginPath } from './leave.ts'

/** A database that another tab holds open is deleted when that tab goes; nobody waits for it. */
const patienceMs = 2000
let wiping = false

/** Forgets every database, cache and note of this origin, says so to the server, and leads to the login page. */
export async function wipe(): Promise<void> {
  if (wiping) return
  wiping = true
  await Promise.race([
    Promise.allSettled([forgetDatabases(), forgetCaches()]),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ])
  for (const area of [() => localStorage, () => sessionStorage]) {
    try {
      area().clear()
    } catch {
      // A browser that refuses storage has kept nothing there.
    }
  }
  // Until the server has heard it, the next page of this browser is told to forget again.
  await api.confirmWipe({}, { quiet: true }).catch(() => undefined)
  await messageBox({ icon: 'warning', text: t('wipe.done'), locked: true })
  location.assign(loginPath)
}

async function forgetDatabases(): Promise<void> {
  const listed = typeof indexedDB.databases === 'function' ? await indexedDB.databases() : []
  const names = new Set(['clouddoc-login', `clouddoc-${accountOfBrowser() ?? 0}`])
  for (const { name } of listed) if (name !== undefined) names.add(name)
  await Promise.all([...names].map(remove))
}

async function forgetCaches(): Promise<void> {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) await caches.delete(name)
}
