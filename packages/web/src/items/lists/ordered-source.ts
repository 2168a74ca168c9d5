// The sources of lists whose order only the server knows. On any change the list is read again. The time of a row is
// the sort key of its list: when it became a favourite, or when it was opened.
import type { Answer, calls, ItemRecord, RecentAct } from '@cloudoc/contract'
import { api, mainServer, type OnServer } from '../../core/call/api.ts'
import { fanOut, fanOutOptions } from '../../core/session/fan-out.ts'
import { keyOf } from '../item/item.ts'
import { type Before, type Listed, type MergedSource, mergedSource } from './merged-source.ts'

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

const quiet = { quiet: true } as const
/** A linked server has ten seconds ([R344]). */
const optionsAt = ({ serverId }: OnServer) => (serverId === mainServer.serverId ? quiet : fanOutOptions)

const recordRowDetails = (kind: Detailed, item: ItemRecord, what: RowDetails): void =>
  void rowDetails.set(rowDetailsKey(kind, item), what)

/** The parameters of a list of recent operations: a part of the name, and the number of days. */
export interface RecentOf {
  readonly keyword: string
  readonly days?: number | undefined
}
type RecentPage = RecentOf & { readonly from: number; readonly rows: number }

const recent: Readonly<Record<RecentKind, (on: OnServer, page: RecentPage) => Promise<Listed>>> = {
  async history(on, page) {
    const { list, total } = await api.of(on).getRecentHistory(page, optionsAt(on))
    return {
      total,
      list: list.map(({ recentTime, recentAct, ...row }) => {
        recordRowDetails('history', row, { act: recentAct })
        return { ...row, modifyTime: recentTime }
      }),
    }
  },
  async locked(on, page) {
    const { list, total } = await api.of(on).getRecentLocked(page, optionsAt(on))
    return { total, list: list.map(({ lockTime, ...row }) => ({ ...row, modifyTime: lockTime })) }
  },
  async submit(on, page) {
    const { list, total } = await api.of(on).getRecentSubmit(page, optionsAt(on))
    return {
      total,
      list: list.map(({ submitTime, submitVersion, ...row }) => {
        recordRowDetails('submit', row, { version: submitVersion })
        return { ...row, modifyTime: submitTime }
      }),
    }
  },
  async change(on, page) {
    const { list, total } = await api.of(on).getRecentChange(page, optionsAt(on))
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
  const { answers } = await fanOut(async (on) => {
    const there = api.of(on)
    return Promise.all([
      there.getRecentHistory(page, optionsAt(on)),
      there.getRecentLocked(page, optionsAt(on)),
      there.getRecentSubmit(page, optionsAt(on)),
      there.getRecentChange(page, optionsAt(on)),
    ])
  })
  const sum = (at: 0 | 1 | 2 | 3): number => answers.reduce((all, { answer }) => all + answer[at].total, 0)
  return { history: sum(0), locked: sum(1), submit: sum(2), change: sum(3) }
}

const isLater = (one: ItemRecord, other: ItemRecord): boolean => one.modifyTime > other.modifyTime

/** Items with a tag: folders first, then in the order that the user chose. */
const byTagSorting =
  ({ sort, order }: TagSorting): Before =>
  (one, other) => {
    if (one.fType !== other.fType) return one.fType === 2
    const [first, second] = order === 'asc' ? [one, other] : [other, one]
    if (sort === 'name') return first.nameSort < second.nameSort
    return sort === 'size' ? first.fileSize < second.fileSize : first.modifyTime < second.modifyTime
  }

/** The numbers of tags at a server: at a linked one they are those of the same names. Undefined if one is missing. */
async function tagsAt(on: OnServer, tagIds: readonly number[]): Promise<readonly number[] | undefined> {
  if (on.serverId === mainServer.serverId) return tagIds
  const [{ list: here }, { list: there }] = await Promise.all([
    api.getTagList({ rows: mostTags }, quiet),
    api.of(on).getTagList({ rows: mostTags }, fanOutOptions),
  ])
  const ids = tagIds.map((tagId) => {
    const name = here.find((tag) => tag.tagId === tagId)?.tagName
    return there.find(({ tagName }) => tagName === name)?.tagId
  })
  return ids.every((id) => id !== undefined) ? ids : undefined
}

const mostTags = 1000
const nothing: Listed = { list: [], total: 0 }

export const orderedSource = {
  // The time since which an item is followed is not in its row: those of the server of the page come first.
  follows: (interestType: 1 | 2, keyword: string): MergedSource =>
    mergedSource(
      async (on, page) => {
        const { list, total } = await api.of(on).getInterestList({ ...page, interestType, keyword }, optionsAt(on))
        return {
          total,
          list: list.map(({ followedUsers, followedGroups, ...row }) => {
            const followed = { followedUsers, followedGroups }
            recordRowDetails(interestType === 1 ? 'followChange' : 'followDownload', row, { followed })
            return row
          }),
        }
      },
      (one, other) => one.serverId < other.serverId,
    ),
  favorites: (keyword: string): MergedSource =>
    mergedSource(
      async (on, page) => {
        const { list, total } = await api.of(on).getFavoriteList({ ...page, keyword }, optionsAt(on))
        return {
          total,
          list: list.map(({ favoriteTime, ...row }) => {
            recordRowDetails('favorites', row, { changed: row.modifyTime })
            return { ...row, modifyTime: favoriteTime }
          }),
        }
      },
      // Folders first, the latest first within each kind.
      (one, other) => (one.fType === other.fType ? isLater(one, other) : one.fType === 2),
    ),
  tagged: (tagIds: readonly number[], keyword: string, by: TagSorting): MergedSource =>
    mergedSource(async (on, page) => {
      const ids = await tagsAt(on, tagIds)
      if (ids === undefined) return nothing
      return api.of(on).getTagItems({ ...page, ...by, keyword, tagIds: ids.join() }, optionsAt(on))
    }, byTagSorting(by)),
  recent: (kind: RecentKind, what: RecentOf): MergedSource =>
    mergedSource((on, page) => recent[kind](on, { ...page, ...what }), isLater),
}
