// Rows of what is shared, in the order of sharing, which only the server knows: what changes is read again.
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { type ItemKey, keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

export type SharedKind = 'mine' | 'theirs'

/** The pages that the server answers. */
const pageRows = 30
const between = new Intl.ListFormat('zh', { style: 'narrow', type: 'conjunction' })
/** Until when what is listed is shared, by item. */
const ends = new Map<ItemKey, number | null>()

/** Until when an item of these lists is shared; null: for good. */
export const sharedUntil = (item: ItemRecord): number | null => ends.get(keyOf(item)) ?? null

/** The time of a row is when it was shared, its person who shared it, or with whom. */
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
