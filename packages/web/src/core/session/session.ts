/*
 * The session. The token is in an HttpOnly cookie that scripts cannot read, so the page asks the server for the
 * session. Order after sign-in: token, account, server settings, permissions; then the app opens the push channel
 * ([R031]).
 *
 * A session that expires while the page is open is renewed in place: refused calls wait, the user is asked for the
 * password once, and the calls are sent again. If the user gives up, a message and then the login page follow ([R035]).
 */
import type { Answer, calls, ServerSetting } from '@cloudoc/contract'
import { type Capability, limits } from '@cloudoc/domain'
import { createStore, useStore } from 'zustand'
import { api, CallError, setPageAccount, trustRedirectsTo } from '../call/api.ts'
import { defaultSetting } from './default-setting.ts'
import { encryptCredentials } from './encrypted-login.ts'
import { rememberServer } from './local-state.ts'
import { clientTypeOfPage } from './phone.ts'
import { whenPromptsAllowed } from './prompt-deferral.ts'

export type Account = Answer<typeof calls.getMyAccountInfo>
export type Permission = Answer<typeof calls.getUserPermissionInfo>

/** Whether the user has a capability. The server checks again. */
export function mayUse({ capabilities }: Permission, needs: Capability | undefined): boolean {
  return needs === undefined || capabilities.includes(needs)
}

export interface Session {
  readonly account: Account
  /** The feature switches of the server ([R044]). */
  readonly setting: ServerSetting['setting']
  /** The other settings: password length, space, the company's name. */
  readonly serverSetting: ServerSetting
  readonly permission: Permission
  /** The push position before the page read any data. Undefined from a server of another version. */
  readonly place?: Answer<(typeof calls)['getPushPosition']>
}

interface SessionState {
  readonly session: Session | undefined
  readonly ended: boolean
}

/** The session of this page. */
export const sessionStore = createStore<SessionState>(() => ({ session: undefined, ended: false }))

/** The session. Only for pages that need one. */
export function useSession(): Session {
  const session = useStore(sessionStore, (state) => state.session)
  if (session === undefined) throw new Error('this part of the page needs a session')
  return session
}

/** The functions this module needs from others. The app sets them once at start. */
export interface SessionHooks {
  /** Asks for the password of this account. Returns true if there is a session again. */
  readonly askPassword: (account: Account) => Promise<boolean>
  /** The account must change its password first. Returns false if the user gives up. */
  readonly changePassword: (account: string) => Promise<boolean>
  /** The company requires a second factor. Returns false if the user gives up. */
  readonly setUpSecondFactor: () => Promise<boolean>
  /** Deletes the account's data in this browser, before the session ends. */
  readonly signingOut: (account: Account) => Promise<void>
  /** The session of this browser has ended elsewhere: deletes the contents that the account has kept in it. */
  readonly lost: (accountId: number) => void
  /** Leaves the pages that need a session. */
  readonly leave: (to: { readonly reason: 'expired' | 'another' | 'signedOut'; readonly page: string }) => void
}

let hooks: SessionHooks = {
  askPassword: () => Promise.resolve(false),
  changePassword: () => Promise.resolve(false),
  setUpSecondFactor: () => Promise.resolve(false),
  signingOut: () => Promise.resolve(),
  lost: () => undefined,
  leave: () => undefined,
}

/** Connects the session with the windows and the routes. */
export function connectSession(connected: SessionHooks): void {
  hooks = connected
}

export interface Credentials {
  readonly userName: string
  readonly password: string
  readonly captcha?: string
  /** Sign in with the visitor password ([R021]). */
  readonly visitor?: boolean
  /** The code of the authenticator, if required. */
  readonly factorCode?: string
}

/** The account that has just signed in. */
export type SignedIn = Answer<typeof calls.login3>['accountInfo']

/**
 * Signs in. In a secure context the password is sent encrypted ([R016]). A page loaded over plain HTTP has no
 * crypto.subtle and sends the documented form ([R014]).
 */
export async function signIn(credentials: Credentials): Promise<SignedIn> {
  const encrypted = await encryptCredentials(credentials)
  const { accountInfo } =
    encrypted === undefined
      ? await api.login3({ serverId: 0, clientType: clientTypeOfPage(), ...credentials }, { quiet: true })
      : await api.loginInEncrypt(encrypted, { quiet: true })
  return accountInfo
}

const accountCookie = 'cloudoc_account'

/** The account of this browser's session, from the readable cookie set next to the HttpOnly session cookie. */
export function accountOfBrowser(): number | undefined {
  const [, id] = new RegExp(`(?:^|; )${accountCookie}=(\\d+)`).exec(document.cookie) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Whether another tab has signed in another account than this page shows. */
export function isTakenByAnother(): boolean {
  const holder = accountOfBrowser()
  return holder !== undefined && holder !== sessionStore.getState().session?.account.accountId
}

/** Loads the account, the settings and the permissions; undefined without a session. */
export async function loadSession(): Promise<Session | undefined> {
  setPageAccount(undefined)
  try {
    let account = await accountInfo()
    if (account.mustChangePassword) {
      if (!(await hooks.changePassword(account.account))) {
        await signOut()
        return undefined
      }
      account = await accountInfo()
    }
    if (account.needsSecondFactor) {
      if (!(await hooks.setUpSecondFactor())) {
        await signOut()
        return undefined
      }
      account = await accountInfo()
    }
    setPageAccount(account.accountId)
    const [place, { serverSetting, permission }] = await Promise.all([
      api.getPushPosition({}, probe).catch(() => undefined),
      readAllowed(),
    ])
    const session = { account, setting: serverSetting.setting, serverSetting, permission, ...(place && { place }) }
    sessionStore.setState({ session, ended: false })
    return session
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'notLoggedIn')) throw error
    const accountId = accountOfBrowser()
    if (accountId !== undefined) hooks.lost(accountId)
    // The session has ended: the next page of this browser need not ask for it.
    document.cookie = `${accountCookie}=; Path=/; SameSite=Strict; Max-Age=0`
    return undefined
  }
}

const probe = { probe: true } as const

async function readSettings(): Promise<ServerSetting> {
  const serverSetting = withDefaults(
    JSON.parse(await api.getServerSetting({}, probe)) as Partial<ServerSetting>,
    defaultSetting,
  )
  trustRedirectsTo(serverSetting.setting.web_context)
  rememberServer({ company: serverSetting.company_name, logo: serverSetting.company_logo })
  return serverSetting
}

/** Settings an older server does not send have their default ([R044]). */
function withDefaults<T extends object>(said: Partial<T>, defaults: T): T {
  const both = { ...defaults, ...said }
  for (const [name, value] of Object.entries(defaults) as [keyof T, unknown][]) {
    if (isPlain(value) && isPlain(both[name])) both[name] = withDefaults(both[name], value) as T[keyof T]
  }
  return both
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The server settings, then the user's permissions, in the documented order ([R031]). */
async function readAllowed(): Promise<Pick<Session, 'serverSetting' | 'permission'>> {
  const serverSetting = await readSettings()
  return { serverSetting, permission: await api.getUserPermissionInfo({}, probe) }
}

/** Reloads the server settings and the user's permissions, without interrupting the page. */
export async function reloadSettings(): Promise<void> {
  const { session, ended } = sessionStore.getState()
  if (session === undefined || ended) return
  const { serverSetting, permission } = await readAllowed()
  sessionStore.setState((now) =>
    now.session === undefined
      ? now
      : { session: { ...now.session, setting: serverSetting.setting, serverSetting, permission } },
  )
}

/** Updates the session after the user changed their own account. */
export function changeAccount(change: Partial<Account>): void {
  sessionStore.setState((now) =>
    now.session === undefined ? now : { session: { ...now.session, account: { ...now.session.account, ...change } } },
  )
}

/** The signed-in account. A server without the first call has the second ([R032]). */
function accountInfo(): Promise<Account> {
  return api.getMyAccountInfo({}, probe).catch((error: unknown) => {
    if (error instanceof CallError && (error.number === 404 || error.code === 'notFound'))
      return api.getMyUserInfo({}, probe)
    throw error
  })
}

let renewing: Promise<boolean> | undefined

/** Asks for the password once, however many calls were refused. Returns true if they can be sent again. */
export function renewSession(): Promise<boolean> {
  renewing ??= renew().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renew(): Promise<boolean> {
  const { session, ended } = sessionStore.getState()
  if (session === undefined || ended) return false
  // A background request may be refused while the user types a name; a dialog would take the focus and end the editing.
  await whenPromptsAllowed()
  if (await hooks.askPassword(session.account)) return true
  endSession()
  hooks.leave({ reason: isTakenByAnother() ? 'another' : 'expired', page: '' })
  return false
}

let changing: Promise<boolean> | undefined

/** Asks the user for a new password once, however many calls were refused for the old one (-137). */
export function renewPassword(): Promise<boolean> {
  changing ??= changeOrLeave().finally(() => {
    changing = undefined
  })
  return changing
}

async function changeOrLeave(): Promise<boolean> {
  const { session, ended } = sessionStore.getState()
  if (session === undefined || ended) return false
  if (await hooks.changePassword(session.account.account)) return true
  await signOut()
  return false
}

/** Asks the user to set up the required second factor once, however many calls were refused for it. */
export function renewFactor(): Promise<boolean> {
  settingUp ??= hooks.setUpSecondFactor().finally(() => {
    settingUp = undefined
  })
  return settingUp
}

let settingUp: Promise<boolean> | undefined

/**
 * Marks the session as ended: refused calls fail at once from now on. The page content stays until the user leaves it.
 */
export function endSession(): void {
  sessionStore.setState({ ended: true })
}

/** Signs out. The page is left even if the server call fails ([R037]). */
export async function signOut(): Promise<void> {
  const { session } = sessionStore.getState()
  if (session !== undefined) await hooks.signingOut(session.account)
  try {
    await api.logout2({}, { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs })
  } catch {
    // The local session ends in any case.
  }
  endSession()
  hooks.leave({ reason: 'signedOut', page: session?.setting.logout_page ?? '' })
}
