// The rows of a list as a view shows them: the loaded rows, the selection, and the row that is being renamed.
import type { ItemRecord } from '@cloudoc/contract'
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ItemKey } from '../../../items/item/item.ts'
import type { ListState } from '../../../items/lists/folder-list.ts'
import { countOf, knownItems, type Selection } from '../../../items/lists/selection.ts'
import type { GridHandle, ListSource } from './list-source.ts'
import { useListSelection } from './use-list-selection.ts'

export interface ListRows {
  readonly state: ListState
  readonly selection: Selection
  readonly setSelection: Dispatch<SetStateAction<Selection>>
  /** The loaded items of the selection, in row order. */
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly editing: ItemKey | undefined
  readonly setEditing: (key: ItemKey | undefined) => void
  readonly grid: RefObject<GridHandle | null>
  /** The current time, by the minute, for relative times. */
  readonly now: number
}

export function useListRows(source: Pick<ListSource, 'rows' | 'visit' | 'onVisit' | 'focusIds'>): ListRows {
  const { rows } = source
  const grid = useRef<GridHandle>(null)
  const state = useSyncExternalStore(rows.subscribe, rows.snapshot)
  useEffect(() => void rows.refresh(), [rows])
  const [selection, setSelection] = useListSelection({ ...source, list: rows, state, grid })
  const [editing, setEditing] = useState<ItemKey>()
  const now = useMinute()
  // The loaded selected rows, in row order. Depends on `state.items` because rows change under the same keys.
  const chosen = useMemo(
    () => (state.items.length === 0 ? [] : knownItems(selection, rows)),
    [rows, state.items, selection],
  )
  return { state, selection, setSelection, chosen, count: countOf(selection), editing, setEditing, grid, now }
}

/** Returns the current minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
