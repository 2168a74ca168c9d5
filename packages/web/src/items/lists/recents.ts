/*
 * Where somebody was last, what they opened, and where they put things: their ids, kept in this browser for each account.
 * Names and places come from the server when they are shown, so what has gone or been closed since is not among them.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { type ItemRef, itemIdStr } from '../item/item.ts'

/** How many are kept of each; one call names twenty items at most. */
const most = { places: 12, files: 12, targets: 8 } as const
export type RecentKind = keyof typeof most

function keyOf(kind: RecentKind): string | undefined {
  const userId = sessionStore.getState().session?.account.userId
  return userId === undefined ? undefined : `drive.recent.${kind}.${userId}`
}

/** The written ids of what was met last, the latest first. */
export function recentIds(kind: RecentKind): readonly string[] {
  const key = keyOf(kind)
  const text = key === undefined ? undefined : stored(key)
  return (text ?? '').split(',').filter((id) => /^s0f-?\d+$/.test(id))
}

/** Remembers that somebody was there. The folders that are no folders are not remembered. */
export function recordRecent(kind: RecentKind, item: ItemRef): void {
  const key = keyOf(kind)
  if (key === undefined || item.fId <= 0) return
  const id = itemIdStr({ fType: item.fType, fId: item.fId })
  store(key, [id, ...recentIds(kind).filter((one) => one !== id)].slice(0, most[kind]).join(','))
}

/** What was met last, as it is now; undefined until it is known. */
export function useRecent(kind: RecentKind): readonly ItemRecord[] | undefined {
  const ids = recentIds(kind).join(',')
  const { data, isError } = useQuery({
    queryKey: ['drive', 'recent', ids],
    queryFn: async () => {
      const { list } = await api.getItemListByItemIdStr({ itemIdStrs: ids }, { quiet: true })
      const order = ids.split(',')
      return list.toSorted((a, b) => order.indexOf(a.itemIdStr) - order.indexOf(b.itemIdStr))
    },
    enabled: ids !== '',
    staleTime: 0,
  })
  return ids === '' || isError ? [] : data
}
