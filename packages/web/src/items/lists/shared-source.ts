// The source of items shared at any server, in the order of sharing, which only the servers know. On any change the list
// is read again.
import type { ItemRecord } from '@cloudoc/contract'
import { api, mainServer } from '../../core/call/api.ts'
import { fanOutOptions } from '../../core/session/fan-out.ts'
import { type ItemKey, keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'
import { mergedSource } from './merged-source.ts'

export type SharedKind = 'mine' | 'theirs'

/** The page size of the server. */
const pageRows = 30
const between = new Intl.ListFormat('zh', { style: 'narrow', type: 'conjunction' })
/** The expiry of the sharing, by item. */
const ends = new Map<ItemKey, number | null>()

/** Returns the expiry of the sharing of an item in these lists. null: unlimited. */
export const sharedUntil = (item: ItemRecord): number | null => ends.get(keyOf(item)) ?? null

/**
 * The time of a row is the time of sharing. The user of a row is the sharer, or the recipient. A colleague has a number
 * at the server of the page only, so what they shared is listed of that server.
 */
export function sharedSource(kind: SharedKind, keyword: string, userId: number | undefined): RowSource {
  return mergedSource(
    async (on, { from, rows }) => {
      const isMain = on.serverId === mainServer.serverId
      if (!isMain && userId !== undefined) return { list: [], total: 0 }
      const options = isMain ? { quiet: true } : fanOutOptions
      const input = { keyword, from, rows: Math.max(rows, pageRows) }
      const { list, total } = await (kind === 'mine'
        ? api.of(on).getMyShareList(input, options)
        : api.of(on).getSharedToMeList({ ...input, userId }, options))
      const items = list.map(({ shareTime, shareNames, expireTime, ...row }) => {
        ends.set(keyOf(row), expireTime)
        return { ...row, modifyTime: shareTime, lastOperatorName: between.format(shareNames) }
      })
      return { list: items, total }
    },
    (one, other) => one.modifyTime > other.modifyTime,
  )
}
