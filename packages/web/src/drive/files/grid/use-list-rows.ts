// The rows of a list as a view shows them: what is loaded of them, what is selected, which one is being named.
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
  /** What is selected as far as it is loaded, in the order of the rows. */
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly editing: ItemKey | undefined
  readonly setEditing: (key: ItemKey | undefined) => void
  readonly grid: RefObject<GridHandle | null>
  /** The minute that times are told at. */
  readonly now: number
}

/** Shows the rows of a list. */
export function useListRows(source: Pick<ListSource, 'rows' | 'visit' | 'onVisit' | 'focusIds'>): ListRows {
  const { rows } = source
  const grid = useRef<GridHandle>(null)
  const state = useSyncExternalStore(rows.subscribe, rows.snapshot)
  useEffect(() => void rows.refresh(), [rows])
  const [selection, setSelection] = useListSelection({ ...source, list: rows, state, grid })
  const [editing, setEditing] = useState<ItemKey>()
  const now = useMinute()
  // In the order of the rows as far as they are loaded; `state.items` because rows change under the same keys.
  const chosen = useMemo(
    () => (state.items.length === 0 ? [] : knownItems(selection, rows)),
    [rows, state.items, selection],
  )
  return { state, selection, setSelection, chosen, count: countOf(selection), editing, setEditing, grid, now }
}

/** The present minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
