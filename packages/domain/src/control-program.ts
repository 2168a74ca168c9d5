// The control program, which opens files in the programs of a machine ([R182], [R360], [R362]): where it is asked, and how it is told.

/** Where it answers, on the machine of the browser ([R360]). */
export const controlAddress = 'ws://127.0.0.1:37219'

/** What the program is told of a file ([R362]). */
export interface LocalEdit {
  /** The origin of the server, its code, and what it is reached under behind it. */
  readonly server: string
  readonly code: string
  readonly context: string
  readonly fileId: number
  readonly fileName: string
  readonly version: number
  /** What it signs in with, once and soon. */
  readonly key: string
}

/** The address that opens a file there. `token` stays empty: an address is seen by others, a session is not for them. */
export function localEditAddress({ server, code, context, fileId, fileName, version, key }: LocalEdit): string {
  const told = { server, code, fileId, fileName, key, token: '', version, context }
  const query = Object.entries(told).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `cloudoc-edit://open?${query.join('&')}`
}

/** Whether a dotted version comes before another ([R372]); nothing comes before one that is not said. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  for (const [at, number] of (than === '' ? [] : (other ?? [])).entries()) {
    const here = own?.[at] ?? 0
    if (here !== number) return !(here > number)
  }
  return false
}
