/*
 * The tags of visible items. They are requested separately from the lists and only for what is on the screen, so that
 * folder pages are the same for all users. They are cached until a tag changes.
 */
import type { ItemRecord, Tag } from '@cloudoc/contract'
import { hasStatus, isVirtualFolder, itemStatus } from '@cloudoc/domain'
import { useEffect } from 'react'
import { create } from 'zustand'
import { api, mainServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { sessionStore } from '../../core/session/session.ts'
import { type ItemKey, idArrays, isLink, keyOf } from '../item/item.ts'

type Named = Pick<ItemRecord, 'serverId' | 'fId' | 'fType'>

const none: readonly Tag[] = []
/**
 * Milliseconds for which requests of newly visible rows are batched, the maximum number of items per call, and the size
 * of the cache.
 */
const batchMs = 80
const atOnce = 200
const maxCached = 5000

interface Known {
  readonly byKey: ReadonlyMap<ItemKey, readonly Tag[]>
}
const store = create<Known>(() => ({ byKey: new Map() }))
const wanted = new Map<ItemKey, Named>()
/** Items requested since the last change. A failed request is not repeated. */
const asked = new Set<ItemKey>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Returns the tags of an item. Empty while they are not known. */
export function useTagsOf(item: ItemRecord): readonly Tag[] {
  const key = keyOf(item)
  const tags = useTagsOfKey(key)
  const may = mayHaveTags(item)
  const known = tags !== undefined
  useEffect(() => {
    if (may && !known) want(item)
  }, [item, may, known])
  return may ? (tags ?? none) : none
}

const useTagsOfKey = (key: ItemKey): readonly Tag[] | undefined => store(({ byKey }) => byKey.get(key))

/** Items in the recycle bin, links and virtual folders have no tags. */
function mayHaveTags(item: ItemRecord): boolean {
  const isOn = sessionStore.getState().session?.setting.tag === true
  return isOn && !isLink(item) && !isVirtualFolder(item.fId) && !hasStatus(itemStatus(item.itemStatus), 'deleted')
}

/** Returns the known tags of items with the number of items for each, the most frequent first. */
export function useKnownTags(items: readonly (ItemRecord | undefined)[]): readonly (Tag & { readonly n: number })[] {
  const byKey = store((known) => known.byKey)
  const found = new Map<number, Tag & { readonly n: number }>()
  for (const item of items) {
    for (const tag of (item && byKey.get(keyOf(item))) ?? none) {
      found.set(tag.tagId, { ...tag, n: (found.get(tag.tagId)?.n ?? 0) + 1 })
    }
  }
  return [...found.values()].sort((a, b) => b.n - a.n)
}

function want(item: Named): void {
  const key = keyOf(item)
  if (asked.has(key)) return
  asked.add(key)
  wanted.set(key, { serverId: item.serverId, fId: item.fId, fType: item.fType })
  timer ??= setTimeout(() => void fetchWanted(), batchMs)
}

async function fetchWanted(): Promise<void> {
  timer = undefined
  const items = [...wanted.values()].slice(-atOnce)
  for (const item of items) wanted.delete(keyOf(item))
  if (wanted.size > 0) timer = setTimeout(() => void fetchWanted(), batchMs)
  try {
    learn(items, await readTags(items))
  } catch {
    // A row without tags is still usable. The tags are requested again after the next change.
  }
}

/** Returns the current tags of items from the server. */
export async function readTags(items: readonly Named[]): Promise<ReadonlyMap<ItemKey, readonly Tag[]>> {
  const read = async ([serverId, group]: readonly [number, readonly Named[]]) => {
    const { fileIdArray, folderIdArray } = idArrays(group)
    const { list } = await api.of({ serverId }).getItemTags({ fileIdArray, folderIdArray }, { quiet: true })
    return list.map(({ fType, fId, tags }) => [keyOf({ serverId, fType, fId }), tags] as const)
  }
  const lists = await Promise.all([...groupBy(items, ({ serverId }) => serverId)].map(read))
  return new Map(lists.flat())
}

function learn(items: readonly Named[], tags: ReadonlyMap<ItemKey, readonly Tag[]>): void {
  const byKey = new Map([...store.getState().byKey].slice(-maxCached))
  for (const item of items) {
    const key = keyOf(item)
    byKey.delete(key)
    byKey.set(key, tags.get(key) ?? none)
  }
  store.setState({ byKey })
}

/** Handles a change of the tags of an item, or of the tags themselves for item 0. Visible tags are read again. */
export function onTagsChanged({ serverId, fId, fType }: Named): void {
  const all = fId === 0
  const byKey = new Map(all ? [] : store.getState().byKey)
  const key = keyOf({ serverId, fId, fType })
  byKey.delete(key)
  if (all) asked.clear()
  else asked.delete(key)
  store.setState({ byKey })
  void queryClient.invalidateQueries({ queryKey: ['drive', 'tags'] })
}

/** Clears the cache after missed pushes or when another user signs in. */
export function forgetTags(): void {
  onTagsChanged({ ...mainServer, fId: 0, fType: 2 })
}
