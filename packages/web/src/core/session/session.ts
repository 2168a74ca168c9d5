/*
 * Who is signed in. The token lies in an HttpOnly cookie that no script can read, so a session is known by asking the
 * server. Order after signing in: token, account, server settings, permissions, then the app starts the push channel
 * ([R031]).
 *
 * A session that ends while the page is open is renewed in place: calls that were refused wait, the person is asked for the
 * password once, and the calls are sent again. Giving up leads out: told, then the login page ([R035]).
 */
import type { Answer, calls, ServerSetting } from '@cloudoc/contract'
import { type Capability, ClientType, limits } from '@cloudoc/domain'
import { createStore, useStore } from 'zustand'
import { api, CallError, setPageAccount, trustRedirectsTo } from '../call/api.ts'
import { defaultSetting } from './default-setting.ts'
import { encryptCredentials } from './encrypted-login.ts'
import { rememberServer } from './local-state.ts'
import { whenPromptsAllowed } from './prompt-deferral.ts'

export type Account = Answer<typeof calls.getMyAccountInfo>
export type Permission = Answer<typeof calls.getUserPermissionInfo>

/** Whether somebody may do something at all; the server decides again. */
export function mayUse({ capabilities }: Permission, needs: Capability | undefined): boolean {
  return needs === undefined || capabilities.includes(needs)
}

export interface Session {
  readonly account: Account
  /** The switches of the server ([R044]). */
  readonly setting: ServerSetting['setting']
  /** The settings beside the switches: password length, space, the company's name. */
  readonly serverSetting: ServerSetting
  readonly permission: Permission
  /** Where the pushes stood before the page read anything; a server of another version does not say. */
  readonly place?: Answer<(typeof calls)['getPushPosition']>
}

interface SessionState {
  readonly session: Session | undefined
  readonly ended: boolean
}

/** The session of this page. */
export const sessionStore = createStore<SessionState>(() => ({ session: undefined, ended: false }))

/** The session; only inside pages that need one. */
export function useSession(): Session {
  const session = useStore(sessionStore, (state) => state.session)
  if (session === undefined) throw new Error('this part of the page needs a session')
  return session
}

/** What this module needs of others; the app fills it once at start. */
export interface SessionHooks {
  /** Asks for the password of this account; true when there is a session again. */
  readonly askPassword: (account: Account) => Promise<boolean>
  /** The account may do nothing before its password is changed; false when the person gives up. */
  readonly changePassword: (account: string) => Promise<boolean>
  /** The company demands a second factor of the account; false when the person gives up. */
  readonly setUpSecondFactor: () => Promise<boolean>
  /** What this browser keeps of the account goes, before the session does. */
  readonly signingOut: (account: Account) => Promise<void>
  /** Leads out of the page that needs a session. */
  readonly leave: (to: { readonly reason: 'expired' | 'another' | 'signedOut'; readonly page: string }) => void
}

let hooks: SessionHooks = {
  askPassword: () => Promise.resolve(false),
  changePassword: () => Promise.resolve(false),
  setUpSecondFactor: () => Promise.resolve(false),
  signingOut: () => Promise.resolve(),
  leave: () => undefined,
}

/** Joins the session with the windows and the routes. */
export function connectSession(connected: SessionHooks): void {
  hooks = connected
}

export interface Credentials {
  readonly userName: string
  readonly password: string
  readonly captcha?: string
  /** By the visitor password ([R021]). */
  readonly visitor?: boolean
  /** A code of the authenticator, where one is asked for. */
  readonly factorCode?: string
}

/** Who has just signed in. */
export type SignedIn = Answer<typeof calls.login3>['accountInfo']

/**
 * Signs in. Where the browser can encrypt (a secure context) the password travels encrypted ([R016]); a page that came
 * over plain HTTP has no crypto.subtle and sends the documented form ([R014]).
 */
export async function signIn(credentials: Credentials): Promise<SignedIn> {
  const encrypted = await encryptCredentials(credentials)
  const { accountInfo } =
    encrypted === undefined
      ? await api.login3({ serverId: 0, clientType: ClientType.web, ...credentials }, { quiet: true })
      : await api.loginInEncrypt(encrypted, { quiet: true })
  return accountInfo
}

const accountCookie = 'cloudoc_account'

/** The account whose session this browser holds, as far as it knows: the cookie beside the one that no script can read. */
export function accountOfBrowser(): number | undefined {
  const [, id] = new RegExp(`(?:^|; )${accountCookie}=(\\d+)`).exec(document.cookie) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Whether another tab has given this browser's session to somebody else than this page shows. */
export function isTakenByAnother(): boolean {
  const holder = accountOfBrowser()
  return holder !== undefined && holder !== sessionStore.getState().session?.account.accountId
}

/** Reads who is signed in and what the server allows; undefined without a session. */
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
    const [place, [serverSetting, permission]] = await Promise.all([
      api.getPushPosition({}, probe).catch(() => undefined),
      readAllowed(),
    ])
    const session = { account, setting: serverSetting.setting, serverSetting, permission, ...(place && { place }) }
    sessionStore.setState({ session, ended: false })
    return session
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'notLoggedIn')) throw error
    // The session is over: the next page of this browser need not ask for it.
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

/** What an older server does not say is as it is unless set ([R044]). */
function withDefaults<T extends object>(said: Partial<T>, defaults: T): T {
  const both = { ...defaults, ...said }
  for (const [name, value] of Object.entries(defaults) as [keyof T, unknown][]) {
    if (isPlain(value) && isPlain(both[name])) both[name] = withDefaults(both[name], value) as T[keyof T]
  }
  return both
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the server is set to, and what the person may do. */
const readAllowed = () => Promise.all([readSettings(), api.getUserPermissionInfo({}, probe)])

/** Takes up what the server has been set to since, and what the person may do now, without ending anything on the page. */
export async function reloadSettings(): Promise<void> {
  const { session, ended } = sessionStore.getState()
  if (session === undefined || ended) return
  const [serverSetting, permission] = await readAllowed()
  sessionStore.setState((now) =>
    now.session === undefined
      ? now
      : { session: { ...now.session, setting: serverSetting.setting, serverSetting, permission } },
  )
}

/** Takes up what somebody has changed of their own account. */
export function changeAccount(change: Partial<Account>): void {
  sessionStore.setState((now) =>
    now.session === undefined ? now : { session: { ...now.session, account: { ...now.session.account, ...change } } },
  )
}

/** Who is signed in; a server that does not know the one call knows the other ([R032]). */
function accountInfo(): Promise<Account> {
  return api.getMyAccountInfo({}, probe).catch((error: unknown) => {
    if (error instanceof CallError && (error.number === 404 || error.code === 'notFound'))
      return api.getMyUserInfo({}, probe)
    throw error
  })
}

let renewing: Promise<boolean> | undefined

/** Asks for the password once, however many calls were refused; true when they may be sent again. */
export function renewSession(): Promise<boolean> {
  renewing ??= renew().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renew(): Promise<boolean> {
  const { session, ended } = sessionStore.getState()
  if (session === undefined || ended) return false
  // What the page fetches by itself may be refused while a name is typed: the field would lose the focus, and with it end.
  await whenPromptsAllowed()
  if (await hooks.askPassword(session.account)) return true
  endSession()
  hooks.leave({ reason: isTakenByAnother() ? 'another' : 'expired', page: '' })
  return false
}

let changing: Promise<boolean> | undefined

/** Has the person set another password, once, however many calls were refused for the old one (-137). */
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

/** Has the person set up the second factor that is demanded of them, once, however many calls were refused for it. */
export function renewFactor(): Promise<boolean> {
  settingUp ??= hooks.setUpSecondFactor().finally(() => {
    settingUp = undefined
  })
  return settingUp
}

let settingUp: Promise<boolean> | undefined

/** The session is over: refused calls fail at once from here on. What is on the page stays until it is left. */
export function endSession(): void {
  sessionStore.setState({ ended: true })
}

/** Signs out; whatever the server says, the page is left ([R037]). */
export async function signOut(): Promise<void> {
  const { session } = sessionStore.getState()
  if (session !== undefined) await hooks.signingOut(session.account)
  try {
    await api.logout2({}, { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs })
  } catch {
    // The session ends here in any case.
  }
  endSession()
  hooks.leave({ reason: 'signedOut', page: session?.setting.logout_page ?? '' })
}
