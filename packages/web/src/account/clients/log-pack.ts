// Packs logs and states for administrators ([R374]). What could be secret never gets in: names and codes of failed calls,
// the state of the connection, and settings with plain values.
import { recentFailures } from '../../core/call/api.ts'
import { version } from '../../core/page/version.ts'
import { connectionStore } from '../../core/push/connection.ts'

export const logParts = ['program', 'connection', 'state'] as const
export type LogPart = (typeof logParts)[number]

/** Names of stored values that may tell who somebody is, or sign somebody in. */
const secret = /token|key|auth|pass|login|account|cookie|draft|name|path/i

/** Tokens and keys in an address or a text, file names with an extension, and mail addresses. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/([?&#](?:access_token|token|key|code|password|rnd)=)[^&\s"]*/gi, '$1…')
    .replace(/\b(authorization|cookie)\b\s*[:=]?\s*(bearer\s+)?[^\s"]+/gi, '$1 …')
    .replace(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu, '…@…')
    .replace(/[^\s"/\\?&=:]+\.(?:docx?|xlsx?|pptx?|pdf|dwg|txt|md|csv|zip|png|jpe?g|wps|et|dps)\b/giu, '…')
    .replace(/\b[A-Za-z0-9_-]{32,}\b/g, '…')
}

/** Stored settings: a value that is a switch or a number is told, of others the length. */
function stored(storage: Storage): Record<string, string> {
  const told: Record<string, string> = {}
  for (const name of Object.keys(storage)) {
    const value = storage.getItem(name) ?? ''
    const isPlain = !secret.test(name) && /^(true|false|\d{1,9}|zh|en|blue|black)$/.test(value)
    told[withoutSecrets(name)] = isPlain ? value : `(${value.length})`
  }
  return told
}

const parts: Readonly<Record<LogPart, () => unknown>> = {
  program: () =>
    recentFailures.map(({ at, call, code, number }) => `${new Date(at).toISOString()} ${call} ${code} ${number}`),
  connection: () => ({
    online: navigator.onLine,
    channel: JSON.stringify(connectionStore.getState()),
    secure: window.isSecureContext,
    browser: navigator.userAgent,
  }),
  state: () => ({
    version,
    page: location.pathname.replace(/\d+/g, '0'),
    screen: `${window.innerWidth}x${window.innerHeight}`,
    localStorage: stored(localStorage),
    sessionStorage: stored(sessionStorage),
  }),
}

/** The pack as it is sent, readable. */
export function packLogs(chosen: readonly LogPart[]): string {
  const told = Object.fromEntries(chosen.map((part) => [part, parts[part]()]))
  return withoutSecrets(JSON.stringify({ time: new Date().toISOString(), ...told }, undefined, 1))
}
