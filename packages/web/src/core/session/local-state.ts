/*
 * What this browser keeps beside its databases ([R359]): what it knows of the server before anybody signs in, whom this tab
 * has signed in at which server, and three flags of the documents.
 */
import { store, stored } from '../storage/storage.ts'

/** What is shown of a server before anybody signs in. */
export interface ServerInfo {
  readonly company: string
  /** The name of its picture; empty without one. */
  readonly logo?: string
}

const serverInfoKey = 'serverInfo'
const newVersionKey = 'newVersionUpdate'

/** What was last known of the server that sent this page. */
export function knownServer(): ServerInfo | undefined {
  return read(serverInfoKey) as ServerInfo | undefined
}

export function rememberServer(info: ServerInfo): void {
  store(serverInfoKey, JSON.stringify(info))
}

/** The version that somebody was told of and has not taken yet. */
export function offeredVersion(): string | undefined {
  return stored(newVersionKey)
}

/** Keeps the version that is offered; undefined when it has been taken. */
export function offerVersion(version: string | undefined): void {
  store(newVersionKey, version)
}

/** Somebody who has signed in at a server in this tab. */
export interface SignedInServer {
  /** Its origin. */
  readonly address: string
  readonly accountId: number
}

const registryKey = 'signedInServers'

/** Whom this tab has signed in, also before a reload; it ends with the tab. */
export function signedInServers(): readonly SignedInServer[] {
  return (read(registryKey, 'session') as SignedInServer[] | undefined) ?? []
}

/** Notes who has signed in at a server; one person at each. */
export function registerSignIn(server: SignedInServer): void {
  const others = signedInServers().filter(({ address }) => address !== server.address)
  store(registryKey, JSON.stringify([...others, server]), 'session')
}

export function unregisterSignIn(address: string): void {
  store(registryKey, JSON.stringify(signedInServers().filter((server) => server.address !== address)), 'session')
}

const flags = { fileChangeNotice: true, fileStorageNotice: true, sandboxReminderIgnored: false } as const
export type LocalFlag = keyof typeof flags

/** A flag of this browser, or what it is before anybody has chosen. */
export function localFlag(name: LocalFlag): boolean {
  const kept = stored(name)
  // Anything but the text false shows a notice ([R107], X31).
  return flags[name] ? kept !== 'false' : kept === 'true'
}

export function setLocalFlag(name: LocalFlag, on: boolean): void {
  store(name, String(on))
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()

/** Tells when a flag may have changed, here or in another window ([R107]). */
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
    // Nothing was kept, or something by another version.
    return undefined
  }
}
