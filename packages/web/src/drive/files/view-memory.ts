// What a folder looked like when it was left, for coming back; and the order that a person likes lists in.
import { useState } from 'react'
import { store, stored } from '../../core/storage.ts'
import type { Sorting, SortKey } from './folder-list.ts'
import type { Selection } from './selection.ts'

interface Visit {
  readonly selection?: Selection
  readonly scroll?: number
}

/** Folders visited on this page, by id. */
export const visits = new Map<number, Visit>()

const storageKey = 'drive.sorting'
const sortKeys: readonly SortKey[] = ['name', 'time', 'size', 'type']

function storedSorting(): Sorting {
  const [sort, order] = (stored(storageKey) ?? '').split(' ')
  const known = sortKeys.find((key) => key === sort)
  return known === undefined
    ? { sort: 'name', order: 'asc' }
    : { sort: known, order: order === 'desc' ? 'desc' : 'asc' }
}

/** The order of lists, kept for the next time. */
export function useSorting(): [Sorting, (sorting: Sorting) => void] {
  const [sorting, setSorting] = useState(storedSorting)
  return [
    sorting,
    (next) => {
      store(storageKey, `${next.sort} ${next.order}`)
      setSorting(next)
    },
  ]
}
