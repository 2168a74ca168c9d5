// The connection checks a page can make ([R067], [R078]).
import { controlAddress, controlWaitMs, editControlAddress, limits } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import type { PlainTextKey } from '../../core/i18n/i18n.ts'
import { linkedEndpoint, pushUrl } from '../../core/push/push-client.ts'
import { accountOfBrowser, sessionStore } from '../../core/session/session.ts'

export type CheckName =
  | 'network'
  | 'server'
  | 'session'
  | 'channel'
  | 'storage'
  | 'secure'
  | 'device'
  | 'editing'
  | 'clock'

/** `limited`: it works with reduced function. */
export interface Finding {
  readonly state: 'good' | 'limited' | 'bad'
  readonly found: Extract<PlainTextKey, `diagnostics.${CheckName}.${string}`>
  readonly ms?: number
}

/** What the check of a linked server found. */
export interface LinkedFinding extends Pick<Finding, 'state' | 'ms'> {
  readonly found: Extract<PlainTextKey, `diagnostics.linked.${string}`>
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

/** A socket of the control program ([R360], [R361]): whether it takes a connection, and how long that takes. */
async function local(address: string, name: 'device' | 'editing'): Promise<Finding> {
  // Without local editing the page may not connect there, and needs nothing of it.
  if (sessionStore.getState().session?.setting.local_edit !== true) {
    return { state: 'good', found: `diagnostics.${name}.unused` }
  }
  const begun = performance.now()
  return new Promise<Finding>((resolve) => {
    const socket = new WebSocket(address)
    const end = (finding: Finding): void => {
      clearTimeout(timer)
      socket.close()
      resolve(finding)
    }
    const away: Finding = { state: 'limited', found: `diagnostics.${name}.away` }
    const timer = setTimeout(() => end(away), controlWaitMs)
    const ms = (): number => Math.round(performance.now() - begun)
    socket.onopen = () => end({ state: 'good', found: `diagnostics.${name}.good`, ms: ms() })
    socket.onerror = () => end(away)
  })
}

/** The push channel of a linked server: whether it answers the login of the page, through its own server. */
function linkedChannel(serverId: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(linkedEndpoint(`/linked/${serverId}`).url)
    const end = (isThere: boolean): void => {
      clearTimeout(timer)
      resolve(isThere)
      socket.close()
    }
    const timer = setTimeout(() => end(false), patienceMs)
    socket.onopen = () => socket.send('{"cmd":"login"}')
    socket.onmessage = () => end(true)
    socket.onclose = () => end(false)
  })
}

/** A linked server: whether its interface and its pushes reach the user, through the server of the page ([R374]). */
export async function linkedCheck(serverId: number): Promise<LinkedFinding> {
  const begun = performance.now()
  try {
    await api.of({ serverId }).getMyAccountInfo({}, { quiet: true, probe: true, timeoutMs: limits.fanOutTimeoutMs })
    const ms = Math.round(performance.now() - begun)
    return (await linkedChannel(serverId))
      ? { state: 'good', found: 'diagnostics.linked.good', ms }
      : { state: 'limited', found: 'diagnostics.linked.noPush', ms }
  } catch (error) {
    const code = error instanceof CallError ? error.code : undefined
    if (code === 'notLoggedIn') return { state: 'limited', found: 'diagnostics.linked.session' }
    if (code === 'interconnectedServerInvalid') return { state: 'bad', found: 'diagnostics.linked.invalid' }
    if (code === 'interconnectedServerMissing') return { state: 'bad', found: 'diagnostics.linked.missing' }
    if (code === 'interconnectedServerFaulty') return { state: 'bad', found: 'diagnostics.linked.faulty' }
    return { state: 'bad', found: 'diagnostics.linked.away' }
  }
}

/** The clock of this computer, compared with that of the server. */
async function clock(): Promise<Finding> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
    const there = Date.parse(response.headers.get('date') ?? '')
    if (Number.isNaN(there)) return { state: 'limited', found: 'diagnostics.clock.unknown' }
    const isRight = Math.abs(Date.now() - there) < 30_000
    return isRight
      ? { state: 'good', found: 'diagnostics.clock.good' }
      : { state: 'limited', found: 'diagnostics.clock.off' }
  } catch {
    return { state: 'limited', found: 'diagnostics.clock.unknown' }
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
  ['device', () => local(controlAddress, 'device')],
  ['editing', () => local(editControlAddress, 'editing')],
  ['clock', clock],
]
