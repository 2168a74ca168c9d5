// The control program, which opens files in desktop programs ([R182], [R360], [R362]): its address and its protocol.

/** WebSocket address of the control program on the user's computer ([R360]). */
export const controlAddress = 'ws://127.0.0.1:37219'

/** The data about a file that is sent to the program ([R362]). */
export interface LocalEdit {
  /** Origin of the server, its company code, and the base path of the API. */
  readonly server: string
  readonly code: string
  readonly context: string
  readonly fileId: number
  readonly fileName: string
  readonly version: number
  /** Login key: single use, expires soon. */
  readonly key: string
}

/**
 * Builds the address that opens a file in the control program. `token` stays empty, because addresses are visible to
 * others and must not contain a session token.
 */
export function localEditAddress({ server, code, context, fileId, fileName, version, key }: LocalEdit): string {
  const told = { server, code, fileId, fileName, key, token: '', version, context }
  const query = Object.entries(told).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `cloudoc-edit://open?${query.join('&')}`
}

/** Returns whether a dotted version is older than another ([R372]); false if the other version is empty. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  for (const [at, number] of (than === '' ? [] : (other ?? [])).entries()) {
    const here = own?.[at] ?? 0
    if (here !== number) return !(here > number)
  }
  return false
}
