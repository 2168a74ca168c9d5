/*
 * The registry of servers: those linked to the server of the page, and whether the user is signed in there ([R343]).
 * The server of the page signs the user in; which servers this tab has signed in at is stored in session storage, so
 * that a sign-out from one of them holds until the tab closes.
 *
 * A linked server is asked through the server of the page (docs/adr/0283). Its state (-13 to -16) is what the last call
 * to it said ([R345]).
 */
import type { Answer, calls, ServerSetting } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import { createStore, useStore } from 'zustand'
import { api, CallError, connectServers, type FailureCode } from '../call/api.ts'
import { setServerAddress } from '../call/other-servers.ts'
import { markSignedOut, registerSignIn, signedInServers, signedOutServers, unregisterSignIn } from './local-state.ts'
import type { Account, Permission } from './session.ts'

type Listed = Answer<typeof calls.getServerList>['list'][number]

/** The user at a linked server: it has its own number, rights and settings for them. */
export interface PersonThere {
  readonly account: Account
  readonly permission: Permission
  readonly setting: ServerSetting['setting']
}

/** A linked server as this page knows it. */
export interface LinkedServer extends Pick<Listed, 'serverId' | 'serverName' | 'state' | 'since' | 'latencyMs'> {
  /** `noAccount`: no account there belongs to the user yet. `signedOut`: by the user. `failed`: it could not be asked. */
  readonly session: 'asking' | 'signedIn' | 'signedOut' | 'noAccount' | 'failed'
  readonly person?: PersonThere
}

interface Servers {
  /** The name of the server of the page. */
  readonly mainName: string
  readonly list: readonly LinkedServer[]
  /** The list has been read. */
  readonly isKnown: boolean
}

const nothingKnown: Servers = { mainName: '', list: [], isKnown: false }
export const linkedServersStore = createStore<Servers>(() => nothingKnown)

/** Whether the linked servers are known. */
export const useServersKnown = (): boolean => useStore(linkedServersStore, ({ isKnown }) => isKnown)

/** The linked servers. Empty for almost everybody. */
export const useLinkedServers = (): readonly LinkedServer[] => useStore(linkedServersStore, ({ list }) => list)

export const useMainServerName = (): string => useStore(linkedServersStore, ({ mainName }) => mainName)

export function linkedServer(serverId: number): LinkedServer | undefined {
  return linkedServersStore.getState().list.find((server) => server.serverId === serverId)
}

/** A linked server by its number. */
export const useLinkedServer = (serverId: number | undefined): LinkedServer | undefined =>
  useStore(linkedServersStore, ({ list }) => list.find((server) => server.serverId === serverId))

/** The name of a linked server; empty for the server of the page. */
export const useServerName = (serverId: number): string =>
  useStore(linkedServersStore, ({ list }) => list.find((server) => server.serverId === serverId)?.serverName ?? '')

/** Whether a server is one that calls to every server go to. */
export const isAsked = ({ session, state }: LinkedServer): boolean =>
  state !== 'paused' && (session === 'signedIn' || session === 'failed')

const statesOfCodes: Partial<Record<FailureCode, LinkedServer['state']>> = {
  interconnectedServerInvalid: 'invalid',
  interconnectedServerMissing: 'missing',
  interconnectedServerNotResponding: 'notResponding',
  interconnectedServerFaulty: 'faulty',
  timeout: 'notResponding',
} satisfies Partial<Record<CodeName | 'timeout', LinkedServer['state']>>

const addressOf = (serverId: number): string => `${location.origin}/linked/${serverId}`

function change(serverId: number, to: Partial<LinkedServer>): void {
  const { list } = linkedServersStore.getState()
  const before = linkedServer(serverId)
  if (before === undefined || Object.entries(to).every(([name, value]) => before[name as keyof LinkedServer] === value))
    return
  linkedServersStore.setState({
    list: list.map((server) => (server.serverId === serverId ? { ...server, ...to } : server)),
  })
}

const probe = { quiet: true, probe: true } as const

async function personAt(serverId: number): Promise<PersonThere> {
  const there = api.of({ serverId })
  const account = await there.getMyAccountInfo({}, probe)
  const [permission, settings] = await Promise.all([
    there.getUserPermissionInfo({}, probe),
    there.getServerSetting({}, probe),
  ])
  return { account, permission, setting: (JSON.parse(settings) as ServerSetting).setting }
}

/** Signs in at a linked server with the account there that belongs to the user. Returns whether there is a session. */
export async function signInAt(serverId: number): Promise<boolean> {
  change(serverId, { session: 'asking' })
  try {
    const person = await personAt(serverId)
    const { account } = person
    if (account.mustChangePassword || account.needsSecondFactor) throw new Error('something is due there')
    change(serverId, { session: 'signedIn', person })
    registerSignIn({ address: addressOf(serverId), accountId: account.accountId })
    markSignedOut(addressOf(serverId), false)
    return true
  } catch (error) {
    const isStranger = error instanceof CallError && error.code === 'notLoggedIn'
    change(serverId, { session: isStranger ? 'noAccount' : 'failed' })
    unregisterSignIn(addressOf(serverId))
    return false
  }
}

/** Reads again what the user may do at a linked server. */
export async function readPersonAt(serverId: number): Promise<void> {
  const person = await personAt(serverId).catch(() => undefined)
  if (person !== undefined && linkedServer(serverId)?.session === 'signedIn') change(serverId, { person })
}

/** Confirms the account there by its password, and signs in. Throws the refusal. */
export async function linkAccountAt(
  serverId: number,
  typed: { readonly userName: string; readonly password: string; readonly factorCode?: string },
): Promise<boolean> {
  await api.linkServerAccount({ serverId, ...typed }, { quiet: true })
  return signInAt(serverId)
}

/** Ends the session at a linked server. It is not asked again in this tab until the user signs in there. */
export async function signOutAt(serverId: number): Promise<void> {
  change(serverId, { session: 'signedOut' })
  unregisterSignIn(addressOf(serverId))
  markSignedOut(addressOf(serverId), true)
  // Ended here in any case.
  await api
    .of({ serverId })
    .logout2({}, probe)
    .catch(() => undefined)
}

/** What the registry needs of the page. */
export interface ServersPage {
  /** Whether the main window shows something of this server. */
  readonly uses: (serverId: number) => boolean
  /** Asks the user to sign in there again, on the page. Returns true if there is a session again. */
  readonly askSignIn: (serverId: number) => Promise<boolean>
  /** Starts the page again, without a session at that server. */
  readonly restart: (serverId: number) => void
  /** The user has signed in or out somewhere: lists show other items. */
  readonly changed: () => void
}

const renewing = new Map<number, Promise<boolean>>()

/**
 * Handles a call that was refused for want of a session ([R035]). A session of the page that has ended is renewed as
 * usual. One that has ended at a linked server in use is asked for on the page; whoever declines starts again without
 * it. A server that is not in use is only marked.
 */
async function renew(serverId: number, page: ServersPage): Promise<boolean> {
  const isOwn = await api.getMyAccountInfo({}, probe).catch((error: unknown) => error)
  if (isOwn instanceof CallError) {
    if (isOwn.code !== 'notLoggedIn') return false
    await api.getMyAccountInfo({}, { quiet: true })
    return true
  }
  if (linkedServer(serverId)?.session !== 'signedIn') return false
  change(serverId, { session: 'noAccount' })
  unregisterSignIn(addressOf(serverId))
  if (!page.uses(serverId)) return false
  if (await page.askSignIn(serverId)) return true
  markSignedOut(addressOf(serverId), true)
  page.restart(serverId)
  return false
}

/** Reads the linked servers and signs in where the user has an account. */
export async function readServers(): Promise<void> {
  const answer = await api.getServerList({}, { quiet: true }).catch(() => undefined)
  if (answer === undefined) return linkedServersStore.setState({ isKnown: true })
  const known = linkedServersStore.getState().list
  const linked = answer.list.filter(({ isMain }) => !isMain)
  for (const { serverId } of linked) setServerAddress(serverId, `/linked/${serverId}`)
  const out = signedOutServers()
  linkedServersStore.setState({
    isKnown: true,
    mainName: answer.list.find(({ isMain }) => isMain)?.serverName ?? '',
    list: linked.map((server) => {
      const before = known.find(({ serverId }) => serverId === server.serverId)
      const session = out.includes(addressOf(server.serverId)) ? ('signedOut' as const) : ('asking' as const)
      return { session, ...before, ...server }
    }),
  })
  const due = linkedServersStore.getState().list.filter(({ session, state }) => {
    return state !== 'paused' && (session === 'asking' || session === 'failed')
  })
  await Promise.all(due.map(({ serverId }) => signInAt(serverId)))
}

/** Connects the registry with the page and fills it. Returns the function that stops it. */
export function startServers(page: ServersPage): () => void {
  connectServers({
    answered(serverId, failure) {
      const state = failure === undefined ? 'ok' : statesOfCodes[failure]
      if (state === undefined) return
      const before = linkedServer(serverId)
      change(serverId, { state, ...(before?.state !== state && { since: Date.now() }) })
      // It is there again: the user is signed in as at the start.
      if (state === 'ok' && before?.session === 'failed') void signInAt(serverId)
    },
    known: () =>
      new Promise((resolve) => {
        if (linkedServersStore.getState().isKnown) return resolve()
        const stop = linkedServersStore.subscribe(({ isKnown }) => {
          if (!isKnown) return
          stop()
          resolve()
        })
      }),
    renew(serverId) {
      const asked = renewing.get(serverId) ?? renew(serverId, page).finally(() => renewing.delete(serverId))
      renewing.set(serverId, asked)
      return asked
    },
  })
  // Lists show other items, or name a server that is missing from them.
  const asked = (all: readonly LinkedServer[]): string =>
    all
      .filter(isAsked)
      .map(({ serverId, session }) => `${serverId} ${session}`)
      .join()
  const stop = linkedServersStore.subscribe(({ list }, before) => {
    if (asked(list) !== asked(before.list)) page.changed()
  })
  void readServers()
  return () => {
    stop()
    for (const { address } of signedInServers()) if (address !== location.origin) unregisterSignIn(address)
    linkedServersStore.setState(nothingKnown)
  }
}
