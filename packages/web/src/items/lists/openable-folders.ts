/*
 * Which folders of a tree can be expanded: those in which the user sees a subfolder. The server is asked for the
 * visible folders of trees in batches, and again after changes in them. The known answer stays valid until the new one
 * arrives.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'

/** The maximum number of folders per call. */
const most = 200

const known = new Map<number, boolean>()
/** The folders to request again. */
const stale = new Set<number>()
const wanted = new Set<number>()
const listeners = new Set<() => void>()
let version = 0

function notifyListeners(): void {
  version += 1
  for (const listener of listeners) listener()
}

async function ask(): Promise<void> {
  while (wanted.size > 0) {
    const ids = [...wanted].slice(0, most)
    for (const id of ids) {
      wanted.delete(id)
      stale.delete(id)
    }
    try {
      const holding = new Set(
        (await api.of(mainServer).getFoldersWithSubfolders({ folderIds: ids }, { quiet: true })).folderIds,
      )
      for (const id of ids) known.set(id, holding.has(id))
    } catch {
      // If the answer is missing, the folder counts as expandable.
      for (const id of ids) if (!known.has(id)) known.set(id, true)
    }
    notifyListeners()
  }
}
const askSoon = createBatcher(ask)

/** Handles changes in these folders. */
export function subfoldersChanged(folderIds: readonly (number | undefined)[]): void {
  const changed = folderIds.filter((id) => id !== undefined && known.has(id) && !stale.has(id))
  if (changed.length === 0) return
  for (const id of changed) if (id !== undefined) stale.add(id)
  notifyListeners()
}

/** Handles an unknown change: requests all folders again. */
export function allSubfoldersChanged(): void {
  subfoldersChanged([...known.keys()])
}

/** Clears the cache for the next account on this page. */
export function forgetSubfolders(): void {
  known.clear()
  stale.clear()
  wanted.clear()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a folder can be expanded. Undefined while that is not known. */
export const mayOpen = (folderId: number): boolean | undefined => known.get(folderId)

/** Requests whether the visible folders can be expanded, now and after each change in them. */
export function useOpenable(ids: readonly number[]): void {
  const at = useSyncExternalStore(subscribe, () => version)
  const shown = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again whenever something became stale
  useEffect(() => {
    const missing = shown === '' ? [] : shown.split(',').map(Number)
    for (const id of missing) if (!known.has(id) || stale.has(id)) wanted.add(id)
    if (wanted.size > 0) askSoon()
  }, [shown, at])
}
