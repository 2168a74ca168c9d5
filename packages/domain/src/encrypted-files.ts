/*
 * Encrypted downloads (.cld, [R132], [R205]). Such a file is an age file (age-encryption.org/v1) with one stanza:
 *
 *   -> cloudoc 1 <installation> <items> <version>
 *   <the file key, sealed by the server>
 *
 * `items` are the ids of the content as in `files` of DownloadMultiFile. The stanza tells clients which items to ask the
 * server for; what counts is the sealed copy of it.
 */

/** The extension of encrypted downloads. */
export const encryptedExt = 'cld'

/** Whose downloads are not encrypted (encryption_exempt): of people who manage all of the items, or who may change them. */
export const EncryptionExempt = { nobody: 0, managers: 1, editors: 2 } as const

/** The type of the stanza, and its version. */
export const encryptedStanza = 'cloudoc'
export const encryptedFormat = '1'

/** The longest header that is read. */
export const longestEncryptedHeader = 256 * 1024

const firstLine = 'age-encryption.org/v1\n'

/** The header of an encrypted download. */
export interface EncryptedHeader {
  /** The header as text, with its check value: what the server needs to return the key. */
  readonly text: string
  readonly installation: string
  /** `fi_12,fo_3` */
  readonly files: string
  /** The version of a single file; 0: the newest of that time. */
  readonly version: number
}

/** Reads the header at the beginning of a file; undefined if the file is no encrypted download. */
export function readEncryptedHeader(start: Uint8Array): EncryptedHeader | undefined {
  let text = ''
  for (const byte of start.subarray(0, longestEncryptedHeader)) text += String.fromCharCode(byte)
  if (!text.startsWith(firstLine)) return undefined
  const end = /\n--- [A-Za-z0-9+/]{43}\n/.exec(text)
  if (end === null) return undefined
  const header = text.slice(0, end.index + end[0].length)
  const stanza = /^-> cloudoc 1 (\S{1,40}) (f[io]_\d{1,15}(?:,f[io]_\d{1,15})*) (\d{1,9})$/m.exec(header)
  const [, installation, files, version] = stanza ?? []
  if (installation === undefined || files === undefined || version === undefined) return undefined
  return { text: header, installation, files, version: Number(version) }
}

/** Whether a request comes from Windows, where downloads are encrypted: by the hint of the browser, else by its name. */
export function isWindowsClient(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const hint = headers['sec-ch-ua-platform']
  if (typeof hint === 'string') return /windows/i.test(hint)
  const agent = headers['user-agent']
  return typeof agent === 'string' && /windows|microsoft-webdav-miniredir/i.test(agent)
}

/** The right to all of the items by which a download is not encrypted; undefined: none. */
export function exemptRight(exempt: number): 'grant' | 'modify' | undefined {
  if (exempt === EncryptionExempt.managers) return 'grant'
  return exempt === EncryptionExempt.editors ? 'modify' : undefined
}
