// The rows of a folder as they are listed: sorted, filtered, grouped, and in the gallery only pictures and videos.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { asFolder, keyOf } from '../../items/item/item.ts'
import { families } from '../../items/item/kind-text.ts'
import type { ListState, Sorting } from '../../items/lists/folder-list.ts'
import { listOf } from '../../items/lists/lists.ts'
import { useGroups } from './grid/groups.tsx'
import type { ListVisit } from './grid/list-source.ts'
import { useListRows } from './grid/use-list-rows.ts'
import type { ViewMode } from './grid/view-mode.ts'
import { visits } from './view-memory.ts'

interface FolderRowsOptions {
  readonly serverId: number
  readonly folderId: number
  /** Items to select and scroll to: item ids as text, separated by commas. */
  readonly focusIds: string
  readonly view: ViewMode
  readonly grouped: boolean
  readonly keyword: string
  readonly sorting: Sorting
}

export function useFolderRows({ serverId, folderId, focusIds, view, grouped, keyword, sorting }: FolderRowsOptions) {
  // The items in an address are shown whatever their kind, so the gallery is off.
  const isGallery = view === 'gallery' && focusIds === ''
  const what = { serverId, folderId, ...sorting, keyword }
  const list = useFolderList(what, isGallery)
  const visitKey = keyOf(asFolder({ serverId, fId: folderId }))
  const kept = {
    visit: visits.get(visitKey) ?? {},
    onVisit: (visit: ListVisit) => void visits.set(visitKey, { ...visits.get(visitKey), ...visit }),
  }
  const rows = useListRows({ rows: list, focusIds, ...kept })
  const { state, now } = rows
  const found = useFound(state, keyword)
  const groups = useGroups({
    isOn: grouped,
    apart: view !== 'list',
    isFiltered: isGallery,
    what,
    list,
    state,
    now,
  })
  const others = useOthers(isGallery, what, state)
  return { list, rows, kept, found, groups, others }
}

/** File types that the gallery shows in addition to folders. */
const galleryExts: readonly string[] = [...families.image, ...families.video]

/** Returns the number of files of a folder that the gallery leaves out. 0 if that is not known. */
function useOthers(
  isOn: boolean,
  what: Sorting & { serverId: number; folderId: number; keyword: string },
  shown: ListState,
): number {
  const { serverId, folderId, sort, order, keyword } = what
  const all = useMemo(
    () => listOf({ serverId, folderId, sort, order, keyword, foldersOnly: false }),
    [serverId, folderId, sort, order, keyword],
  )
  const { status, total } = useSyncExternalStore(all.subscribe, all.snapshot)
  useEffect(() => {
    if (isOn && status !== 'ready') void all.refresh()
  }, [isOn, status, all])
  return isOn && status === 'ready' && shown.status === 'ready' ? Math.max(0, total - shown.total) : 0
}

/** The list of the folder, sorted and filtered. */
function useFolderList(what: Sorting & { serverId: number; folderId: number; keyword: string }, isGallery: boolean) {
  const { serverId, folderId, sort, order, keyword } = what
  return useMemo(
    () =>
      listOf({
        serverId,
        folderId,
        sort,
        order,
        keyword,
        foldersOnly: false,
        exts: isGallery ? galleryExts : undefined,
      }),
    [serverId, folderId, sort, order, keyword, isGallery],
  )
}

/** The number of items that are listed, and of all when a filter is on. */
function useFound({ status, total }: ListState, keyword: string): { total: number; of: number | undefined } {
  const [whole, setWhole] = useState<number>()
  if (status === 'ready' && keyword === '' && whole !== total) setWhole(total)
  return { total, of: keyword === '' ? undefined : whole }
}
