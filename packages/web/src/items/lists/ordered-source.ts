// Rows of lists in an order that only the server knows: what changes is read again. The time of a row is that by which its
// list is sorted: when it became a favourite, when it was opened.
import type { Answer, calls, ItemRecord, RecentAct } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

export type OrderedKind = 'favorites' | 'tagged' | 'recent'
/** By what the items with a tag can be sorted. */
export interface TagSorting {
  readonly sort: 'time' | 'name' | 'size'
  readonly order: 'asc' | 'desc'
}
export type RecentKind = 'history' | 'locked' | 'submit' | 'change'

/** What others changed of a file. */
export type Change = Pick<Answer<typeof calls.getRecentChange>['list'][number], ChangeField>
type ChangeField = 'changeFrom' | 'changeCount' | 'changeComment' | 'changeRestored' | 'isNew'

interface RowDetails {
  readonly act?: RecentAct
  readonly version?: number
  readonly change?: Change
  /** When it was changed, where the time of its row is another one. */
  readonly changed?: number
}
/** What else a list says of its items. */
const rowDetails = new Map<string, RowDetails>()
const rowDetailsKey = (kind: RecentKind | 'favorites', item: Pick<ItemRecord, 'fId' | 'fType'>): string =>
  `${kind} ${keyOf(item)}`

/** What was done with an item last, in which version it was handed in, when it was changed. */
export const rowDetailsOf = (kind: RecentKind | 'favorites', item: ItemRecord): RowDetails =>
  rowDetails.get(rowDetailsKey(kind, item)) ?? {}

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
const recordRowDetails = (kind: RecentKind | 'favorites', item: ItemRecord, what: RowDetails): void =>
  void rowDetails.set(rowDetailsKey(kind, item), what)

/** What is asked of a list of what was done of late: a part of names, the last days. */
export interface RecentOf {
  readonly keyword: string
  readonly days?: number | undefined
}
type RecentPage = RecentOf & { readonly from: number; readonly rows: number }

const recent: Readonly<Record<RecentKind, (page: RecentPage) => Promise<Listed>>> = {
  async history(page) {
    const { list, total } = await api.getRecentHistory(page, quiet)
    return {
      total,
      list: list.map(({ recentTime, recentAct, ...row }) => {
        recordRowDetails('history', row, { act: recentAct })
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
        recordRowDetails('submit', row, { version: submitVersion })
        return { ...row, modifyTime: submitTime }
      }),
    }
  },
  async change(page) {
    const { list, total } = await api.getRecentChange(page, quiet)
    return {
      total,
      list: list.map(({ changeFrom, changeCount, changeComment, changeRestored, isNew, ...row }) => {
        recordRowDetails('change', row, { change: { changeFrom, changeCount, changeComment, changeRestored, isNew } })
        return row
      }),
    }
  },
}

/** How many items each of the lists of what was done of late has. */
export async function countRecent(what: RecentOf): Promise<Readonly<Record<RecentKind, number>>> {
  const page = { from: 0, rows: 1, ...what }
  const [history, locked, submit, change] = await Promise.all([
    api.getRecentHistory(page, quiet),
    api.getRecentLocked(page, quiet),
    api.getRecentSubmit(page, quiet),
    api.getRecentChange(page, quiet),
  ])
  return { history: history.total, locked: locked.total, submit: submit.total, change: change.total }
}

export const orderedSource = {
  favorites: (keyword: string): RowSource =>
    source(async (page) => {
      const { list, total } = await api.getFavoriteList({ ...page, keyword }, quiet)
      return {
        total,
        list: list.map(({ favoriteTime, ...row }) => {
          recordRowDetails('favorites', row, { changed: row.modifyTime })
          return { ...row, modifyTime: favoriteTime }
        }),
      }
    }),
  tagged: (tagIds: readonly number[], keyword: string, by: TagSorting): RowSource =>
    source((page) => api.getTagItems({ ...page, ...by, keyword, tagIds: tagIds.join() }, quiet)),
  recent: (kind: RecentKind, what: RecentOf): RowSource => source((page) => recent[kind]({ ...page, ...what })),
}
