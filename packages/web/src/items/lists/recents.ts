/*
 * The user's recent folders, opened files and target folders: their ids, stored in this browser per account. Names and
 * locations are fetched from the server for display, so deleted or inaccessible items do not appear.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { api, mainServer } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { type ItemRef, itemIdStr } from '../item/item.ts'

/** The maximum number of entries of each kind. One call accepts at most twenty items. */
const most = { places: 12, files: 12, targets: 8 } as const
export type RecentKind = keyof typeof most

function keyOf(kind: RecentKind): string | undefined {
  const userId = sessionStore.getState().session?.account.userId
  return userId === undefined ? undefined : `drive.recent.${kind}.${userId}`
}

/** Returns the ids of the recent items as text, latest first. */
export function recentIds(kind: RecentKind): readonly string[] {
  const key = keyOf(kind)
  const text = key === undefined ? undefined : stored(key)
  return (text ?? '').split(',').filter((id) => /^s0f-?\d+$/.test(id))
}

/** Adds an item to the recent ones. Virtual folders and items of other servers are not stored. */
export function recordRecent(kind: RecentKind, item: ItemRef): void {
  const key = keyOf(kind)
  if (key === undefined || item.fId <= 0 || item.serverId !== mainServer.serverId) return
  const id = itemIdStr({ ...mainServer, fType: item.fType, fId: item.fId })
  store(key, [id, ...recentIds(kind).filter((one) => one !== id)].slice(0, most[kind]).join(','))
}

/** Returns the recent items in their current state. Undefined until it is loaded. */
export function useRecent(kind: RecentKind): readonly ItemRecord[] | undefined {
  const ids = recentIds(kind).join(',')
  const { data, isError } = useQuery({
    queryKey: ['drive', 'recent', ids],
    queryFn: async () => {
      const { list } = await api.of(mainServer).getItemListByItemIdStr({ itemIdStrs: ids }, { quiet: true })
      const order = ids.split(',')
      return list.toSorted((a, b) => order.indexOf(a.itemIdStr) - order.indexOf(b.itemIdStr))
    },
    enabled: ids !== '',
    staleTime: 0,
  })
  return ids === '' || isError ? [] : data
}
