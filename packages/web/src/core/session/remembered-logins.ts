/*
 * Remembered logins of this browser ([R028], [R393]). The server issues a key, which the browser stores in its login
 * database and uses to sign in again. Deleting the key also revokes it on the server.
 */
import { limits } from '@cloudoc/domain'
import { api, CallError } from '../call/api.ts'
import { blankLogin, forgetLogin, type SavedLogin, savedLogins, saveLogin } from '../storage/logins.ts'
import { clientTypeOfPage } from './phone.ts'
import { type SignedIn, sessionStore } from './session.ts'

const unseen = { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs } as const

async function loginOf(account: string): Promise<SavedLogin | undefined> {
  return (await savedLogins()).find((one) => one.account === account)
}

/** Signs in with a remembered key. A key the server rejects is deleted; the account stays in the list. */
export async function signInByKey({ account, authKey }: SavedLogin): Promise<SignedIn> {
  try {
    const { accountInfo } = await api.login3ByLoginKey(
      { serverId: 0, clientType: clientTypeOfPage(), loginKey: authKey },
      { quiet: true },
    )
    return accountInfo
  } catch (error) {
    if (error instanceof CallError && error.code === 'notLoggedIn') await blankLogin(account)
    throw error
  }
}

/** Signs in the account with automatic sign-in ([R030]). False if there is none, or the server refused. */
export async function signInAutomatically(): Promise<boolean> {
  const login = (await savedLogins()).find(({ autoLogin }) => autoLogin)
  if (login === undefined) return false
  try {
    await signInByKey(login)
    return true
  } catch (error) {
    if (error instanceof CallError && error.code === 'network') throw error
    return false
  }
}

/** Remembers the signed-in account, and revokes its earlier key. */
export async function remember({ account, accountName }: SignedIn, autoLogin: boolean): Promise<void> {
  const before = await loginOf(account)
  try {
    const key = await api.saveLoginKey({}, unseen)
    await saveLogin({ account, displayName: accountName, autoLogin, ...key })
  } catch (error) {
    // The user is signed in; only the next sign-in asks for the password.
    if (!(error instanceof CallError)) throw error
  }
  if (before !== undefined) await takeBack(before)
}

/** A password change invalidates the key: a remembered account gets a new one. */
export async function renewRemembered(account: string): Promise<void> {
  const login = await loginOf(account)
  const signedIn = sessionStore.getState().session?.account
  if (login !== undefined && login.authKey !== '' && signedIn !== undefined) await remember(signedIn, login.autoLogin)
}

/** Deletes the saved key in this browser and on the server. The account stays in the list ([R039]). */
export async function deleteKey(account: string): Promise<void> {
  await takeBack(await loginOf(account))
  await blankLogin(account)
}

/** Removes a login completely. */
export async function forget(account: string): Promise<void> {
  await takeBack(await loginOf(account))
  await forgetLogin(account)
}

/** The account signed in elsewhere: a login without automatic sign-in is removed ([R034]). */
export async function forgetUnlessAutomatic(account: string): Promise<void> {
  if ((await loginOf(account))?.autoLogin === false) await forget(account)
}

async function takeBack(login: SavedLogin | undefined): Promise<void> {
  if (login === undefined || login.authKey === '') return
  // If the server is unreachable, the key ends when it expires.
  await api.forgetLoginKey({ loginKey: login.authKey }, unseen).catch(() => undefined)
}
