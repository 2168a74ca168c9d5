// The control program, which opens files in desktop programs ([R182], [R360], [R361], [R362]): its addresses and its
// protocol, shared by the page and the program.

/** The version of the control program that is built with this server. */
export const controlVersion = '1.0.0'

/** The ports of the program on the loopback interface: device questions ([R360]) and editing ([R361]). */
export const controlPorts = { device: 37219, edit: 12345 } as const

/** How long a page waits for an answer of the program, in milliseconds ([R360]). */
export const controlWaitMs = 2000

/** WebSocket address of the control program on the user's computer ([R360]). */
export const controlAddress = `ws://127.0.0.1:${controlPorts.device}`

/** WebSocket address at which the program takes commands about edits ([R361]). */
export const editControlAddress = `ws://127.0.0.1:${controlPorts.edit}`

/** Where a browser stores the word by which the program recognizes its pages ([R361]). */
export const controlWordKey = 'controlWord'

/** The header in which clients send the machine address that the program told them ([R363]). */
export const machineAddressHeader = 'x-cloudoc-machine'

/**
 * The cookie with the same value, for requests of a page that no script can give a header: pictures, contents, downloads
 * and the push channel ([R363]).
 */
export const machineAddressCookie = 'cloudoc_machine'

/** A machine address: hexadecimal pairs, joined by colons. */
export const isMachineAddress = (text: string): boolean => /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(text)

/** The URL scheme of each way to open a file ([R362]). */
export const localSchemes = {
  edit: 'cloudoc-edit',
  sandboxEdit: 'cloudoc-sandbox-edit',
  sandboxPreview: 'cloudoc-sandbox-preview',
} as const
export type LocalOpening = keyof typeof localSchemes

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
  /**
   * A random word of the page, by which the program recognizes that page at its sockets. It proves nothing to the
   * server: addresses are visible to others and must not contain a session token.
   */
  readonly token?: string
}

/** Builds the address that opens a file in the control program. */
export function localEditAddress(edit: LocalEdit, way: LocalOpening = 'edit'): string {
  const { server, code, context, fileId, fileName, version, key, token = '' } = edit
  const told = { server, code, fileId, fileName, key, token, version, context }
  const query = Object.entries(told).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${localSchemes[way]}://open?${query.join('&')}`
}

/** The longest address that the program reads. A name of 255 characters takes up to 2,295 when encoded. */
const longestAddress = 4096

const parameterNames = ['server', 'code', 'fileId', 'fileName', 'key', 'token', 'version', 'context'] as const

/** Reads an address of one of the three schemes; undefined for anything else. */
export function readLocalEditAddress(
  text: string,
): { readonly way: LocalOpening; readonly edit: LocalEdit } | undefined {
  const way = (Object.keys(localSchemes) as LocalOpening[]).find((one) =>
    text.startsWith(`${localSchemes[one]}://open?`),
  )
  if (way === undefined || text.length > longestAddress) return undefined
  const told = parametersOf(text.slice(text.indexOf('?') + 1))
  const server = told && originOf(told.server)
  if (told === undefined || server === undefined) return undefined
  const [fileId, version] = [Number(told.fileId), Number(told.version)]
  if (!Number.isSafeInteger(fileId) || fileId <= 0 || !Number.isSafeInteger(version) || version < 0) return undefined
  if (told.fileName === '' || told.key === '') return undefined
  return { way, edit: { ...told, server, fileId, version } }
}

type Parameters = Record<(typeof parameterNames)[number], string>

/** Exactly the eight parameters, each once. */
function parametersOf(query: string): Parameters | undefined {
  const told: Partial<Parameters> = {}
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    const name = parameterNames.find((one) => one === pair.slice(0, Math.max(at, 0)))
    if (name === undefined || told[name] !== undefined) return undefined
    try {
      told[name] = decodeURIComponent(pair.slice(at + 1))
    } catch {
      return undefined
    }
  }
  return parameterNames.every((name) => told[name] !== undefined) ? (told as Parameters) : undefined
}

/** The origin of a web address that has nothing else: no user, path, query or fragment. */
export function originOf(text: string): string | undefined {
  const [, scheme, host] = /^(https?):\/\/([A-Za-z0-9.:[\]-]+)\/?$/.exec(text) ?? []
  return scheme === undefined || host === undefined ? undefined : `${scheme}://${host.toLowerCase()}`
}

/**
 * Failures of the program that have no result code: the server does not answer; there is no
 * sandbox ([R184], X42); a program holds the local copy; the disk is full.
 */
export const localFailures = { noConnection: 1, noSandbox: 2, fileInUse: 3, diskFull: 4 } as const

/** An edit of a local program as a page is told of it. */
export interface LocalEditView {
  readonly id: string
  readonly fileId: number
  readonly fileName: string
  readonly localPath: string
  /** The version that the local copy was made of. */
  readonly version: number
  /** A state of EditState. */
  readonly state: number
  readonly closed: boolean
  /** The newer version on the server that keeps it from being submitted; 0: none. */
  readonly conflict: number
  /** Why the last attempt to submit failed: the number of a result code or of `localFailures`; 0: it did not fail. */
  readonly failure: number
  readonly createTime: number
}

/** Answers to a conflict ([R174]): on top of the newer version, as another file, or later. */
export const conflictAnswers = ['overwrite', 'saveAs', 'cancel'] as const
export type LocalConflictAnswer = (typeof conflictAnswers)[number]

/** Returns whether a dotted version is older than another ([R372]); false if the other version is empty. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  for (const [at, number] of (than === '' ? [] : (other ?? [])).entries()) {
    const here = own?.[at] ?? 0
    if (here !== number) return !(here > number)
  }
  return false
}
