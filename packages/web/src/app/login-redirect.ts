// Navigation from pages that need a session to the login page and back ([R049], [R060]).
import { store, stored } from '../core/storage/storage.ts'

/** The default page after sign-in. */
export const homePath = '/doc/folder/files'
export const loginPath = '/doc/login'

/** The login page, with an address to return to. */
export function loginAddress(back: string, withoutToken: boolean): string {
  const query = new URLSearchParams({ redirect: back })
  if (withoutToken) query.set('withoutToken', '1')
  return `${loginPath}?${query}`
}

/** Query parameter of the login page: the account that is to sign in. */
export const accountParam = 'account'

/** The login page with this account filled in. A remembered login of another account is not used. */
export function loginOf(account: string): string {
  return `${loginPath}?${new URLSearchParams({ [accountParam]: account, [manualLoginParam]: '1' })}`
}

const lastKey = 'lastPath'

/** Stores the current path for the next start. */
export function recordLastPath(accountId: number, path: string): void {
  store(lastKey, JSON.stringify({ accountId, path }))
}

/** The start page of a user: the files or the last visited page, by preference. */
export function startPath(accountId: number | undefined): string {
  if (stored('startup') !== 'last') return homePath
  try {
    const last = JSON.parse(stored(lastKey) ?? '') as { accountId: number; path: string }
    return last.accountId === accountId && last.path.startsWith('/doc/folder/') ? last.path : homePath
  } catch {
    return homePath
  }
}

/** The address after sign-in: only a path of this origin, otherwise the start page. */
export function safeRedirect(redirect: string | null): string {
  if (redirect === null || !redirect.startsWith('/')) return homePath
  const url = new URL(redirect, location.origin)
  // "//elsewhere" and "/\elsewhere" also start with a slash, and "/.//elsewhere" normalises to the same form.
  const isOurs = url.origin === location.origin && !url.pathname.startsWith('//')
  if (!isOurs || url.pathname === loginPath) return homePath
  return `${url.pathname}${url.search}${url.hash}`
}

/** Query parameter of the login page: the user left deliberately, so a remembered login is not used automatically. */
export const manualLoginParam = 'left'

/**
 * Reloads the page at the login page, so that no data of the previous user stays in memory. The login page leads back
 * to the current address.
 */
export function redirectToLogin(): void {
  location.assign(`${loginAddress(location.pathname + location.search, false)}&${manualLoginParam}=1`)
}
