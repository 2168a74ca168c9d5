// The view state of folders for returning to them, and the user's preferred sort order.
import { useMemo, useState } from 'react'
import { store, stored } from '../../core/storage/storage.ts'
import type { ItemKey } from '../../items/item/item.ts'
import type { Sorting, SortKey } from '../../items/lists/folder-list.ts'
import type { ListVisit } from './grid/list-source.ts'

/** The view states of folders visited on this page. */
export const visits = new Map<ItemKey, ListVisit>()

const storageKey = 'drive.sorting'
const groupedKey = 'drive.grouped'
const sortKeys: readonly SortKey[] = ['name', 'time', 'size', 'type']

function storedSorting(): Sorting | undefined {
  const [sort, order] = (stored(storageKey) ?? '').split(' ')
  const known = sortKeys.find((key) => key === sort)
  return known && { sort: known, order: order === 'desc' ? 'desc' : 'asc' }
}

/** Returns the sort order of a list: the user's choice, which is stored, otherwise the folder's own order ([R119]). */
export function useSorting(folder: Partial<Sorting> = {}): [Sorting, (sorting: Sorting) => void] {
  const [chosen, setSorting] = useState(storedSorting)
  const { sort = 'name', order = 'asc' } = chosen ?? folder
  const sorting = useMemo(() => ({ sort, order }), [sort, order])
  return [
    sorting,
    (next) => {
      store(storageKey, `${next.sort} ${next.order}`)
      setSorting(next)
    },
  ]
}

/** Whether rows are grouped by the sort key. */
export function useGrouped(): [boolean, (grouped: boolean) => void] {
  const [grouped, setGrouped] = useState(() => stored(groupedKey) === 'yes')
  return [
    grouped,
    (next) => {
      store(groupedKey, next ? 'yes' : 'no')
      setGrouped(next)
    },
  ]
}
