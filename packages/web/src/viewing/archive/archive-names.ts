// Decodes the names of an archive that does not specify their encoding.
import type { ListedEntry } from '@cloudoc/contract'
import { type NameEncoding, nameEncodings } from '@cloudoc/domain'
import type { DecodedEntry } from '../rendition/archive-access.ts'

export { nameEncodings }

/** Whether the encoding of a name is ambiguous. */
export const hasAmbiguousName = ({ rawName }: ListedEntry): boolean => rawName !== undefined

/** The entries with their paths decoded in an encoding. */
export function decodeEntries(
  entries: readonly ListedEntry[],
  names: NameEncoding | undefined,
): readonly DecodedEntry[] {
  if (names === undefined) return entries
  const decoder = new TextDecoder(names)
  return entries.map((entry) => {
    const { rawName } = entry
    if (rawName === undefined) return { ...entry, names }
    const bytes = Uint8Array.from(atob(rawName), (sign) => sign.charCodeAt(0))
    return { ...entry, names, path: decoder.decode(bytes).replaceAll('\\', '/') }
  })
}
