// The lines of an archive: the folders and files in one of its folders.
import { documentKind, extNameOf } from '@cloudoc/domain'
import type { DecodedEntry } from '../rendition/archive-access.ts'

/** The maximum size of a file that the server extracts, in bytes. */
const largestEntry = 64 * 1024 * 1024

export interface Line {
  readonly name: string
  readonly path: string
  readonly entry: DecodedEntry | undefined
  /** The number of files in a folder, recursively; undefined for a file. */
  readonly files: number | undefined
}

/** The direct children of a folder in the archive: folders first, sorted by name. */
export function linesOf(entries: readonly DecodedEntry[], folder: string): Line[] {
  const folders = new Map<string, number>()
  const files: Line[] = []
  for (const entry of entries) {
    if (!entry.path.startsWith(folder) || entry.path === folder) continue
    const rest = entry.path.slice(folder.length)
    const slash = rest.indexOf('/')
    if (slash < 0) files.push({ name: rest, path: entry.path, entry, files: undefined })
    else {
      const name = rest.slice(0, slash)
      folders.set(name, (folders.get(name) ?? 0) + (entry.path.endsWith('/') ? 0 : 1))
    }
  }
  const byName = (a: Line, b: Line): number => a.name.localeCompare(b.name, 'zh')
  const inside = [...folders].map(
    ([name, count]): Line => ({ name, path: `${folder}${name}/`, entry: undefined, files: count }),
  )
  return [...inside.sort(byName), ...files.sort(byName)]
}

export const nameOf = ({ path }: DecodedEntry): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether the server can extract it. */
export const isTaken = ({ encrypted, size }: DecodedEntry): boolean => !encrypted && size <= largestEntry

/** Whether it can be previewed. */
export const isShown = (entry: DecodedEntry | undefined): boolean =>
  entry !== undefined && isTaken(entry) && entry.size > 0 && documentKind(extNameOf(nameOf(entry))) !== undefined
