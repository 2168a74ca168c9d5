/*
 * Restores the files of an upload from an earlier page that the browser did not store. Where file handles exist, the
 * user's permission is enough to read the files again. Otherwise the user chooses the files again. A file is accepted
 * only if it is unchanged: the same size and the same hash, or the same modification time if there is no hash yet.
 */
import type { Hasher } from './hasher.ts'
import type { TransferFile } from './store.ts'

/** Finds the provided file for each wanted file. Returns the files by index. */
export async function matchFiles(
  wanted: readonly TransferFile[],
  brought: readonly { readonly path: string; readonly file: File }[],
  hasher: Hasher,
): Promise<Map<number, File>> {
  const byPath = new Map(brought.map(({ path, file }) => [path, file]))
  const byName = new Map(brought.map(({ file }) => [file.name, file]))
  const found = new Map<number, File>()
  for (const one of wanted) {
    // Individually chosen files have no path.
    const file = byPath.get(one.path) ?? byName.get(one.path.slice(one.path.lastIndexOf('/') + 1))
    if (file !== undefined && (await isSame(one, file, hasher))) found.set(one.index, file)
  }
  return found
}

async function isSame(wanted: TransferFile, file: File, hasher: Hasher): Promise<boolean> {
  if (file.size !== wanted.size) return false
  if (wanted.sha256 === undefined) return file.lastModified === wanted.modified
  try {
    return (await hasher.hash(file, () => undefined, new AbortController().signal)) === wanted.sha256
  } catch {
    return false
  }
}

/** The additional methods of handles in browsers that support them. */
interface Readable extends FileSystemHandle {
  queryPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
}

/** Reads files by the handles of a drop, as far as permission is granted. Asks the user only if the user is present. */
export async function filesOfHandles(
  handles: readonly FileSystemHandle[],
  paths: readonly string[],
  ask: boolean,
): Promise<{ path: string; file: File }[]> {
  const roots = new Map<string, FileSystemHandle>()
  for (const handle of handles) if (await mayRead(handle, ask)) roots.set(handle.name, handle)
  const files = await Promise.all(
    paths.map(async (path) => {
      try {
        const file = await fileAt(roots, path.split('/'))
        return file === undefined ? [] : [{ path, file }]
      } catch {
        return []
      }
    }),
  )
  return files.flat()
}

async function mayRead(handle: Readable, ask: boolean): Promise<boolean> {
  try {
    if ((await handle.queryPermission?.({ mode: 'read' })) === 'granted') return true
    return ask && (await handle.requestPermission?.({ mode: 'read' })) === 'granted'
  } catch {
    return false
  }
}

async function fileAt(
  roots: ReadonlyMap<string, FileSystemHandle>,
  path: readonly string[],
): Promise<File | undefined> {
  const [top = '', ...rest] = path
  let at = roots.get(top)
  for (const [n, name] of rest.entries()) {
    if (!(at instanceof FileSystemDirectoryHandle)) return undefined
    at = await (n === rest.length - 1 ? at.getFileHandle(name) : at.getDirectoryHandle(name))
  }
  return at instanceof FileSystemFileHandle ? at.getFile() : undefined
}
