// The sources of lists whose order only the server knows. On any change the list is read again. The time of a row is
// the sort key of its list: when it became a favourite, or when it was opened.
import type { Answer, calls, ItemRecord, RecentAct } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

export type OrderedKind = 'favorites' | 'tagged' | 'recent'
/** The sort order of the items with a tag. */
export interface TagSorting {
  readonly sort: 'time' | 'name' | 'size'
  readonly order: 'asc' | 'desc'
}
export type RecentKind = 'history' | 'locked' | 'submit' | 'change'

/** The changes that other users made to a file. */
export type Change = Pick<Answer<typeof calls.getRecentChange>['list'][number], ChangeField>
type ChangeField = 'changeFrom' | 'changeCount' | 'changeComment' | 'changeRestored' | 'isNew'

/** Whose actions on an item the user follows: those of everybody if both lists are empty. */
export type Followed = Pick<Answer<typeof calls.getInterestList>['list'][number], 'followedUsers' | 'followedGroups'>

/** The lists that have additional data about their items. */
type Detailed = RecentKind | 'favorites' | 'followChange' | 'followDownload'

interface RowDetails {
  readonly act?: RecentAct
  readonly version?: number
  readonly change?: Change
  readonly followed?: Followed
  /** The modification time, if the time of the row has another meaning. */
  readonly changed?: number
}
/** Additional data that a list has about its items. */
const rowDetails = new Map<string, RowDetails>()
const rowDetailsKey = (kind: Detailed, item: Pick<ItemRecord, 'serverId' | 'fId' | 'fType'>): string =>
  `${kind} ${keyOf(item)}`

/** Returns the last operation on an item, the submitted version and the modification time. */
export const rowDetailsOf = (kind: Detailed, item: ItemRecord): RowDetails =>
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
const recordRowDetails = (kind: Detailed, item: ItemRecord, what: RowDetails): void =>
  void rowDetails.set(rowDetailsKey(kind, item), what)

/** The parameters of a list of recent operations: a part of the name, and the number of days. */
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

/** Returns the number of items in each of the lists of recent operations. */
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
  follows: (interestType: 1 | 2, keyword: string): RowSource =>
    source(async (page) => {
      const { list, total } = await api.getInterestList({ ...page, interestType, keyword }, quiet)
      return {
        total,
        list: list.map(({ followedUsers, followedGroups, ...row }) => {
          const followed = { followedUsers, followedGroups }
          recordRowDetails(interestType === 1 ? 'followChange' : 'followDownload', row, { followed })
          return row
        }),
      }
    }),
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
