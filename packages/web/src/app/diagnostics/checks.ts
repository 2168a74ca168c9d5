// The connection checks a page can make ([R067], [R078]).
import type { PlainTextKey } from '../../core/i18n/i18n.ts'
import { pushUrl } from '../../core/push/push-client.ts'
import { accountOfBrowser, sessionStore } from '../../core/session/session.ts'

export type CheckName = 'network' | 'server' | 'session' | 'channel' | 'storage' | 'secure'

/** `limited`: it works with reduced function. */
export interface Finding {
  readonly state: 'good' | 'limited' | 'bad'
  readonly found: Extract<PlainTextKey, `diagnostics.${CheckName}.${string}`>
  readonly ms?: number
}

/** Timeout for the server's answer, in milliseconds. */
const patienceMs = 5000

async function server(): Promise<Finding> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), patienceMs)
  const begun = performance.now()
  try {
    const { status } = await fetch('/healthz', { cache: 'no-store', signal: abort.signal })
    const ms = Math.round(performance.now() - begun)
    if (status === 200) return { state: 'good', found: 'diagnostics.server.good', ms }
    return { state: 'bad', found: status === 503 ? 'diagnostics.server.database' : 'diagnostics.server.strange', ms }
  } catch {
    return { state: 'bad', found: 'diagnostics.server.away' }
  } finally {
    clearTimeout(timer)
  }
}

async function channel(): Promise<Finding> {
  return new Promise<Finding>((resolve) => {
    const socket = new WebSocket(pushUrl())
    const end = (finding: Finding): void => {
      clearTimeout(timer)
      socket.close()
      resolve(finding)
    }
    const timer = setTimeout(() => end({ state: 'limited', found: 'diagnostics.channel.away' }), patienceMs)
    socket.onopen = () => end({ state: 'good', found: 'diagnostics.channel.good' })
    socket.onerror = () => end({ state: 'limited', found: 'diagnostics.channel.away' })
  }).catch(() => ({ state: 'limited', found: 'diagnostics.channel.away' }))
}

async function storage(): Promise<Finding> {
  try {
    localStorage.setItem('diagnostics', '')
    localStorage.removeItem('diagnostics')
    const request = indexedDB.open('diagnostics')
    await new Promise<void>((resolve, reject) => {
      request.onsuccess = () => resolve()
      request.onerror = () => reject(new Error('refused'))
    })
    request.result.close()
    indexedDB.deleteDatabase('diagnostics')
    return { state: 'good', found: 'diagnostics.storage.good' }
  } catch {
    return { state: 'limited', found: 'diagnostics.storage.refused' }
  }
}

function session(): Finding {
  const { session: known, ended } = sessionStore.getState()
  if (known !== undefined && !ended) return { state: 'good', found: 'diagnostics.session.good' }
  return {
    state: 'limited',
    found: accountOfBrowser() === undefined ? 'diagnostics.session.nobody' : 'diagnostics.session.unknown',
  }
}

/** The checks, ordered by their dependencies. */
export const checks: readonly (readonly [CheckName, () => Promise<Finding>])[] = [
  [
    'network',
    async () =>
      navigator.onLine
        ? { state: 'good', found: 'diagnostics.network.good' }
        : { state: 'bad', found: 'diagnostics.network.away' },
  ],
  ['server', server],
  ['channel', channel],
  ['session', async () => session()],
  ['storage', storage],
  [
    'secure',
    async () =>
      window.isSecureContext
        ? { state: 'good', found: 'diagnostics.secure.good' }
        : { state: 'limited', found: 'diagnostics.secure.plain' },
  ],
]
