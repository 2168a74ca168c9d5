/*
 * Logins that this browser remembers ([R028], [R393]): the server gives it a key, which it keeps in its database of logins
 * and by which it signs in again. Taking the key back ends it at the server too.
 */
import { ClientType, limits } from '@cloudoc/domain'
import { api, CallError } from '../call/api.ts'
import { blankLogin, forgetLogin, type SavedLogin, savedLogins, saveLogin } from '../storage/logins.ts'
import { type SignedIn, sessionStore } from './session.ts'

const unseen = { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs } as const

async function loginOf(account: string): Promise<SavedLogin | undefined> {
  return (await savedLogins()).find((one) => one.account === account)
}

/** Signs in by a remembered key. One that the server takes no more is deleted; the account stays on offer. */
export async function signInByKey({ account, authKey }: SavedLogin): Promise<SignedIn> {
  try {
    const { accountInfo } = await api.login3ByLoginKey(
      { serverId: 0, clientType: ClientType.web, loginKey: authKey },
      { quiet: true },
    )
    return accountInfo
  } catch (error) {
    if (error instanceof CallError && error.code === 'notLoggedIn') await blankLogin(account)
    throw error
  }
}

/** Signs in whoever asked for that ([R030]); false when nobody did, or it was refused. */
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

/** Remembers who has signed in; the key of an earlier time ends. */
export async function remember({ account, accountName }: SignedIn, autoLogin: boolean): Promise<void> {
  const before = await loginOf(account)
  try {
    const key = await api.saveLoginKey({}, unseen)
    await saveLogin({ account, displayName: accountName, autoLogin, ...key })
  } catch (error) {
    // The person is in; only the next time the password is asked for.
    if (!(error instanceof CallError)) throw error
  }
  if (before !== undefined) await takeBack(before)
}

/** The password has changed, and the key with it: whoever is remembered stays so. */
export async function renewRemembered(account: string): Promise<void> {
  const login = await loginOf(account)
  const signedIn = sessionStore.getState().session?.account
  if (login !== undefined && login.authKey !== '' && signedIn !== undefined) await remember(signedIn, login.autoLogin)
}

/** Deletes the saved key here and at the server; the account stays on offer ([R039]). */
export async function deleteKey(account: string): Promise<void> {
  await takeBack(await loginOf(account))
  await blankLogin(account)
}

/** Forgets a login altogether. */
export async function forget(account: string): Promise<void> {
  await takeBack(await loginOf(account))
  await forgetLogin(account)
}

/** Somebody signed in elsewhere: a login that does not sign in by itself is forgotten ([R034]). */
export async function forgetUnlessAutomatic(account: string): Promise<void> {
  if ((await loginOf(account))?.autoLogin === false) await forget(account)
}

async function takeBack(login: SavedLogin | undefined): Promise<void> {
  if (login === undefined || login.authKey === '') return
  // Out of reach it ends with its time.
  await api.forgetLoginKey({ loginKey: login.authKey }, unseen).catch(() => undefined)
}
