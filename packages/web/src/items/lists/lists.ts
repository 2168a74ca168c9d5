/*
 * The registry of all lists of rows in the drive, and the routing of pushes to them. Lists stay cached for a while
 * after they leave the screen, so that going back shows the folder at once. A list that is not visible is dropped when
 * something in it changes.
 */
import type { ItemChange, ItemRecord, PushPayload, SearchQuery } from '@cloudoc/contract'
import { hasStatus, ItemStatusBit, isVirtualFolder, itemStatus, OperateType } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { fanOutOptions } from '../../core/session/fan-out.ts'
import { type FolderRef, type ItemRef, itemIdStr, keyOf } from '../item/item.ts'
import { itemRecord } from '../item/item-record.ts'
import { FolderList, type Page, type PageAt, type RowSource, type Sorting } from './folder-list.ts'
import { mergedSource } from './merged-source.ts'
import { allSubfoldersChanged, forgetSubfolders, subfoldersChanged } from './openable-folders.ts'
import { type OrderedKind, orderedSource, type RecentKind, type RecentOf, type TagSorting } from './ordered-source.ts'
import { type SearchInfo, SearchSource } from './search-source.ts'
import { type SharedKind, sharedSource } from './shared-source.ts'

interface CachedList {
  readonly serverId: number
  /** The folder, the recycle bin, the followed items, the shared items, a search, or another list of the user. */
  readonly folderId: number | 'bin' | 'follows' | 'shared' | 'search' | OrderedKind
  readonly list: FolderList
}

/** The number of names that are searched for the typed text. */
const searchRows = 200
/** The maximum number of cached lists. The tree has one for each expanded folder. */
const maxCachedLists = 200
const cachedLists = new Map<string, CachedList>()

/** The parameters of the list of a folder. */
export interface ListOf extends Sorting {
  /** Default: the main server. */
  readonly serverId?: number
  readonly folderId: number
  readonly keyword: string
  readonly foldersOnly: boolean
  /** Shows only files with one of these extensions. Undefined shows all files. */
  readonly exts?: readonly string[] | undefined
}

/** Returns the list of a folder in a sort order. Equal parameters return the same list. */
export function listOf(what: ListOf): FolderList {
  const { serverId = mainServer.serverId, folderId, sort, order, keyword, foldersOnly, exts } = what
  const key = JSON.stringify([serverId, folderId, sort, order, keyword, foldersOnly, exts])
  return getOrCreateList(key, folderId, () => new FolderList(sourceOf(what), what), serverId)
}

/** Returns the items that the user deleted, latest first: 1 today, 2 in 7 days, 3 in 30 days, 4 all of them (X26). */
export function binOf(timeRange: 1 | 2 | 3 | 4): FolderList {
  return getOrCreateList(
    `bin ${timeRange}`,
    'bin',
    () => new FolderList(binSource(timeRange), { sort: 'time', order: 'desc' }),
  )
}

/** Returns the items that the user follows, latest first: 1 changes, 2 downloads ([R239]). */
export function followsOf(interestType: 1 | 2, keyword: string): FolderList {
  const key = `follows ${interestType} ${keyword}`
  return getOrCreateList(key, 'follows', () => new FolderList(orderedSource.follows(interestType, keyword), byTime))
}

/**
 * Returns the items shared with the user, by all users or by one of them, or the items that the user shared, latest
 * first ([R213]).
 */
export function sharedOf(kind: SharedKind, keyword: string, userId?: number): FolderList {
  const key = `shared ${kind} ${userId ?? ''} ${keyword}`
  return getOrCreateList(key, 'shared', () => new FolderList(sharedSource(kind, keyword, userId), byTime))
}

const sources = new WeakMap<FolderList, SearchSource>()

/** Returns the results of a search in names and contents, in search order ([R241]). */
export function searchOf(query: SearchQuery): FolderList {
  return getOrCreateList(`search ${JSON.stringify(query)}`, 'search', () => {
    const source = new SearchSource(query)
    const list = new FolderList(source, { sort: 'time', order: 'desc' }, { asSeen: true })
    sources.set(list, source)
    return list
  })
}

/** Returns the metadata of a search after its first rows have arrived. */
export function searchInfo(list: FolderList): SearchInfo | undefined {
  return sources.get(list)?.info()
}

/** Returns the user's favourites, folders first, the latest first within each kind ([R238]). */
export function favoritesOf(keyword = ''): FolderList {
  return getOrCreateList(
    `favorites ${keyword}`,
    'favorites',
    () => new FolderList(orderedSource.favorites(keyword), byTime),
  )
}

/** Returns the items that have all of these tags, in a sort order ([R236]). */
export function taggedOf(tagIds: readonly number[], keyword: string, by: TagSorting): FolderList {
  const key = `tagged ${tagIds.join()} ${by.sort} ${by.order} ${keyword}`
  return getOrCreateList(key, 'tagged', () => new FolderList(orderedSource.tagged(tagIds, keyword, by), by))
}

/** Returns a list of the user's recent operations ([R249]). */
export function recentOf(kind: RecentKind, what: RecentOf): FolderList {
  const key = `recent ${kind} ${what.days ?? ''} ${what.keyword}`
  return getOrCreateList(key, 'recent', () => new FolderList(orderedSource.recent(kind, what), byTime))
}

const byTime = { sort: 'time', order: 'desc' } as const

function getOrCreateList(
  key: string,
  folderId: CachedList['folderId'],
  make: () => FolderList,
  serverId = mainServer.serverId,
): FolderList {
  const one = cachedLists.get(key) ?? { serverId, folderId, list: make() }
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

/** Returns the subfolders of a folder for the tree. */
export function subfoldersOf({ serverId, fId }: FolderRef): FolderList {
  return listOf({ serverId, folderId: fId, sort: 'name', order: 'asc', keyword: '', foldersOnly: true })
}

/**
 * The source of the recycle bin. The modification time and user of a row are those of the deletion. An item with a
 * later change has left the bin.
 */
function binSource(timeRange: 1 | 2 | 3 | 4): RowSource {
  return mergedSource(
    async (on, page) => {
      const options = on.serverId === mainServer.serverId ? { quiet: true } : fanOutOptions
      const { list, total } = await api.of(on).getRecycleList({ timeRange, ...page }, options)
      const items = list.map(({ deleteTime, deleterName, linkId = 0, ...row }) =>
        itemRecord({ ...row, ...on, linkId, modifyTime: deleteTime, lastOperatorName: deleterName }),
      )
      return { list: items, total }
    },
    (one, other) => one.modifyTime > other.modifyTime,
  )
}

function sourceOf(what: ListOf): RowSource {
  const { serverId = mainServer.serverId, folderId, sort, order, keyword, foldersOnly, exts = [] } = what
  const calls = api.of({ serverId })
  const query = { folderId, sort, order, keyword, foldersOnly, exts: exts.join(',') }
  const here = async (at: PageAt, rows: number): Promise<Page | undefined> => {
    const place = 'from' in at ? at : { around: itemIdStr(at.around) }
    try {
      const { from, list, total } = await calls.getSubItemList3({ ...query, rows, ...place }, { quiet: true })
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
      (await calls.getSubItemList3({ ...query, keyword: part, rows: searchRows }, { quiet: true })).list,
    async item(ref) {
      if (foldersOnly && ref.fType === 1) return undefined
      // Only the server decides whether a name matches.
      if (keyword !== '' || exts.length > 0)
        return (await here({ around: ref }, 1))?.list.find((item) => keyOf(item) === keyOf(ref))
      const item = await currentItem(ref)
      return item?.parentFolderId === folderId || isVirtualFolder(folderId) ? item : undefined
    },
  }
}

/** Returns the current item, or undefined if it is deleted or hidden from the caller. */
export async function currentItem(ref: ItemRef): Promise<ItemRecord | undefined> {
  const { fId, fType, linkId } = ref
  try {
    const item = linkId
      ? await api.of(ref).getShortcutInfo({ linkId })
      : fType === 1
        ? await api.of(ref).getFileInfo({ fileId: fId })
        : await api.of(ref).getFolderInfo({ folderId: fId })
    // Items in the recycle bin can still be requested but belong to no folder.
    return hasStatus(itemStatus(item.itemStatus), 'deleted') ? undefined : item
  } catch (error) {
    if (error instanceof CallError && error.code === 'notFound') return undefined
    throw error
  }
}

/**
 * Handles a new item in a folder: its row appears at once in visible lists, and is then fetched again like any other.
 */
export function itemMade(item: ItemRecord): void {
  const isHere = ({ serverId, folderId }: CachedList): boolean =>
    folderId === item.parentFolderId && serverId === item.serverId
  for (const one of cachedLists.values()) if (isHere(one)) one.list.take(item)
  itemsChanged([item], [item.parentFolderId])
}

/** Handles a rename: lists show the new name at once, at the old position until the item is fetched again. */
export function itemRenamed(item: ItemRef, fName: string): void {
  for (const { folderId, list } of cachedLists.values()) {
    const row = typeof folderId === 'number' ? list.snapshot().items[list.indexOf(keyOf(item))] : undefined
    if (row !== undefined) list.put({ ...row, fName })
  }
}

/** Handles changes of these items in these folders of their servers: their lists fetch the items again. */
export function itemsChanged(items: readonly ItemRef[], folderIds: readonly (number | undefined)[]): void {
  const folders: ReadonlySet<unknown> = new Set(folderIds)
  for (const [key, { serverId, folderId, list }] of cachedLists) {
    if (folderId === 'follows' || folderId === 'shared' || folderId === 'search') {
      if (items.some((item) => list.indexOf(keyOf(item)) >= 0)) ordered[folderId]()
      continue
    }
    if (folderId === 'favorites' || folderId === 'tagged' || folderId === 'recent') {
      // A change by another user may add an item that is not in the list yet.
      if (folderId === 'recent' || items.some((item) => list.indexOf(keyOf(item)) >= 0)) orderedChanged[folderId]()
      continue
    }
    for (const item of items) {
      const isHere = folders.has(folderId) && item.serverId === serverId
      if (!isHere && list.indexOf(keyOf(item)) < 0) continue
      if (list.watched) list.touch(item)
      else cachedLists.delete(key)
    }
    // The row of a link shows fields of its target, so it changes too.
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
/** The refresh functions of lists whose order only the server knows. */
const ordered = { follows: followsChanged, shared: sharedChanged, search: createBatcher(refetchSearch) }

/** Runs the visible search again. */
export async function refetchSearch(): Promise<void> {
  await refetchAll('search')
}

/** Refetches the visible lists of followed items. */
export async function refetchFollows(): Promise<void> {
  await refetchAll('follows')
}

const orderedChanged: Readonly<Record<OrderedKind, () => void>> = {
  favorites: createBatcher(() => refetchOrdered('favorites')),
  tagged: createBatcher(() => refetchOrdered('tagged')),
  recent: createBatcher(() => refetchOrdered('recent')),
}

/** Refetches the visible lists of one kind. */
export async function refetchOrdered(kind: OrderedKind): Promise<void> {
  await Promise.all([refetchAll(kind), queryClient.invalidateQueries({ queryKey: ['drive', kind] })])
}

/** Handles an added or removed favourite ([R238]): updates its rows and the favourites list. */
export function onFavoritesChanged(item: ItemRef): void {
  itemsChanged([item], [])
  orderedChanged.favorites()
}

/**
 * Handles a change of the exclusive editor of a file, or its release ([R316]). The rows update before anything is
 * fetched. While several people edit the file, the push says that somebody came or went, and the rows are fetched.
 */
export function onFileLock({ serverId, fileId, userId, userName }: PushPayload<'fileLock'>): void {
  const isLocked = userId > 0
  const lock = {
    ...{ editorId: userId, editorName: userName, editorNames: userName },
    editorList: isLocked ? [{ userId, name: userName }] : [],
  }
  const file = { serverId, fType: 1 as const, fId: fileId }
  for (const { list } of cachedLists.values()) {
    for (const ref of [file, ...list.linksTo(file)]) {
      if (!isLocked && hasStatus(itemStatus(list.get(keyOf(ref))?.itemStatus ?? 0), 'editMulti')) {
        list.touch(ref)
        continue
      }
      list.amend(ref, ({ itemStatus }) => ({
        ...lock,
        itemStatus: isLocked ? itemStatus | ItemStatusBit.editAlone : itemStatus & ~ItemStatusBit.editAlone,
      }))
    }
  }
}

/** Handles changed tags of an item: refreshes the visible lists by tag. */
export function onTaggedChanged(): void {
  orderedChanged.tagged()
}

/** Refetches the visible lists of shared items. */
export async function refetchShared(): Promise<void> {
  await refetchAll('shared')
}

/** Handles following or unfollowing an item ([R239]): updates its rows and their lists. */
export function onFollowsChanged(item: ItemRef): void {
  itemsChanged([item], [])
  followsChanged()
}

/** Refetches the visible recycle bin. */
export async function refetchBin(): Promise<void> {
  await refetchAll('bin')
}

async function refetchAll(of: CachedList['folderId']): Promise<void> {
  const bins = [...cachedLists].filter(([, { folderId }]) => folderId === of)
  const watched = bins.filter(([, { list }]) => list.watched)
  for (const one of bins) if (!watched.includes(one)) cachedLists.delete(one[0])
  await Promise.all(watched.map(([, { list }]) => list.refresh()))
}

/** Removes the rows of deleted items from all lists at once. */
export function itemsGone(items: readonly ItemRef[]): void {
  for (const { list } of cachedLists.values()) for (const item of items) list.remove(item)
}

/** Refetches everything visible, after a gap in the push channel or when the user presses F5. */
export function refreshDrive(): void {
  void fetchAgain()
}

const rightsChanged = createBatcher(fetchAgain)

/** Resolves when all of it has been fetched or has failed. */
function fetchAgain(): Promise<unknown> {
  allSubfoldersChanged()
  const asked: Promise<void>[] = []
  for (const [key, { list }] of cachedLists) {
    if (list.watched) asked.push(list.refresh())
    else cachedLists.delete(key)
  }
  return Promise.all([...asked, queryClient.invalidateQueries({ queryKey: ['drive'] })])
}

/** Retries failed requests after the server is reachable again. */
export function retryFailed(): void {
  for (const { list } of cachedLists.values())
    if (list.watched && list.snapshot().error !== undefined) void list.refresh()
  void queryClient.refetchQueries({ queryKey: ['drive'], predicate: ({ state }) => state.status === 'error' })
}

/** Clears all lists for the next account on this page. */
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

/** Handles a push of type 7 or 8 ([R314], [R315]): only views of the item or its parent folder refetch. */
export function onItemChange(change: ItemChange): void {
  if (change.operateType === OperateType.rights && change.fType === 2) {
    // A change of rights affects all visible items below the folder.
    rightsChanged()
    return
  }
  if (change.operateType === OperateType.rights) sharedChanged()
  itemsChanged([change], [change.parentFolderId, change.beforeParentFolderId])
  if (change.fType === 2) subfoldersChanged(change, [change.parentFolderId, change.beforeParentFolderId])
  if (binOperations.includes(change.operateType)) binChanged()
  spaceChanged()
}
