// Ways out of and back into the pages that need a session ([R049], [R060]).
import { store, stored } from '../core/storage/storage.ts'

/** Where a signed-in person starts. */
export const homePath = '/doc/folder/files'
export const loginPath = '/doc/login'

/** The login page that leads back to an address of ours. */
export function loginAddress(back: string, withoutToken: boolean): string {
  const query = new URLSearchParams({ redirect: back })
  if (withoutToken) query.set('withoutToken', '1')
  return `${loginPath}?${query}`
}

const lastKey = 'lastPath'

/** Notes where the page is, for the next start. */
export function recordLastPath(accountId: number, path: string): void {
  store(lastKey, JSON.stringify({ accountId, path }))
}

/** Where the page begins for somebody: with the files, or where they were last, as they prefer. */
export function startPath(accountId: number | undefined): string {
  if (stored('startup') !== 'last') return homePath
  try {
    const last = JSON.parse(stored(lastKey) ?? '') as { accountId: number; path: string }
    return last.accountId === accountId && last.path.startsWith('/doc/folder/') ? last.path : homePath
  } catch {
    return homePath
  }
}

/** The address to go to after signing in: only a path of this very page, or the start. */
export function safeRedirect(redirect: string | null): string {
  if (redirect === null || !redirect.startsWith('/')) return homePath
  const url = new URL(redirect, location.origin)
  // "//elsewhere" and "/\elsewhere" start with a slash too, and "/.//elsewhere" becomes the like.
  const isOurs = url.origin === location.origin && !url.pathname.startsWith('//')
  if (!isOurs || url.pathname === loginPath) return homePath
  return `${url.pathname}${url.search}${url.hash}`
}

/** In the query of the login page: whoever was led there signs in by hand, though a login is remembered. */
export const manualLoginParam = 'left'

/** Goes to the login page afresh, so that nothing of the last person stays in memory; it leads back here. */
export function redirectToLogin(): void {
  location.assign(`${loginAddress(location.pathname + location.search, false)}&${manualLoginParam}=1`)
}
