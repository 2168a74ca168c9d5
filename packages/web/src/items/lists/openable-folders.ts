/*
 * Which folders a tree lets be opened: those in which the person sees a folder. Asked of the server for the folders that
 * trees show, many at a time, and again when something has changed in them; what was known stands until then.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'

/** So many folders in one question. */
const most = 200

const known = new Map<number, boolean>()
/** Those of which it is to be asked again. */
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
      const holding = new Set((await api.getFoldersWithSubfolders({ folderIds: ids }, { quiet: true })).folderIds)
      for (const id of ids) known.set(id, holding.has(id))
    } catch {
      // Where nobody knows, one may look.
      for (const id of ids) if (!known.has(id)) known.set(id, true)
    }
    notifyListeners()
  }
}
const askSoon = createBatcher(ask)

/** Something has changed in these folders. */
export function subfoldersChanged(folderIds: readonly (number | undefined)[]): void {
  const changed = folderIds.filter((id) => id !== undefined && known.has(id) && !stale.has(id))
  if (changed.length === 0) return
  for (const id of changed) if (id !== undefined) stale.add(id)
  notifyListeners()
}

/** Anything may have changed. */
export function allSubfoldersChanged(): void {
  subfoldersChanged([...known.keys()])
}

/** Lets go of everything, for the next account on this page. */
export function forgetSubfolders(): void {
  known.clear()
  stale.clear()
  wanted.clear()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a folder may be opened; undefined as long as nobody knows. */
export const mayOpen = (folderId: number): boolean | undefined => known.get(folderId)

/** Asks of the folders that are shown whether they may be opened, now and whenever something has changed in them. */
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
