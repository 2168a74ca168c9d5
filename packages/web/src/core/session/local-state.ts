/*
 * Local storage data outside the databases ([R359]): server information shown before sign-in, the accounts this tab has
 * signed in by server, and three flags from the documents.
 */
import { store, stored } from '../storage/storage.ts'

/** Server information shown before sign-in. */
export interface ServerInfo {
  readonly company: string
  /** The file name of the logo; empty if there is none. */
  readonly logo?: string
}

const serverInfoKey = 'serverInfo'
const newVersionKey = 'newVersionUpdate'

/** The last known information about the page's own server. */
export function knownServer(): ServerInfo | undefined {
  return read(serverInfoKey) as ServerInfo | undefined
}

export function rememberServer(info: ServerInfo): void {
  store(serverInfoKey, JSON.stringify(info))
}

/** The offered version that the user has not installed yet. */
export function offeredVersion(): string | undefined {
  return stored(newVersionKey)
}

/** Stores the offered version; undefined when it has been installed. */
export function offerVersion(version: string | undefined): void {
  store(newVersionKey, version)
}

/** An account this tab has signed in at a server. */
export interface SignedInServer {
  /** The server's origin. */
  readonly address: string
  readonly accountId: number
}

const registryKey = 'signedInServers'

/** The accounts this tab has signed in, also before a reload. The list ends with the tab. */
export function signedInServers(): readonly SignedInServer[] {
  return (read(registryKey, 'session') as SignedInServer[] | undefined) ?? []
}

/** Records the signed-in account of a server; one account per server. */
export function registerSignIn(server: SignedInServer): void {
  const others = signedInServers().filter(({ address }) => address !== server.address)
  store(registryKey, JSON.stringify([...others, server]), 'session')
}

export function unregisterSignIn(address: string): void {
  store(registryKey, JSON.stringify(signedInServers().filter((server) => server.address !== address)), 'session')
}

const signedOutKey = 'signedOutServers'

/** The servers that the user signed out of in this tab, by address. */
export function signedOutServers(): readonly string[] {
  return (read(signedOutKey, 'session') as string[] | undefined) ?? []
}

/** Records that the user signed out of a server, or in again. */
export function markSignedOut(address: string, isOut: boolean): void {
  const others = signedOutServers().filter((one) => one !== address)
  store(signedOutKey, JSON.stringify(isOut ? [...others, address] : others), 'session')
}

const flags = { fileChangeNotice: true, fileStorageNotice: true, sandboxReminderIgnored: false } as const
export type LocalFlag = keyof typeof flags

/** A flag of this browser, or its default. */
export function localFlag(name: LocalFlag): boolean {
  const kept = stored(name)
  // Any value but the text false shows a notice ([R107], X31).
  return flags[name] ? kept !== 'false' : kept === 'true'
}

export function setLocalFlag(name: LocalFlag, on: boolean): void {
  store(name, String(on))
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()

/** Subscribes to possible changes of flags, in this or another window ([R107]). */
export function followLocalFlags(changed: () => void): () => void {
  listeners.add(changed)
  window.addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    window.removeEventListener('storage', changed)
  }
}

function read(key: string, area?: 'session'): unknown {
  try {
    return JSON.parse(stored(key, area) ?? '')
  } catch {
    // Nothing is stored, or data of another version.
    return undefined
  }
}
