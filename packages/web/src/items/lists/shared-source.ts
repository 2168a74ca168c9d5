// The source of shared items in the order of sharing, which only the server knows. On any change the list is read
// again.
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { type ItemKey, keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

export type SharedKind = 'mine' | 'theirs'

/** The page size of the server. */
const pageRows = 30
const between = new Intl.ListFormat('zh', { style: 'narrow', type: 'conjunction' })
/** The expiry of the sharing, by item. */
const ends = new Map<ItemKey, number | null>()

/** Returns the expiry of the sharing of an item in these lists. null: unlimited. */
export const sharedUntil = (item: ItemRecord): number | null => ends.get(keyOf(item)) ?? null

/** The time of a row is the time of sharing. The user of a row is the sharer, or the recipient. */
export function sharedSource(kind: SharedKind, keyword: string, userId: number | undefined): RowSource {
  return {
    async page(at, rows) {
      if (!('from' in at)) return undefined
      const input = { keyword, from: at.from, rows: Math.max(rows, pageRows) }
      const { list, total } = await (kind === 'mine'
        ? api.getMyShareList(input, { quiet: true })
        : api.getSharedToMeList({ ...input, userId }, { quiet: true }))
      const items = list.map(({ shareTime, shareNames, expireTime, ...row }) => {
        ends.set(keyOf(row), expireTime)
        return { ...row, modifyTime: shareTime, lastOperatorName: between.format(shareNames) }
      })
      return { from: at.from, list: items, total }
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}
