/*
 * Which folders of a tree can be expanded: those in which the user sees a subfolder. The server is asked for the
 * visible folders of trees in batches, and again after changes in them. The known answer stays valid until the new one
 * arrives.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { api, type OnServer } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { asFolder, type FolderRef, type ItemKey, keyOf } from '../item/item.ts'

/** The maximum number of folders per call. */
const most = 200

const known = new Map<ItemKey, boolean>()
/** The folders to request again. */
const stale = new Set<ItemKey>()
const wanted = new Map<ItemKey, FolderRef>()
const listeners = new Set<() => void>()
let version = 0

const folderKey = (folder: FolderRef): ItemKey => keyOf(asFolder(folder))

function notifyListeners(): void {
  version += 1
  for (const listener of listeners) listener()
}

async function askServer(serverId: number, folders: readonly FolderRef[]): Promise<void> {
  try {
    const folderIds = folders.map(({ fId }) => fId)
    const answer = await api.of({ serverId }).getFoldersWithSubfolders({ folderIds }, { quiet: true })
    const holding = new Set(answer.folderIds)
    for (const folder of folders) known.set(folderKey(folder), holding.has(folder.fId))
  } catch {
    // If the answer is missing, the folder counts as expandable.
    for (const folder of folders) if (!known.has(folderKey(folder))) known.set(folderKey(folder), true)
  }
}

async function ask(): Promise<void> {
  while (wanted.size > 0) {
    const folders = [...wanted.values()].slice(0, most)
    for (const folder of folders) {
      wanted.delete(folderKey(folder))
      stale.delete(folderKey(folder))
    }
    // A linked server that answers late delays no other one.
    const asked = [...groupBy(folders, ({ serverId }) => serverId)].map(async ([serverId, some]) => {
      await askServer(serverId, some)
      notifyListeners()
    })
    await Promise.all(asked)
  }
}
const askSoon = createBatcher(ask)

function markStale(keys: readonly ItemKey[]): void {
  const changed = keys.filter((key) => known.has(key) && !stale.has(key))
  if (changed.length === 0) return
  for (const key of changed) stale.add(key)
  notifyListeners()
}

/** Handles changes in these folders of a server. */
export function subfoldersChanged({ serverId }: OnServer, folderIds: readonly (number | undefined)[]): void {
  markStale(folderIds.flatMap((fId) => (fId === undefined ? [] : [folderKey({ serverId, fId })])))
}

/** Handles an unknown change: requests all folders again. */
export function allSubfoldersChanged(): void {
  markStale([...known.keys()])
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
export const mayOpen = (folder: FolderRef): boolean | undefined => known.get(folderKey(folder))

/** Requests whether the visible folders can be expanded, now and after each change in them. */
export function useOpenable(folders: readonly FolderRef[]): void {
  const at = useSyncExternalStore(subscribe, () => version)
  const shown = folders.map(folderKey).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again whenever something became stale
  useEffect(() => {
    for (const folder of folders) {
      const key = folderKey(folder)
      if (!known.has(key) || stale.has(key)) wanted.set(key, { serverId: folder.serverId, fId: folder.fId })
    }
    if (wanted.size > 0) askSoon()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shown` names the folders
  }, [shown, at])
}
