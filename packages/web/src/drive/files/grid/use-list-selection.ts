// The selection of a list. It follows every change of the rows, is restored when the user returns to the list, and
// starts with the items that the address names.
import { parseItemIdStr } from '@cloudoc/domain'
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ItemRef, keyOf } from '../../../items/item/item.ts'
import type { FolderList, ListState } from '../../../items/lists/folder-list.ts'
import { itemsToSelectStore } from '../../../items/lists/items-to-select.ts'
import {
  afterEdit,
  afterRemoval,
  nothingSelected,
  orderOf,
  type Selection,
  selectOnly,
} from '../../../items/lists/selection.ts'
import type { GridHandle, ListSource } from './list-source.ts'

interface Shown extends Pick<ListSource, 'visit' | 'onVisit' | 'focusIds'> {
  readonly list: FolderList
  readonly state: ListState
  readonly grid: RefObject<GridHandle | null>
}

/** The maximum number of items that are located in a list: each one may need a page request. */
const mostBrought = 200

/** Returns the selection of a list and its setter. */
export function useListSelection(shown: Shown): [Selection, Dispatch<SetStateAction<Selection>>] {
  const { list, state, visit, onVisit, focusIds = '', grid } = shown
  const [selection, setSelection] = useState<Selection>(() => visit?.selection ?? nothingSelected)

  // Removed rows are deselected. The focus moves to the row that took their position.
  const focusIndex = useRef(0)
  useEffect(() => {
    const index = selection.focus === undefined ? -1 : list.indexOf(selection.focus)
    if (index >= 0) focusIndex.current = index
  }, [list, selection.focus, state.items])
  useEffect(() => {
    if (state.status === 'ready') setSelection((before) => afterRemoval(before, orderOf(list), focusIndex.current))
  }, [list, state.status, state.items])
  // Selected rows that are not loaded are known by position in this sort order only.
  useEffect(() => {
    const leave = list.follow((edit) => setSelection((before) => afterEdit(before, edit, list)))
    return () => {
      leave()
      setSelection((before) => (before.spans.length === 0 ? before : selectOnly([...before.keys])))
    }
  }, [list])
  const keep = useEffectEvent((kept: Selection) => onVisit?.({ selection: kept }))
  useEffect(() => keep(selection), [selection])

  /** Locates items in the whole folder and selects those that exist. */
  const show = useEffectEvent(async (wanted: readonly ItemRef[], isOver: () => boolean): Promise<void> => {
    for (const item of wanted) await list.locate(item)
    const found = wanted.map(keyOf).filter((key) => list.get(key) !== undefined)
    const [first] = found
    if (isOver() || first === undefined) return
    setSelection(selectOnly(found))
    requestAnimationFrame(() => grid.current?.reveal(first))
  })

  // The address may name items to select.
  useEffect(() => {
    const wanted = focusIds.split(',').flatMap((text) => parseItemIdStr(text) ?? [])
    let gone = false
    if (wanted.length > 0) void show(wanted, () => gone)
    return () => {
      gone = true
    }
  }, [list, focusIds])

  // An undo may also name items to select.
  useEffect(() => {
    let last: unknown
    const leave = itemsToSelectStore.subscribe((now) => {
      last = now
      void list.settled().then(() => show(now.items.slice(0, mostBrought), () => last !== now))
    })
    return () => {
      last = undefined
      leave()
    }
  }, [list])

  return [selection, setSelection]
}
