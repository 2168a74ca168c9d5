// Rows of lists in an order that only the server knows: what changes is read again. The time of a row is that by which its
// list is sorted: when it became a favourite, when it was opened.
import type { ItemRecord, RecentAct } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

export type OrderedKind = 'favorites' | 'tagged' | 'recent'
export type RecentKind = 'history' | 'locked' | 'submit' | 'change'

interface Told {
  readonly act?: RecentAct
  readonly version?: number
}
/** What else a list of what was done of late says of its items. */
const told = new Map<string, Told>()
const toldKey = (kind: RecentKind, item: Pick<ItemRecord, 'fId' | 'fType'>): string => `${kind} ${keyOf(item)}`

/** What was done with an item last, and in which version it was handed in. */
export const toldOf = (kind: RecentKind, item: ItemRecord): Told => told.get(toldKey(kind, item)) ?? {}

type Listed = { readonly list: readonly ItemRecord[]; readonly total: number }

function source(fetch: (page: { from: number; rows: number }) => Promise<Listed>): RowSource {
  return {
    async page(at, rows) {
      if (!('from' in at)) return undefined
      const { list, total } = await fetch({ from: at.from, rows })
      return { from: at.from, list, total }
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}

const quiet = { quiet: true } as const
const tell = (kind: RecentKind, item: ItemRecord, what: Told): void => void told.set(toldKey(kind, item), what)

const recent: Readonly<Record<RecentKind, (page: { from: number; rows: number }) => Promise<Listed>>> = {
  async history(page) {
    const { list, total } = await api.getRecentHistory(page, quiet)
    return {
      total,
      list: list.map(({ recentTime, recentAct, ...row }) => {
        tell('history', row, { act: recentAct })
        return { ...row, modifyTime: recentTime }
      }),
    }
  },
  async locked(page) {
    const { list, total } = await api.getRecentLocked(page, quiet)
    return { total, list: list.map(({ lockTime, ...row }) => ({ ...row, modifyTime: lockTime })) }
  },
  async submit(page) {
    const { list, total } = await api.getRecentSubmit(page, quiet)
    return {
      total,
      list: list.map(({ submitTime, submitVersion, ...row }) => {
        tell('submit', row, { version: submitVersion })
        return { ...row, modifyTime: submitTime }
      }),
    }
  },
  change: (page) => api.getRecentChange(page, quiet),
}

export const orderedSource = {
  favorites: (): RowSource =>
    source(async (page) => {
      const { list, total } = await api.getFavoriteList(page, quiet)
      return { total, list: list.map(({ favoriteTime, ...row }) => ({ ...row, modifyTime: favoriteTime })) }
    }),
  tagged: (tagIds: readonly number[]): RowSource =>
    source((page) => api.getTagItems({ ...page, tagIds: tagIds.join() }, quiet)),
  recent: (kind: RecentKind): RowSource => source(recent[kind]),
}
