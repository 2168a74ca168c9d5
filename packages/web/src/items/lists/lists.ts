/*
 * Every list of rows that the drive holds, and how pushes reach them. Lists are kept a while after they left the screen,
 * so that going back shows the folder at once; one that nobody shows is dropped when something in it changes.
 */
import type { ItemChange, ItemRecord, PushPayload, SearchQuery } from '@cloudoc/contract'
import { hasStatus, ItemStatusBit, isVirtualFolder, itemStatus, OperateType } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { type ItemRef, itemIdStr, keyOf } from '../item/item.ts'
import { itemRecord } from '../item/item-record.ts'
import { FolderList, type Page, type PageAt, type RowSource, type Sorting } from './folder-list.ts'
import { allSubfoldersChanged, forgetSubfolders, subfoldersChanged } from './openable-folders.ts'
import { type OrderedKind, orderedSource, type RecentKind, type RecentOf, type TagSorting } from './ordered-source.ts'
import { type SearchInfo, SearchSource } from './search-source.ts'
import { type SharedKind, sharedSource } from './shared-source.ts'

interface CachedList {
  /** The folder that it is of, the bin, what the person follows, what is shared, what was found, or another list of theirs. */
  readonly folderId: number | 'bin' | 'follows' | 'shared' | 'search' | OrderedKind
  readonly list: FolderList
}

/** Names that are looked through for what was typed. */
const searchRows = 200
/** The lists held at most; trees have one for each open folder. */
const maxCachedLists = 200
const cachedLists = new Map<string, CachedList>()

/** What a list shows of a folder. */
export interface ListOf extends Sorting {
  readonly folderId: number
  readonly keyword: string
  readonly foldersOnly: boolean
  /** Of the files those with one of these extensions only; undefined shows all. */
  readonly exts?: readonly string[] | undefined
}

/** The list of a folder in an order; the same one each time it is asked for. */
export function listOf(what: ListOf): FolderList {
  const { folderId, sort, order, keyword, foldersOnly, exts } = what
  const key = JSON.stringify([folderId, sort, order, keyword, foldersOnly, exts])
  return getOrCreateList(key, folderId, () => new FolderList(sourceOf(what), what))
}

/** What the person deleted, latest first: 1 today, 2 in 7 days, 3 in 30 days, 4 all of it (X26). */
export function binOf(timeRange: 1 | 2 | 3 | 4): FolderList {
  return getOrCreateList(
    `bin ${timeRange}`,
    'bin',
    () => new FolderList(binSource(timeRange), { sort: 'time', order: 'desc' }),
  )
}

/** What the person follows, latest first: 1 changes, 2 downloads ([R239]). */
export function followsOf(interestType: 1 | 2, keyword: string): FolderList {
  const key = `follows ${interestType} ${keyword}`
  return getOrCreateList(key, 'follows', () => new FolderList(followSource(interestType, keyword), byTime))
}

/** What was shared with the person, by anybody or by one of them, or what they shared, latest first ([R213]). */
export function sharedOf(kind: SharedKind, keyword: string, userId?: number): FolderList {
  const key = `shared ${kind} ${userId ?? ''} ${keyword}`
  return getOrCreateList(key, 'shared', () => new FolderList(sharedSource(kind, keyword, userId), byTime))
}

const sources = new WeakMap<FolderList, SearchSource>()

/** What a search finds in names and contents, in its order ([R241]). */
export function searchOf(query: SearchQuery): FolderList {
  return getOrCreateList(`search ${JSON.stringify(query)}`, 'search', () => {
    const source = new SearchSource(query)
    const list = new FolderList(source, { sort: 'time', order: 'desc' }, { asSeen: true })
    sources.set(list, source)
    return list
  })
}

/** What is known of a search beside its rows, once these have come. */
export function searchInfo(list: FolderList): SearchInfo | undefined {
  return sources.get(list)?.info()
}

/** What the person wants at hand, folders first, of each the latest ([R238]). */
export function favoritesOf(keyword = ''): FolderList {
  return getOrCreateList(
    `favorites ${keyword}`,
    'favorites',
    () => new FolderList(orderedSource.favorites(keyword), byTime),
  )
}

/** What bears all of these tags, in an order ([R236]). */
export function taggedOf(tagIds: readonly number[], keyword: string, by: TagSorting): FolderList {
  const key = `tagged ${tagIds.join()} ${by.sort} ${by.order} ${keyword}`
  return getOrCreateList(key, 'tagged', () => new FolderList(orderedSource.tagged(tagIds, keyword, by), by))
}

/** What the person did of late ([R249]). */
export function recentOf(kind: RecentKind, what: RecentOf): FolderList {
  const key = `recent ${kind} ${what.days ?? ''} ${what.keyword}`
  return getOrCreateList(key, 'recent', () => new FolderList(orderedSource.recent(kind, what), byTime))
}

const byTime = { sort: 'time', order: 'desc' } as const

function getOrCreateList(key: string, folderId: CachedList['folderId'], make: () => FolderList): FolderList {
  const one = cachedLists.get(key) ?? { folderId, list: make() }
  cachedLists.delete(key)
  cachedLists.set(key, one)
  if (cachedLists.size > maxCachedLists) {
    for (const [oldest, { list }] of cachedLists) {
      if (cachedLists.size <= maxCachedLists) break
      if (!list.watched && oldest !== key) cachedLists.delete(oldest)
    }
  }
  return one.list
}

/** The folders in a folder, as the tree shows them. */
export function subfoldersOf(folderId: number): FolderList {
  return listOf({ folderId, sort: 'name', order: 'asc', keyword: '', foldersOnly: true })
}

/** Rows of the bin: what last changed them is that they were deleted. One that is told of again has left. */
function binSource(timeRange: 1 | 2 | 3 | 4): RowSource {
  return {
    async page(at, rows) {
      if (!('from' in at)) return undefined
      const { list, total } = await api.getRecycleList({ timeRange, from: at.from, rows }, { quiet: true })
      const items = list.map(({ deleteTime, deleterName, linkId = 0, ...row }) =>
        itemRecord({ ...row, linkId, modifyTime: deleteTime, lastOperatorName: deleterName }),
      )
      return { from: at.from, list: items, total }
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}

/** Rows in the order in which they were followed, which only the server knows: what changes is read again. */
function followSource(interestType: 1 | 2, keyword: string): RowSource {
  return {
    async page(at, rows) {
      if (!('from' in at)) return undefined
      const { list, total } = await api.getInterestList({ interestType, keyword, from: at.from, rows }, { quiet: true })
      return { from: at.from, list, total }
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}

function sourceOf({ folderId, sort, order, keyword, foldersOnly, exts = [] }: ListOf): RowSource {
  const query = { folderId, sort, order, keyword, foldersOnly, exts: exts.join(',') }
  const here = async (at: PageAt, rows: number): Promise<Page | undefined> => {
    const place = 'from' in at ? at : { around: itemIdStr(at.around) }
    try {
      const { from, list, total } = await api.getSubItemList3({ ...query, rows, ...place }, { quiet: true })
      return { from: from ?? 0, list, total }
    } catch (error) {
      if ('around' in at && error instanceof CallError && error.code === 'notFound') return undefined
      throw error
    }
  }
  return {
    page: here,
    holds: ({ fType }) => keyword === '' && exts.length === 0 && (fType === 2 || !foldersOnly),
    search: async (part) =>
      (await api.getSubItemList3({ ...query, keyword: part, rows: searchRows }, { quiet: true })).list,
    async item(ref) {
      if (foldersOnly && ref.fType === 1) return undefined
      // Whether a name matches is the server's to say.
      if (keyword !== '' || exts.length > 0)
        return (await here({ around: ref }, 1))?.list.find((item) => keyOf(item) === keyOf(ref))
      const item = await currentItem(ref)
      return item?.parentFolderId === folderId || isVirtualFolder(folderId) ? item : undefined
    },
  }
}

/** The item as it is now, or undefined when it is gone or hidden from the caller. */
export async function currentItem({ fId, fType, linkId }: ItemRef): Promise<ItemRecord | undefined> {
  try {
    const item = linkId
      ? await api.getShortcutInfo({ linkId })
      : fType === 1
        ? await api.getFileInfo({ fileId: fId })
        : await api.getFolderInfo({ folderId: fId })
    // What lies in the bin can still be asked for, but is in no folder.
    return hasStatus(itemStatus(item.itemStatus), 'deleted') ? undefined : item
  } catch (error) {
    if (error instanceof CallError && error.code === 'notFound') return undefined
    throw error
  }
}

/** Something was made in a folder: its row stands at once where that is shown, and is fetched again like any other. */
export function itemMade(item: ItemRecord): void {
  for (const { folderId, list } of cachedLists.values()) if (folderId === item.parentFolderId) list.take(item)
  itemsChanged([item], [item.parentFolderId])
}

/** An item has another name: it stands in folders at once, in its old place until it has been fetched. */
export function itemRenamed(item: ItemRef, fName: string): void {
  for (const { folderId, list } of cachedLists.values()) {
    const row = typeof folderId === 'number' ? list.snapshot().items[list.indexOf(keyOf(item))] : undefined
    if (row !== undefined) list.put({ ...row, fName })
  }
}

/** Something happened to these items, in these folders: their lists fetch them again. */
export function itemsChanged(items: readonly ItemRef[], folderIds: readonly (number | undefined)[]): void {
  const folders: ReadonlySet<unknown> = new Set(folderIds)
  for (const [key, { folderId, list }] of cachedLists) {
    if (folderId === 'follows' || folderId === 'shared' || folderId === 'search') {
      if (items.some((item) => list.indexOf(keyOf(item)) >= 0)) ordered[folderId]()
      continue
    }
    if (folderId === 'favorites' || folderId === 'tagged' || folderId === 'recent') {
      // Of what others change one did not know that it would be in the list.
      if (folderId === 'recent' || items.some((item) => list.indexOf(keyOf(item)) >= 0)) orderedChanged[folderId]()
      continue
    }
    for (const item of items) {
      if (!folders.has(folderId) && list.indexOf(keyOf(item)) < 0) continue
      if (list.watched) list.touch(item)
      else cachedLists.delete(key)
    }
    // What a link shows of its item has changed with it.
    for (const link of items.flatMap((item) => list.linksTo(item))) {
      if (list.watched) list.touch(link)
      else cachedLists.delete(key)
    }
  }
  if (items.some((item) => item.fType === 2)) foldersChanged()
}

const changed = (what: string): (() => void) =>
  createBatcher(() => queryClient.invalidateQueries({ queryKey: ['drive', what] }))
const foldersChanged = changed('folder')
const binChanged = createBatcher(refetchBin)
const spaceChanged = changed('space')
const followsChanged = createBatcher(refetchFollows)
const sharedChanged = createBatcher(refetchShared)
/** Lists in orders that only the server knows. */
const ordered = { follows: followsChanged, shared: sharedChanged, search: createBatcher(refetchSearch) }

/** Searches again. */
export async function refetchSearch(): Promise<void> {
  await refetchAll('search')
}

/** Fetches again what is shown of what the person follows. */
export async function refetchFollows(): Promise<void> {
  await refetchAll('follows')
}

const orderedChanged: Readonly<Record<OrderedKind, () => void>> = {
  favorites: createBatcher(() => refetchOrdered('favorites')),
  tagged: createBatcher(() => refetchOrdered('tagged')),
  recent: createBatcher(() => refetchOrdered('recent')),
}

/** Fetches again what is shown of one of the person's lists. */
export async function refetchOrdered(kind: OrderedKind): Promise<void> {
  await Promise.all([refetchAll(kind), queryClient.invalidateQueries({ queryKey: ['drive', kind] })])
}

/** A star was given or taken back ([R238]): rows and their list say so. */
export function onFavoritesChanged(item: ItemRef): void {
  itemsChanged([item], [])
  orderedChanged.favorites()
}

/** Who edits a file alone is another one now, or nobody ([R316]): its rows say so before anything is fetched. */
export function onFileLock({ fileId, userId, userName }: PushPayload<'fileLock'>): void {
  const isLocked = userId > 0
  const lock = {
    ...{ editorId: userId, editorName: userName, editorNames: userName },
    editorList: isLocked ? [{ userId, name: userName }] : [],
  }
  const file = { fType: 1 as const, fId: fileId }
  for (const { list } of cachedLists.values()) {
    for (const ref of [file, ...list.linksTo(file)]) {
      list.amend(ref, ({ itemStatus }) => ({
        ...lock,
        itemStatus: isLocked ? itemStatus | ItemStatusBit.editAlone : itemStatus & ~ItemStatusBit.editAlone,
      }))
    }
  }
}

/** Something bears other tags, which is seen where the list is of tags. */
export function onTaggedChanged(): void {
  orderedChanged.tagged()
}

/** Fetches again what is shown of what is shared. */
export async function refetchShared(): Promise<void> {
  await refetchAll('shared')
}

/** The person follows an item, or does not any more ([R239]): its rows and their lists say so. */
export function onFollowsChanged(item: ItemRef): void {
  itemsChanged([item], [])
  followsChanged()
}

/** Fetches again what is shown of the bin. */
export async function refetchBin(): Promise<void> {
  await refetchAll('bin')
}

async function refetchAll(of: CachedList['folderId']): Promise<void> {
  const bins = [...cachedLists].filter(([, { folderId }]) => folderId === of)
  const watched = bins.filter(([, { list }]) => list.watched)
  for (const one of bins) if (!watched.includes(one)) cachedLists.delete(one[0])
  await Promise.all(watched.map(([, { list }]) => list.refresh()))
}

/** Items are gone from wherever they were shown; their rows leave at once. */
export function itemsGone(items: readonly ItemRef[]): void {
  for (const { list } of cachedLists.values()) for (const item of items) list.remove(item)
}

/** Fetches everything shown again: the push channel has a gap, or a person pressed F5. */
export function refreshDrive(): void {
  void fetchAgain()
}

const rightsChanged = createBatcher(fetchAgain)

/** Ends when all of it has come, or failed. */
function fetchAgain(): Promise<unknown> {
  allSubfoldersChanged()
  const asked: Promise<void>[] = []
  for (const [key, { list }] of cachedLists) {
    if (list.watched) asked.push(list.refresh())
    else cachedLists.delete(key)
  }
  return Promise.all([...asked, queryClient.invalidateQueries({ queryKey: ['drive'] })])
}

/** The server is there again: what could not be fetched meanwhile is. */
export function retryFailed(): void {
  for (const { list } of cachedLists.values())
    if (list.watched && list.snapshot().error !== undefined) void list.refresh()
  void queryClient.refetchQueries({ queryKey: ['drive'], predicate: ({ state }) => state.status === 'error' })
}

/** Lets go of everything, for the next account on this page. */
export function forgetDrive(): void {
  cachedLists.clear()
  forgetSubfolders()
  queryClient.removeQueries({ queryKey: ['drive'] })
}

const binOperations: readonly number[] = [
  OperateType.delete,
  OperateType.restore,
  OperateType.deleteSubFile,
  OperateType.deleteSubFolder,
]

/** A push of type 7 or 8 ([R314], [R315]): only what shows the item, or the folder it is in, is fetched again. */
export function onItemChange(change: ItemChange): void {
  if (change.operateType === OperateType.rights && change.fType === 2) {
    // Rights reach everything below the folder, whichever part of it is on the screen.
    rightsChanged()
    return
  }
  if (change.operateType === OperateType.rights) sharedChanged()
  itemsChanged([change], [change.parentFolderId, change.beforeParentFolderId])
  if (change.fType === 2) subfoldersChanged([change.parentFolderId, change.beforeParentFolderId])
  if (binOperations.includes(change.operateType)) binChanged()
  spaceChanged()
}
