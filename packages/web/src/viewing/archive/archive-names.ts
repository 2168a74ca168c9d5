// Names of an archive that does not say how they are written, read another way than the server reads them.
import type { ListedEntry } from '@cloudoc/contract'
import { type NameEncoding, nameEncodings } from '@cloudoc/domain'
import type { DecodedEntry } from '../rendition/archive-access.ts'

export { nameEncodings }

/** Whether a name may be read in more than one way. */
export const hasAmbiguousName = ({ rawName }: ListedEntry): boolean => rawName !== undefined

/** The entries with the paths that they have in an encoding of names. */
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
