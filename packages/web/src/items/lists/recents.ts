/*
 * The user's recent folders, opened files and target folders: their ids with the number of their server, stored in this
 * browser per account. Names and locations are fetched from the servers for display, so deleted or inaccessible items do
 * not appear, nor do those of a server that does not answer.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { useQueries } from '@tanstack/react-query'
import { api, mainServer } from '../../core/call/api.ts'
import { fanOutOptions } from '../../core/session/fan-out.ts'
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
  return (text ?? '').split(',').filter((id) => /^s\d{1,7}f-?\d+$/.test(id))
}

/** Adds an item to the recent ones. Virtual folders are not stored. */
export function recordRecent(kind: RecentKind, item: ItemRef): void {
  const key = keyOf(kind)
  if (key === undefined || item.fId <= 0) return
  const id = itemIdStr({ serverId: item.serverId, fType: item.fType, fId: item.fId })
  store(key, [id, ...recentIds(kind).filter((one) => one !== id)].slice(0, most[kind]).join(','))
}

const serverOf = (id: string): number => Number(/^s(\d+)/.exec(id)?.[1] ?? 0)

/** Returns the recent items in their current state. Undefined until those of the server of the page are loaded. */
export function useRecent(kind: RecentKind): readonly ItemRecord[] | undefined {
  const ids = recentIds(kind)
  const servers = [...new Set(ids.map(serverOf))]
  const read = useQueries({
    queries: servers.map((serverId) => {
      const itemIdStrs = ids.filter((id) => serverOf(id) === serverId).join(',')
      const options = serverId === mainServer.serverId ? { quiet: true } : fanOutOptions
      return {
        queryKey: ['drive', 'recent', itemIdStrs],
        queryFn: async () => (await api.of({ serverId }).getItemListByItemIdStr({ itemIdStrs }, options)).list,
        staleTime: 0,
      }
    }),
  })
  const own = read[servers.indexOf(mainServer.serverId)]
  if (own !== undefined && own.data === undefined && !own.isError) return undefined
  const list = read.flatMap(({ data = [] }) => data)
  return list.toSorted((a, b) => ids.indexOf(a.itemIdStr) - ids.indexOf(b.itemIdStr))
}
