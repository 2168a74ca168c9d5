/*
 * The grid editor. It renders only the visible cells of a table of any size. Keyboard and input method events go to one
 * field above the active cell, so composed text appears in its final position.
 */

import { type Area, areaOf, type Entry, parseRef, refOf } from '@cloudoc/office/cells'
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { type Axis, axisOf, spanOf } from './axis.ts'
import { type Copied, cleared, copiedFrom, pasted, toHtml } from './clipboard.ts'
import { doubleClickFillArea, dragFillArea, filled, filledFromEdge } from './fill.ts'
import { cycleAbsolute, mayPoint, namedIn, type Pointed, pointedAt } from './formula-pointing.ts'
import { Cells, Heads } from './grid-cells.tsx'
import { Marks, type RemoteSelection } from './grid-marks.tsx'
import { cellEntries } from './grid-menu.ts'
import { cellSelection, type GridModel, mergeAt, nextWithin, type Selection, selected, stepped } from './grid-model.ts'
import { NameBox } from './name-box.tsx'
import { drawnSize, edgeOf, fittingWidth, type Resizing } from './resizing.ts'
import './grid.css'

const rowHeight = 24
const columnWidth = 88
const headHeight = 24
const sideWidth = 52

/** The interface of a grid to its editor. */
export interface GridHandle {
  readonly focus: () => void
  readonly go: (selection: Selection) => void
  readonly selection: () => Selection
  /** Commits the typed text to the table. */
  readonly commit: () => void
  /**
   * Another user has applied a structure operation: moves the selection and the active edit to where `placeOf` returns.
   * Returns the text of the active edit if its cell no longer exists.
   */
  readonly turned: (placeOf: PlaceOf, moved: (formula: string) => string) => string | undefined
}

type PlaceOf = (row: number, column: number) => { readonly row: number; readonly column: number } | undefined

interface GridProps {
  readonly model: GridModel
  readonly isEditable: boolean
  readonly zoom: number
  readonly label: string
  readonly handle: RefObject<GridHandle | null>
  readonly onSelect: (selection: Selection) => void
  /** Called when the user attempts something that is refused. */
  readonly onRefused: (why: string) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Whether it takes the keyboard focus on mount. */
  readonly takesKeys?: boolean
  /** A row or column was resized, in pixels at zoom 100; undefined for the default size. */
  readonly onSize?: ((axis: 'rows' | 'columns', index: number, size: number | undefined) => void) | undefined
  /** The filter of a column was requested; `field` is its button. */
  readonly onFilter?: ((column: number, field: HTMLElement) => void) | undefined
  /** Additional context menu entries. */
  readonly menu?: () => readonly MenuEntry[]
  /** Handles keys that the grid does not use; returns true if it used the key. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => boolean
  /** Renders the overlays above the cells. */
  readonly renderOver?: (room: CellGeometry) => ReactNode
  /** The cursors of the other users. */
  readonly others?: readonly RemoteSelection[]
}

/** The geometry of the overlays: pixels in the grid. */
export interface CellGeometry {
  readonly placeOf: (row: number, column: number) => { readonly top: number; readonly left: number }
  /** The size of the headers and frozen panes, which hide what is scrolled under them. */
  readonly covered: { readonly top: number; readonly left: number }
  readonly scale: number
}

interface Edit {
  readonly text: string
  readonly inBar: boolean
  /** The arrow keys move in the text instead of to the next cell. */
  readonly stays: boolean
  /** The reference that was last inserted into the formula by selecting cells. */
  readonly pointed?: Pointed | undefined
}

export function Grid({
  model,
  isEditable,
  zoom,
  label,
  handle,
  onSelect,
  onRefused,
  undo,
  redo,
  takesKeys = true,
  onSize,
  onFilter,
  menu,
  renderOver,
  onKeyDown: onOtherKey,
  others = [],
}: GridProps): ReactNode {
  const t = useT()
  // The context menu acts on the selection at the time it opens.
  const latest = useRef<{ readonly menu: typeof menu; readonly own: () => MenuEntry[] }>(undefined)
  const revision = useSyncExternalStore(model.subscribe, model.revision)
  const scroller = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const bar = useRef<HTMLInputElement>(null)
  const [place, setPlace] = useState({ top: 0, left: 0, width: 1200, height: 700 })
  const [selection, setSelection] = useState<Selection>(cellSelection(0, 0))
  /** The active cell, after Enter or Tab has moved it inside the selection. */
  const [inner, setInner] = useState<{ readonly row: number; readonly column: number }>()
  const [edit, setEdit] = useState<Edit>()
  const copied = useRef<Copied>(undefined)
  const drag = useRef<'cells' | 'rows' | 'columns' | 'pointing' | 'filling'>(undefined)
  /** The row that Tab moves along, its start column, and its current column. */
  const line = useRef<{ readonly row: number; readonly from: number; readonly at: number }>(undefined)
  const caret = useRef<number>(undefined)
  const isPlainPaste = useRef(false)
  /** Whether the last pointer press was on the fill handle; the grid then captures the pointer. */
  const isAtHandle = useRef(false)
  const [copiedArea, setCopiedArea] = useState<Area>()
  const [filling, setFilling] = useState<Area>()
  const sizing = useRef<Resizing>(undefined)
  const [sizeLine, setSizeLine] = useState<{ readonly axis: Resizing['axis']; readonly at: number }>()
  const scale = zoom / 100
  const extent = model.extent()
  const rowCount = Math.min(model.maxRows, Math.max(extent.rows + 100, 200, selection.toRow + 50))
  const columnCount = Math.min(model.maxColumns, Math.max(extent.columns + 8, 26, selection.toColumn + 8))
  const rows = useMemo(() => axisOf(rowCount, rowHeight, model.heights, scale), [rowCount, model, scale])
  const columns = useMemo(() => axisOf(columnCount, columnWidth, model.widths, scale), [columnCount, model, scale])
  const [head, side] = [headHeight * scale, sideWidth * scale]
  const area = selected(model, selection)
  const here = inner ?? selection
  const active = mergeAt(model, here.row, here.column) ?? {
    top: here.row,
    bottom: here.row,
    left: here.column,
    right: here.column,
  }

  useLayoutEffect(() => {
    const room = scroller.current
    if (room === null) return
    const look = (): void =>
      setPlace({ top: room.scrollTop, left: room.scrollLeft, width: room.clientWidth, height: room.clientHeight })
    look()
    room.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(room)
    return () => {
      room.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [])

  const frozenRows = model.frozen.rows
  const frozenColumns = model.frozen.columns
  const show = (row: number, column: number): void => {
    const room = scroller.current
    if (room === null) return
    const [above, before] = [head + rows.start(frozenRows), side + columns.start(frozenColumns)]
    if (row >= frozenRows) {
      const [from, to] = [rows.start(row) - rows.start(frozenRows), rows.start(row) + rows.size(row)]
      if (from < room.scrollTop) room.scrollTop = from
      else if (to + head > room.scrollTop + room.clientHeight)
        room.scrollTop = to + head - room.clientHeight + Math.min(0, above)
    }
    if (column >= frozenColumns) {
      const [from, to] = [
        columns.start(column) - columns.start(frozenColumns),
        columns.start(column) + columns.size(column),
      ]
      if (from < room.scrollLeft) room.scrollLeft = from
      else if (to + side > room.scrollLeft + room.clientWidth)
        room.scrollLeft = to + side - room.clientWidth + Math.min(0, before)
    }
  }
  const select = (next: Selection, isShown = true): void => {
    setSelection(next)
    setInner(undefined)
    onSelect(next)
    if (isShown) requestAnimationFrame(() => show(next.toRow, next.toColumn))
  }
  const focus = useCallback(() => field.current?.focus({ preventScroll: true }), [])

  const [isKeyed] = useState(takesKeys)
  useEffect(() => {
    if (isKeyed) focus()
  }, [focus, isKeyed])

  const begin = (text: string, how: Partial<Edit> = {}): boolean => {
    const why = isEditable ? model.whyFixed(here.row, here.column) : t('grid.readOnly')
    if (why !== undefined) {
      onRefused(why)
      return false
    }
    setCopiedArea(undefined)
    setEdit({ text, inBar: false, stays: false, ...how })
    return true
  }
  const put = (entries: readonly Entry[]): void => {
    if (!isEditable) return onRefused(t('grid.readOnly'))
    setCopiedArea(undefined)
    const why = model.type(entries)
    if (why !== undefined) onRefused(why)
  }
  const commit = (): void => {
    if (edit === undefined) return
    setEdit(undefined)
    put([{ row: here.row, column: here.column, text: edit.text }])
  }
  const cancel = (): void => {
    setEdit(undefined)
    focus()
  }
  /** Writes the typed text to all selected cells; a formula is shifted as if copied from the first cell. */
  const commitToAll = (): void => {
    if (edit === undefined) return
    setEdit(undefined)
    const entries: Entry[] = []
    for (let row = area.top; row <= area.bottom; row++) {
      for (let column = area.left; column <= area.right; column++) {
        entries.push({ row, column, text: model.relocated(edit.text, row - here.row, column - here.column) })
      }
    }
    put(entries)
  }
  const fill = (from: Area, to: Area, isCopied: boolean): void => {
    put(filled(model, from, to, { isCopied }))
    select({ row: to.top, column: to.left, toRow: to.bottom, toColumn: to.right }, false)
  }
  const fieldOf = (one: Edit): HTMLInputElement | HTMLTextAreaElement | null =>
    one.inBar ? bar.current : field.current
  /** Inserts a cell reference into the typed formula, if one is valid at the caret. */
  const point = (one: Edit, to: Selection): boolean => {
    const place = fieldOf(one)?.selectionStart ?? one.text.length
    const before = one.pointed !== undefined && one.pointed.to === place ? one.pointed : undefined
    if (before === undefined && !mayPoint(one.text, place)) return false
    const made = pointedAt(one.text, before ?? { from: place, to: fieldOf(one)?.selectionEnd ?? place }, to)
    caret.current = made.pointed.to
    setEdit({ ...one, ...made })
    requestAnimationFrame(() => show(to.toRow, to.toColumn))
    return true
  }
  useImperativeHandle(handle, () => ({
    focus,
    go: (next) => select(next),
    selection: () => selection,
    commit,
    turned(placeOf, moved) {
      const from = placeOf(selection.row, selection.column) ?? selection
      const to = placeOf(selection.toRow, selection.toColumn)
      const next =
        to === undefined ? cellSelection(from.row, from.column) : { ...from, toRow: to.row, toColumn: to.column }
      const typedInto = placeOf(here.row, here.column)
      setCopiedArea(undefined)
      copied.current = undefined
      select({ row: from.row, column: from.column, toRow: next.toRow, toColumn: next.toColumn }, false)
      if (inner !== undefined && typedInto !== undefined) setInner(typedInto)
      if (edit === undefined) return undefined
      if (typedInto !== undefined) setEdit({ ...edit, text: moved(edit.text), pointed: undefined })
      else setEdit(undefined)
      return typedInto === undefined ? edit.text : undefined
    },
  }))
  // Places the field over the cell during an edit; before an edit it waits there.
  useLayoutEffect(() => {
    const own = field.current
    if (own === null || edit === undefined || edit.inBar) return
    own.style.width = 'auto'
    own.style.height = 'auto'
    own.style.width = `${Math.max(spanOf(columns, active.left, active.right), own.scrollWidth + 4)}px`
    own.style.height = `${Math.max(spanOf(rows, active.top, active.bottom), own.scrollHeight + 4)}px`
  })

  useLayoutEffect(() => {
    if (caret.current === undefined || edit === undefined) return
    fieldOf(edit)?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  const move = (rowsBy: number, columnsBy: number, { extend = false, far = false } = {}): void => {
    const from = extend ? { row: selection.toRow, column: selection.toColumn } : here
    const to = stepped(model, from, rowsBy, columnsBy, far)
    select(extend ? { ...selection, toRow: to.row, toColumn: to.column } : cellSelection(to.row, to.column))
  }
  const clear = (): void => put(cleared(model, area))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing || event.key === 'Process') return
    const withControl = event.ctrlKey || event.metaKey
    const { key, shiftKey: extend } = event
    const arrow = arrows[key]
    let isDone = true
    if (edit !== undefined) {
      if (key === 'Escape') cancel()
      else if (key === 'Enter' && event.altKey && !edit.inBar) {
        const own = field.current
        own?.setRangeText('\n', own.selectionStart, own.selectionEnd, 'end')
        setEdit({ ...edit, text: own?.value ?? edit.text, stays: true })
      } else if (key === 'Enter' && withControl) commitToAll()
      else if (key === 'Enter' || key === 'Tab') {
        commit()
        focus()
        goOn(key, extend)
      } else if (key === 'F4') {
        const next = cycleAbsolute(edit.text, fieldOf(edit)?.selectionStart ?? edit.text.length)
        if (next !== undefined) {
          caret.current = next.caret
          setEdit({ ...edit, text: next.text, pointed: undefined })
        }
      } else if (arrow !== undefined && !edit.stays && !edit.inBar) {
        if (pointOn(edit, arrow, extend, withControl)) isDone = true
        else if (withControl) isDone = false
        else {
          commit()
          move(...arrow)
        }
      } else isDone = false
      if (isDone) {
        event.preventDefault()
        event.stopPropagation()
      }
      return
    }
    if (arrow !== undefined) move(...arrow, { extend, far: withControl })
    else if (key === 'Enter' || key === 'Tab') goOn(key, extend)
    else if ((key === 'PageDown' || key === 'PageUp') && !withControl) {
      const by = Math.max(1, Math.floor(place.height / (rowHeight * scale)) - 2)
      move(key === 'PageDown' ? by : -by, 0, { extend })
    } else if (key === 'Home') select(reach(withControl ? 0 : selection.toRow, 0, extend))
    else if (key === 'End') {
      const row = withControl ? Math.max(0, extent.rows - 1) : selection.toRow
      select(reach(row, Math.max(0, extent.columns - 1), extend))
    } else if (key === 'F2') begin(model.typed(here.row, here.column), { stays: true })
    else if (key === 'Delete' || key === 'Backspace') clear()
    else if (key === 'Escape' && copiedArea !== undefined) {
      setCopiedArea(undefined)
      copied.current = undefined
    } else if (key === ' ' && extend !== withControl) {
      select(extend ? rowsOf(area.top, area.bottom) : columnsOf(area.left, area.right), false)
    } else if (withControl && !extend && (key.toLowerCase() === 'd' || key.toLowerCase() === 'r')) {
      put(filledFromEdge(model, area, key.toLowerCase() === 'd' ? 'down' : 'right'))
    } else if (withControl && event.code === 'Semicolon') begin(nowAs(extend ? 'time' : 'day'), { stays: true })
    else if (withControl && key.toLowerCase() === 'a') {
      select(
        { row: 0, column: 0, toRow: Math.max(0, extent.rows - 1), toColumn: Math.max(0, extent.columns - 1) },
        false,
      )
    } else if (withControl && key.toLowerCase() === 'z') {
      if (extend) redo()
      else undo()
    } else if (withControl && key.toLowerCase() === 'y') redo()
    else {
      // The next paste inserts values only.
      isPlainPaste.current = withControl && extend && key.toLowerCase() === 'v'
      isDone = onOtherKey?.(event) === true
    }
    if (isDone) event.preventDefault()
  }
  /** Enter moves down, Tab moves right. Enter after Tab moves to the next row, in the column of the first Tab. */
  const goOn = (key: 'Enter' | 'Tab', isBack: boolean): void => {
    if (
      area.top !== active.top ||
      area.bottom !== active.bottom ||
      area.left !== active.left ||
      area.right !== active.right
    ) {
      const next = nextWithin(model, area, here, key, isBack)
      setInner(next)
      requestAnimationFrame(() => show(next.row, next.column))
      return
    }
    const before = line.current
    const isAlong = before !== undefined && before.row === selection.row && before.at === selection.column
    if (key === 'Enter') {
      if (isAlong && !isBack) return select(cellSelection(Math.min(model.maxRows - 1, selection.row + 1), before.from))
      return move(isBack ? -1 : 1, 0)
    }
    const to = stepped(model, selection, 0, isBack ? -1 : 1, false)
    select(cellSelection(to.row, to.column))
    line.current = { row: to.row, from: isAlong ? before.from : selection.column, at: to.column }
  }
  /** An arrow key inserts the next cell into a formula where a reference is valid. */
  const pointOn = (one: Edit, [down, across]: readonly [number, number], extend: boolean, far: boolean): boolean => {
    const last = one.pointed?.selection ?? cellSelection(here.row, here.column)
    const to = stepped(model, { row: last.toRow, column: last.toColumn }, down, across, far)
    return point(
      one,
      extend && one.pointed !== undefined
        ? { ...last, toRow: to.row, toColumn: to.column }
        : cellSelection(to.row, to.column),
    )
  }
  const rowsOf = (row: number, toRow: number): Selection => ({
    row,
    column: 0,
    toRow,
    toColumn: Math.max(0, extent.columns - 1),
  })
  const columnsOf = (column: number, toColumn: number): Selection => ({
    row: 0,
    column,
    toRow: Math.max(0, extent.rows - 1),
    toColumn,
  })
  const reach = (row: number, column: number, extend: boolean): Selection =>
    extend ? { ...selection, toRow: row, toColumn: column } : cellSelection(row, column)

  const onCopy = (event: ClipboardEvent, isCut = false): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const within = { ...area, bottom: Math.min(area.bottom, Math.max(area.top, extent.rows)) }
    copied.current = copiedFrom(model, area, isCut)
    event.clipboardData.setData('text/plain', copied.current.text)
    event.clipboardData.setData('text/html', toHtml(model, within))
    if (isCut) clear()
    else setCopiedArea(area)
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const { clipboardData } = event
    const text = clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    paste({ text, html: clipboardData.getData('text/html'), isPlain: isPlainPaste.current })
  }
  const paste = (clip: Parameters<typeof pasted>[2]): void => {
    if (clip.text === '') return
    const made = pasted(model, area, clip, copied.current)
    const stays = copiedArea
    put(made.entries)
    setCopiedArea(stays)
    select(made.selection, false)
  }

  useLayoutEffect(() => {
    const own = (): MenuEntry[] =>
      field.current === null ? [] : cellEntries({ field: field.current, isEditable, paste, clear })
    latest.current = { menu, own }
  })

  const cellAt = (event: MouseEvent): { row: number; column: number; where: 'cell' | 'head' | 'side' | 'corner' } => {
    const room = scroller.current
    const box = room?.getBoundingClientRect()
    const [x, y] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]
    const [inX, inY] = [x - side, y - head]
    const overFrozen = (inside: number, axis: Axis, frozen: number, scrolled: number): number =>
      axis.at(inside < axis.start(frozen) ? Math.max(0, inside) : inside + scrolled)
    const row = overFrozen(inY, rows, frozenRows, room?.scrollTop ?? 0)
    const column = overFrozen(inX, columns, frozenColumns, room?.scrollLeft ?? 0)
    const where = y < head ? (x < side ? 'corner' : 'head') : x < side ? 'side' : 'cell'
    return { row, column, where }
  }
  /** The row or column edge at the pointer that can be dragged. */
  const edgeAt = (event: MouseEvent): Resizing | undefined => {
    const { row, column, where } = cellAt(event)
    if (onSize === undefined || (where !== 'head' && where !== 'side')) return undefined
    const box = scroller.current?.getBoundingClientRect()
    return where === 'head'
      ? edgeOf('columns', columns, column, event.clientX, {
          start: (box?.left ?? 0) + side,
          scrolled: scroller.current?.scrollLeft ?? 0,
          frozen: frozenColumns,
        })
      : edgeOf('rows', rows, row, event.clientY, {
          start: (box?.top ?? 0) + head,
          scrolled: scroller.current?.scrollTop ?? 0,
          frozen: frozenRows,
        })
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || (event.target as Element).closest('textarea, button') !== null) return
    const room = event.currentTarget
    // Ignores the scroll bars.
    const box = room.getBoundingClientRect()
    if (event.clientX - box.left > room.clientWidth || event.clientY - box.top > room.clientHeight) return
    event.preventDefault()
    const under = cellAt(event)
    if (edit !== undefined && under.where === 'cell' && point(edit, cellSelection(under.row, under.column))) {
      drag.current = 'pointing'
      room.setPointerCapture(event.pointerId)
      return
    }
    commit()
    isAtHandle.current = (event.target as Element).closest('.gr-handle') !== null
    if (isAtHandle.current) {
      drag.current = 'filling'
      room.setPointerCapture(event.pointerId)
      return
    }
    const edge = edgeAt(event)
    if (edge !== undefined) {
      sizing.current = edge
      room.setPointerCapture(event.pointerId)
      return
    }
    const { row, column, where } = under
    const [lastRow, lastColumn] = [Math.max(0, extent.rows - 1), Math.max(0, extent.columns - 1)]
    if (where === 'corner') select({ row: 0, column: 0, toRow: lastRow, toColumn: lastColumn }, false)
    else if (where === 'head') select(columnsOf(event.shiftKey ? selection.column : column, column), false)
    else if (where === 'side') select(rowsOf(event.shiftKey ? selection.row : row, row), false)
    else {
      const around = mergeAt(model, row, column)
      if (event.shiftKey) select({ ...selection, toRow: row, toColumn: column }, false)
      else select(cellSelection(around?.top ?? row, around?.left ?? column), false)
    }
    if (where !== 'corner') {
      drag.current = where === 'head' ? 'columns' : where === 'side' ? 'rows' : 'cells'
      room.setPointerCapture(event.pointerId)
    }
    focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const sized = sizing.current
    if (sized !== undefined) {
      const axis = sized.axis === 'columns' ? columns : rows
      setSizeLine({ axis: sized.axis, at: axis.start(sized.index) + drawnSize(sized, event) })
      return
    }
    if (drag.current === undefined) {
      const edge = edgeAt(event)
      event.currentTarget.style.cursor = edge === undefined ? '' : edge.axis === 'columns' ? 'col-resize' : 'row-resize'
      return
    }
    const { row, column } = cellAt(event)
    if (drag.current === 'filling') {
      setFilling(dragFillArea(area, row, column))
      show(row, column)
    } else if (drag.current === 'pointing') {
      const from = edit?.pointed?.selection
      if (edit === undefined || from === undefined || (from.toRow === row && from.toColumn === column)) return
      point(edit, { ...from, toRow: row, toColumn: column })
    } else if (drag.current === 'columns') select(columnsOf(selection.column, column), false)
    else if (drag.current === 'rows') select(rowsOf(selection.row, row), false)
    else if (row !== selection.toRow || column !== selection.toColumn)
      select({ ...selection, toRow: row, toColumn: column })
  }
  const typed = edit?.text ?? model.typed(here.row, here.column)
  const name =
    area.top === active.top && area.left === active.left && area.bottom === active.bottom && area.right === active.right
      ? refOf(here.row, here.column)
      : `${refOf(area.top, area.left)}:${refOf(area.bottom, area.right)}`
  const goTo = (ref: string): void => {
    const [from = '', to = from] = ref.trim().split(':')
    const [a, b] = [parseRef(from), parseRef(to)]
    if (a && b && areaOf(ref.trim()) !== undefined)
      select({ row: a.row, column: a.column, toRow: b.row, toColumn: b.column })
    focus()
  }
  /** Frozen panes cover the content that is scrolled under them. */
  const covered = {
    top: place.top > 0 && frozenRows > 0 ? place.top + head + rows.start(frozenRows) : 0,
    left: place.left > 0 && frozenColumns > 0 ? place.left + side + columns.start(frozenColumns) : 0,
  }
  const boxOf = (one: Area): CSSProperties => {
    const [isRowFrozen, isColumnFrozen] = [one.bottom < frozenRows, one.right < frozenColumns]
    const top = head + rows.start(one.top) + (isRowFrozen ? place.top : 0)
    const left = side + columns.start(one.left) + (isColumnFrozen ? place.left : 0)
    const over = one.top < frozenRows ? 0 : Math.max(0, covered.top - top)
    const before = one.left < frozenColumns ? 0 : Math.max(0, covered.left - left)
    return {
      insetBlockStart: top,
      insetInlineStart: left,
      height: spanOf(rows, one.top, Math.min(one.bottom, rowCount - 1)) + 1,
      width: spanOf(columns, one.left, Math.min(one.right, columnCount - 1)) + 1,
      // The name labels of other users are above their cells.
      clipPath: over + before > 0 ? `inset(${over}px -200px -9px ${before === 0 ? -9 : before}px)` : undefined,
    }
  }

  return (
    <div className="gr">
      <div className="gr-bar">
        <NameBox key={name} name={name} label={t('grid.name')} go={goTo} />
        <span className="gr-fx" aria-hidden="true">
          fx
        </span>
        <input
          ref={bar}
          className="gr-formula"
          aria-label={t('grid.formula')}
          value={typed}
          readOnly={!isEditable}
          spellCheck={false}
          onFocus={() => {
            if (edit === undefined && isEditable && !begin(typed, { inBar: true, stays: true })) focus()
          }}
          onChange={(event) => setEdit({ text: event.target.value, inBar: true, stays: true })}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        className="gr-room"
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={extent.rows}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={(event) => {
          const what = drag.current
          drag.current = undefined
          if (what === 'filling') {
            setFilling(undefined)
            if (
              filling !== undefined &&
              (filling.bottom > area.bottom ||
                filling.right > area.right ||
                filling.top < area.top ||
                filling.left < area.left)
            )
              fill(area, filling, event.ctrlKey)
            focus()
          }
          const sized = sizing.current
          if (sized === undefined) return
          sizing.current = undefined
          setSizeLine(undefined)
          const size = Math.round(drawnSize(sized, event) / scale)
          if (Math.round(sized.size / scale) !== size) onSize?.(sized.axis, sized.index, size)
          focus()
        }}
        onContextMenu={(event) => {
          event.preventDefault()
          const { row, column, where } = cellAt(event)
          const isInside = row >= area.top && row <= area.bottom && column >= area.left && column <= area.right
          if (where === 'cell' && !isInside) flushSync(() => select(cellSelection(row, column), false))
          // Closing the menu restores the focus to the element that has it now.
          focus()
          const entries = [...(latest.current?.own() ?? []), ...(latest.current?.menu?.() ?? [])]
          void showMenu(entries, { x: event.clientX, y: event.clientY })
        }}
        onDoubleClick={(event) => {
          if (isAtHandle.current) {
            const to = doubleClickFillArea(model, area)
            if (to.bottom > area.bottom) fill(area, to, false)
            return
          }
          const edge = edgeAt(event)
          if (edge !== undefined) {
            // Fits a column to its text, or resets a row to the default height.
            const { fontFamily } = getComputedStyle(event.currentTarget)
            const size = edge.axis === 'columns' ? fittingWidth(model, edge.index, fontFamily) : undefined
            onSize?.(edge.axis, edge.index, size)
            return
          }
          const box = event.currentTarget.getBoundingClientRect()
          if (event.clientY - box.top > head && event.clientX - box.left > side && edit === undefined)
            begin(model.typed(here.row, here.column), { stays: true })
        }}
      >
        <div
          className="gr-all"
          style={{
            width: side + columns.start(columnCount),
            height: head + rows.start(rowCount),
            fontSize: 13 * scale,
          }}
        >
          <Heads rows={rows} columns={columns} place={place} area={area} head={head} side={side} model={model} />
          <Cells
            model={model}
            revision={revision}
            rows={rows}
            columns={columns}
            place={place}
            head={head}
            side={side}
            scale={scale}
            filterLabel={t('editor.sheet.filter')}
            onFilter={onFilter}
          />
          {renderOver?.({
            placeOf: (row, column) => ({
              top: head + rows.start(Math.min(row, rowCount)),
              left: side + columns.start(Math.min(column, columnCount)),
            }),
            covered,
            scale,
          })}
          <Marks
            model={model}
            boxOf={boxOf}
            others={others}
            copied={copiedArea}
            filling={filling}
            named={edit === undefined ? [] : namedIn(edit.text)}
          />
          {sizeLine !== undefined && (
            <span
              className="gr-size"
              style={
                sizeLine.axis === 'columns'
                  ? { insetInlineStart: side + sizeLine.at, insetBlock: 0, width: 1 }
                  : { insetBlockStart: head + sizeLine.at, insetInline: 0, height: 1 }
              }
            />
          )}
          <span className="gr-area" style={boxOf(area)} />
          <span className="gr-active" style={boxOf(active)} data-ref={refOf(here.row, here.column)} />
          {isEditable && edit === undefined && boxOf(area).clipPath === undefined && (
            <span className="gr-handle" style={handleAt(boxOf(area))} title={t('grid.fill')} />
          )}
          <textarea
            ref={field}
            className={edit === undefined || edit.inBar ? 'gr-field is-waiting' : 'gr-field'}
            aria-label={t('grid.cell', { ref: refOf(here.row, here.column), text: typed })}
            style={{ ...boxOf(active), fontSize: 13 * scale, lineHeight: `${20 * scale}px` }}
            rows={1}
            spellCheck={false}
            readOnly={!isEditable}
            value={edit !== undefined && !edit.inBar ? edit.text : ''}
            onChange={(event) => {
              const text = event.target.value
              if (edit !== undefined) setEdit({ ...edit, text, inBar: false, pointed: undefined })
              else begin(text)
            }}
            onKeyDown={onKeyDown}
            onCopy={(event) => onCopy(event)}
            onCut={(event) => onCopy(event, true)}
            onPaste={onPaste}
          />
        </div>
      </div>
    </div>
  )
}

/** The position of the fill handle at the corner of the selection. */
function handleAt({ insetBlockStart, insetInlineStart, height, width }: CSSProperties): CSSProperties {
  return {
    insetBlockStart: Number(insetBlockStart) + Number(height) - 4,
    insetInlineStart: Number(insetInlineStart) + Number(width) - 4,
  }
}

/** The current date or time as typed text. */
function nowAs(what: 'day' | 'time'): string {
  const now = new Date()
  return what === 'day'
    ? `${now.getFullYear()}/${now.getMonth() + 1}/${now.getDate()}`
    : `${now.getHours()}:${String(now.getMinutes()).padStart(2, '0')}`
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}
