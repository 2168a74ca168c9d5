/*
 * The grid of an editor: of a table of any size the cells in sight. Keys and an input method reach one field, which waits
 * over the cell that is typed into, so that what is composed stands where it will be.
 */

import type { CellStyle } from '@cloudoc/domain/office'
import { areaOf, columnName, placeOf, refOf } from '@cloudoc/office/cells'
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
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
import { useT } from '../../../core/i18n/i18n.ts'
import { type Axis, axisOf } from './axis.ts'
import { at, fromTabs, type GridModel, mergeAt, type Selection, selected, stepped, toTabs } from './grid-model.ts'
import './grid.css'

const rowHeight = 24
const columnWidth = 88
const headHeight = 24
const sideWidth = 52
const overscan = 6

/** What the editor around it can do with a grid. */
export interface GridHandle {
  readonly focus: () => void
  readonly go: (selection: Selection) => void
  readonly selection: () => Selection
  /** Takes what is typed into the table. */
  readonly commit: () => void
}

interface GridProps {
  readonly model: GridModel
  readonly isEditable: boolean
  readonly zoom: number
  readonly label: string
  readonly handle: RefObject<GridHandle | null>
  readonly onSelect: (selection: Selection) => void
  /** Somebody tried what cannot be. */
  readonly onRefused: (why: string) => void
  readonly undo: () => void
  readonly redo: () => void
  /** What stands above it. */
  readonly above?: ReactNode
  /** A row or column is drawn to another size, in pixels of a zoom of 100. */
  readonly onSize?: ((axis: 'rows' | 'columns', index: number, size: number) => void) | undefined
  /** Its menu; `field` is where keys and the clipboard go. */
  readonly onMenu?: (event: MouseEvent<HTMLElement>, field: HTMLTextAreaElement) => void
  /** Keys that the grid has nothing for; true where they were taken. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => boolean
  /** Who else is in it, and where. */
  readonly others?: readonly OtherPlace[]
}

/** Where somebody else is. */
export interface OtherPlace {
  readonly client: number
  readonly name: string
  readonly color: string
  readonly selection: Selection
}

/** A row or column whose edge is drawn. */
interface Sizing {
  readonly axis: 'rows' | 'columns'
  readonly index: number
  /** Where the pointer was, and how large it was then. */
  readonly from: number
  readonly size: number
}

interface Edit {
  readonly text: string
  readonly inBar: boolean
  /** The arrows move within the text rather than on to the next cell. */
  readonly stays: boolean
}

/** The grid. */
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
  above,
  onSize,
  onMenu,
  onKeyDown: onOtherKey,
  others = [],
}: GridProps): ReactNode {
  const t = useT()
  const revision = useSyncExternalStore(model.subscribe, model.revision)
  const scroller = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const bar = useRef<HTMLInputElement>(null)
  const [place, setPlace] = useState({ top: 0, left: 0, width: 1200, height: 700 })
  const [selection, setSelection] = useState<Selection>(at(0, 0))
  const [edit, setEdit] = useState<Edit>()
  const copied = useRef<{ text: string; typed: string[][]; row: number; column: number }>(undefined)
  const drag = useRef(false)
  const sizing = useRef<Sizing>(undefined)
  const [sizeLine, setSizeLine] = useState<{ readonly axis: Sizing['axis']; readonly at: number }>()
  const scale = zoom / 100
  const extent = model.extent()
  const rowCount = Math.min(model.mostRows, Math.max(extent.rows + 100, 200, selection.toRow + 50))
  const columnCount = Math.min(model.mostColumns, Math.max(extent.columns + 8, 26, selection.toColumn + 8))
  const rows = useMemo(() => axisOf(rowCount, rowHeight, model.heights, scale), [rowCount, model, scale])
  const columns = useMemo(() => axisOf(columnCount, columnWidth, model.widths, scale), [columnCount, model, scale])
  const [head, side] = [headHeight * scale, sideWidth * scale]
  const area = selected(model, selection)
  const active = mergeAt(model, selection.row, selection.column) ?? {
    top: selection.row,
    bottom: selection.row,
    left: selection.column,
    right: selection.column,
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
    onSelect(next)
    if (isShown) requestAnimationFrame(() => show(next.toRow, next.toColumn))
  }
  const focus = useCallback(() => field.current?.focus({ preventScroll: true }), [])

  useEffect(focus, [focus])

  const begin = (text: string, how: Partial<Edit> = {}): boolean => {
    const why = isEditable ? model.whyFixed(selection.row, selection.column) : t('grid.readOnly')
    if (why !== undefined) {
      onRefused(why)
      return false
    }
    setEdit({ text, inBar: false, stays: false, ...how })
    return true
  }
  const put = (entries: Parameters<GridModel['type']>[0]): void => {
    if (!isEditable) return onRefused(t('grid.readOnly'))
    const why = model.type(entries)
    if (why !== undefined) onRefused(why)
  }
  const commit = (): void => {
    if (edit === undefined) return
    setEdit(undefined)
    put([{ row: selection.row, column: selection.column, text: edit.text }])
  }
  const cancel = (): void => {
    setEdit(undefined)
    focus()
  }
  useImperativeHandle(handle, () => ({
    focus,
    go: (next) => select(next),
    selection: () => selection,
    commit,
  }))
  // The field is laid over the cell when something is typed, and waits there before.
  useLayoutEffect(() => {
    const own = field.current
    if (own === null || edit === undefined || edit.inBar) return
    own.style.width = 'auto'
    own.style.height = 'auto'
    own.style.width = `${Math.max(spanOf(columns, active.left, active.right), own.scrollWidth + 4)}px`
    own.style.height = `${Math.max(spanOf(rows, active.top, active.bottom), own.scrollHeight + 4)}px`
  })

  const move = (rowsBy: number, columnsBy: number, { extend = false, far = false } = {}): void => {
    const from = extend ? { row: selection.toRow, column: selection.toColumn } : selection
    const to = stepped(model, from, rowsBy, columnsBy, far)
    select(extend ? { ...selection, toRow: to.row, toColumn: to.column } : at(to.row, to.column))
  }
  const clear = (): void => {
    const entries = []
    const { rows: lastRow, columns: lastColumn } = extent
    for (let row = area.top; row <= Math.min(area.bottom, lastRow); row++) {
      for (let column = area.left; column <= Math.min(area.right, lastColumn); column++) {
        if (model.typed(row, column) !== '') entries.push({ row, column, text: '' })
      }
    }
    put(entries)
  }
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
      } else if (key === 'Enter' || key === 'Tab') {
        commit()
        focus()
        if (key === 'Enter') move(extend ? -1 : 1, 0)
        else move(0, extend ? -1 : 1)
      } else if (arrow !== undefined && !edit.stays && !edit.inBar && !withControl) {
        commit()
        move(...arrow)
      } else isDone = false
      if (isDone) {
        event.preventDefault()
        event.stopPropagation()
      }
      return
    }
    if (arrow !== undefined) move(...arrow, { extend, far: withControl })
    else if (key === 'Enter') move(extend ? -1 : 1, 0)
    else if (key === 'Tab') move(0, extend ? -1 : 1)
    else if (key === 'PageDown' || key === 'PageUp') {
      const by = Math.max(1, Math.floor(place.height / (rowHeight * scale)) - 2)
      move(key === 'PageDown' ? by : -by, 0, { extend })
    } else if (key === 'Home') select(reach(withControl ? 0 : selection.toRow, 0, extend))
    else if (key === 'End') {
      const row = withControl ? Math.max(0, extent.rows - 1) : selection.toRow
      select(reach(row, Math.max(0, extent.columns - 1), extend))
    } else if (key === 'F2') begin(model.typed(selection.row, selection.column), { stays: true })
    else if (key === 'Delete' || key === 'Backspace') clear()
    else if (withControl && key.toLowerCase() === 'a') {
      select(
        { row: 0, column: 0, toRow: Math.max(0, extent.rows - 1), toColumn: Math.max(0, extent.columns - 1) },
        false,
      )
    } else if (withControl && key.toLowerCase() === 'z') {
      if (extend) redo()
      else undo()
    } else if (withControl && key.toLowerCase() === 'y') redo()
    else isDone = onOtherKey?.(event) === true
    if (isDone) event.preventDefault()
  }
  const reach = (row: number, column: number, extend: boolean): Selection =>
    extend ? { ...selection, toRow: row, toColumn: column } : at(row, column)

  const table = (of: 'shown' | 'typed'): string[][] => {
    const { rows: lastRow, columns: lastColumn } = extent
    const made: string[][] = []
    for (let row = area.top; row <= Math.min(area.bottom, Math.max(area.top, lastRow)); row++) {
      const line: string[] = []
      for (let column = area.left; column <= Math.min(area.right, Math.max(area.left, lastColumn)); column++) {
        line.push(of === 'shown' ? model.shown(row, column).text : model.typed(row, column))
      }
      made.push(line)
    }
    return made
  }
  const onCopy = (event: ClipboardEvent, isCut = false): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const text = toTabs(table('shown'))
    copied.current = { text, typed: table('typed'), row: area.top, column: area.left }
    event.clipboardData.setData('text/plain', text)
    if (isCut) clear()
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const text = event.clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    if (text === '') return
    const own = copied.current?.text === text ? copied.current : undefined
    const cells = own?.typed ?? fromTabs(text)
    const [height, width] = [cells.length, Math.max(...cells.map((row) => row.length))]
    // One that fits several times is repeated.
    const times = (size: number, room: number): number => (room % size === 0 ? room / size : 1)
    const [down, across] = [times(height, area.bottom - area.top + 1), times(width, area.right - area.left + 1)]
    const entries = []
    for (let row = 0; row < height * down; row++) {
      for (let column = 0; column < width * across; column++) {
        const typed = cells[row % height]?.[column % width] ?? ''
        const [toRow, toColumn] = [area.top + row, area.left + column]
        if (toRow >= model.mostRows || toColumn >= model.mostColumns) continue
        const moved =
          own === undefined
            ? typed
            : model.moved(typed, toRow - own.row - (row % height), toColumn - own.column - (column % width))
        entries.push({ row: toRow, column: toColumn, text: moved })
      }
    }
    put(entries)
    select(
      {
        row: area.top,
        column: area.left,
        toRow: area.top + height * down - 1,
        toColumn: area.left + width * across - 1,
      },
      false,
    )
  }

  const cellAt = (event: PointerEvent): { row: number; column: number; where: 'cell' | 'head' | 'side' | 'corner' } => {
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
  /** The edge of a row or column that can be drawn. */
  const edgeAt = (event: PointerEvent): Sizing | undefined => {
    if (onSize === undefined) return undefined
    const { row, column, where } = cellAt(event)
    if (where !== 'head' && where !== 'side') return undefined
    const box = scroller.current?.getBoundingClientRect()
    const isHead = where === 'head'
    const [axis, index, from] = isHead ? [columns, column, event.clientX] : [rows, row, event.clientY]
    const frozen = isHead ? frozenColumns : frozenRows
    const scrolled = (isHead ? scroller.current?.scrollLeft : scroller.current?.scrollTop) ?? 0
    const inside = from - ((isHead ? box?.left : box?.top) ?? 0) - (isHead ? side : head)
    const placed = inside < axis.start(frozen) ? inside : inside + scrolled
    const name = isHead ? 'columns' : 'rows'
    const sizeOf = (n: number): Sizing => ({ axis: name, index: n, from, size: axis.size(n) })
    if (axis.start(index) + axis.size(index) - placed <= 4) return sizeOf(index)
    return index > 0 && placed - axis.start(index) <= 4 ? sizeOf(index - 1) : undefined
  }
  const sizeAt = ({ axis, from, size }: Sizing, event: PointerEvent): number =>
    Math.max(axis === 'rows' ? 16 : 20, size + (axis === 'columns' ? event.clientX : event.clientY) - from)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || (event.target as Element).closest('textarea') !== null) return
    const room = event.currentTarget
    // Not on the bars that scroll.
    const box = room.getBoundingClientRect()
    if (event.clientX - box.left > room.clientWidth || event.clientY - box.top > room.clientHeight) return
    event.preventDefault()
    commit()
    const edge = edgeAt(event)
    if (edge !== undefined) {
      sizing.current = edge
      room.setPointerCapture(event.pointerId)
      return
    }
    const { row, column, where } = cellAt(event)
    const [lastRow, lastColumn] = [Math.max(0, extent.rows - 1), Math.max(0, extent.columns - 1)]
    if (where === 'corner') select({ row: 0, column: 0, toRow: lastRow, toColumn: lastColumn }, false)
    else if (where === 'head') select({ row: 0, column, toRow: lastRow, toColumn: column }, false)
    else if (where === 'side') select({ row, column: 0, toRow: row, toColumn: lastColumn }, false)
    else {
      const around = mergeAt(model, row, column)
      if (event.shiftKey) select({ ...selection, toRow: row, toColumn: column }, false)
      else select(at(around?.top ?? row, around?.left ?? column), false)
      drag.current = true
      room.setPointerCapture(event.pointerId)
    }
    focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const sized = sizing.current
    if (sized !== undefined) {
      const axis = sized.axis === 'columns' ? columns : rows
      setSizeLine({ axis: sized.axis, at: axis.start(sized.index) + sizeAt(sized, event) })
      return
    }
    if (!drag.current) {
      const edge = edgeAt(event)
      event.currentTarget.style.cursor = edge === undefined ? '' : edge.axis === 'columns' ? 'col-resize' : 'row-resize'
      return
    }
    const { row, column } = cellAt(event)
    if (row !== selection.toRow || column !== selection.toColumn) select({ ...selection, toRow: row, toColumn: column })
  }
  const typed = edit?.text ?? model.typed(selection.row, selection.column)
  const name =
    area.top === active.top && area.left === active.left && area.bottom === active.bottom && area.right === active.right
      ? refOf(selection.row, selection.column)
      : `${refOf(area.top, area.left)}:${refOf(area.bottom, area.right)}`
  const goTo = (ref: string): void => {
    const [from = '', to = from] = ref.trim().split(':')
    const [a, b] = [placeOf(from), placeOf(to)]
    if (a && b && areaOf(ref.trim()) !== undefined)
      select({ row: a.row, column: a.column, toRow: b.row, toColumn: b.column })
    focus()
  }
  const boxOf = (one: typeof area): CSSProperties => ({
    insetBlockStart: head + rows.start(one.top),
    insetInlineStart: side + columns.start(one.left),
    height: spanOf(rows, one.top, Math.min(one.bottom, rowCount - 1)) + 1,
    width: spanOf(columns, one.left, Math.min(one.right, columnCount - 1)) + 1,
  })

  return (
    <div className="gr">
      {above}
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
          drag.current = false
          const sized = sizing.current
          if (sized === undefined) return
          sizing.current = undefined
          setSizeLine(undefined)
          const size = Math.round(sizeAt(sized, event) / scale)
          if (Math.round(sized.size / scale) !== size) onSize?.(sized.axis, sized.index, size)
          focus()
        }}
        onContextMenu={(event) => {
          if (onMenu === undefined || field.current === null) return
          event.preventDefault()
          onMenu(event, field.current)
        }}
        onDoubleClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          if (event.clientY - box.top > head && event.clientX - box.left > side && edit === undefined)
            begin(model.typed(selection.row, selection.column), { stays: true })
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
          <Heads
            rows={rows}
            columns={columns}
            place={place}
            area={area}
            head={head}
            side={side}
            frozen={model.frozen}
          />
          <Cells
            model={model}
            revision={revision}
            rows={rows}
            columns={columns}
            place={place}
            head={head}
            side={side}
            scale={scale}
          />
          {others.map(({ client, name, color, selection: there }) => (
            <span
              key={client}
              className="gr-other"
              style={{ ...boxOf(selected(model, there)), borderColor: color }}
              data-ref={refOf(there.row, there.column)}
            >
              <span style={{ background: color }}>{name}</span>
            </span>
          ))}
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
          <span className="gr-active" style={boxOf(active)} data-ref={refOf(selection.row, selection.column)} />
          <textarea
            ref={field}
            className={edit === undefined || edit.inBar ? 'gr-field is-waiting' : 'gr-field'}
            aria-label={t('grid.cell', { ref: refOf(selection.row, selection.column), text: typed })}
            style={{ ...boxOf(active), fontSize: 13 * scale, lineHeight: `${20 * scale}px` }}
            rows={1}
            spellCheck={false}
            readOnly={!isEditable}
            value={edit !== undefined && !edit.inBar ? edit.text : ''}
            onChange={(event) => {
              const text = event.target.value
              if (edit !== undefined) setEdit({ ...edit, text, inBar: false })
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

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const spanOf = (axis: Axis, from: number, to: number): number => axis.start(to) + axis.size(to) - axis.start(from)

function NameBox({
  name,
  label,
  go,
}: {
  readonly name: string
  readonly label: string
  readonly go: (ref: string) => void
}): ReactNode {
  const [text, setText] = useState(name)
  return (
    <input
      className="gr-name"
      aria-label={label}
      value={text}
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => setText(name)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // The cell has the focus then, and would take the key as its own.
        event.preventDefault()
        go(event.key === 'Enter' ? text : name)
      }}
    />
  )
}

interface Sight {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

interface PartProps {
  readonly rows: Axis
  readonly columns: Axis
  readonly place: Sight
  readonly head: number
  readonly side: number
}

/** The rows or columns in sight, frozen ones first. */
function inSight(axis: Axis, from: number, length: number, frozen: number): number[] {
  const first = Math.max(frozen, axis.at(from + axis.start(frozen)) - overscan)
  const last = Math.min(axis.count - 1, axis.at(from + length) + overscan)
  const found = Array.from({ length: Math.min(frozen, axis.count) }, (_, n) => n)
  for (let n = first; n <= last; n++) found.push(n)
  return found
}

/** The names of columns and the numbers of rows, which stay in sight. */
function Heads({
  rows,
  columns,
  place,
  area,
  head,
  side,
  frozen,
}: PartProps & { readonly area: ReturnType<typeof selected>; readonly frozen: GridModel['frozen'] }): ReactNode {
  return (
    <>
      <div className="gr-heads" role="row" style={{ height: head }}>
        {inSight(columns, place.left, place.width, frozen.columns).map((n) => (
          <span
            key={n}
            role="columnheader"
            className={n >= area.left && n <= area.right ? 'gr-head is-in' : 'gr-head'}
            style={{
              insetInlineStart: side + columns.start(n) + (n < frozen.columns ? place.left : 0),
              width: columns.size(n),
              zIndex: n < frozen.columns ? 1 : undefined,
              background: n < frozen.columns && !(n >= area.left && n <= area.right) ? '#f2f3f5' : undefined,
            }}
          >
            {columnName(n)}
          </span>
        ))}
        <span className="gr-corner" style={{ width: side }} />
      </div>
      <div className="gr-side" style={{ width: side }}>
        {inSight(rows, place.top, place.height, frozen.rows).map((n) => (
          <span
            key={n}
            className={n >= area.top && n <= area.bottom ? 'gr-head is-in' : 'gr-head'}
            style={{
              insetBlockStart: rows.start(n) + (n < frozen.rows ? place.top : 0),
              height: rows.size(n),
              zIndex: n < frozen.rows ? 1 : undefined,
            }}
          >
            {n + 1}
          </span>
        ))}
      </div>
    </>
  )
}

const decorationOf = ({ underline, strike }: CellStyle): string | undefined =>
  [underline && 'underline', strike && 'line-through'].filter(Boolean).join(' ') || undefined

/** The lines of a cell: those above and before it are laid over the cells there. */
function bordersOf(sides: string | undefined): CSSProperties {
  if (sides === undefined) return {}
  const ink = '#333'
  const over = [sides.includes('t') && `0 -1px 0 ${ink}`, sides.includes('l') && `-1px 0 0 ${ink}`].filter(Boolean)
  return {
    ...(sides.includes('b') && { borderBlockEndColor: ink }),
    ...(sides.includes('r') && { borderInlineEndColor: ink }),
    ...(over.length > 0 && { boxShadow: over.join(', ') }),
  }
}

/** The cells in sight. What is too long for its cell runs on over empty ones. */
const Cells = memo(function Cells({
  model,
  rows,
  columns,
  place,
  head,
  side,
  scale,
}: PartProps & { readonly model: GridModel; readonly revision: number; readonly scale: number }): ReactNode {
  const { rows: frozenRows, columns: frozenColumns } = model.frozen
  const seenRows = inSight(rows, place.top, place.height, frozenRows)
  const seenColumns = inSight(columns, place.left, place.width, frozenColumns)
  const made: ReactNode[] = []
  const draw = (row: number, column: number, toRow: number, toColumn: number, isMerged: boolean): void => {
    const { text, style, isNumber } = model.shown(row, column)
    const width = spanOf(columns, column, Math.min(toColumn, columns.count - 1))
    const [isFrozenRow, isFrozenColumn] = [row < frozenRows, column < frozenColumns]
    const isLong =
      !isMerged && !isNumber && style.wrap !== true && text.length * 7 * scale > width && !text.includes('\n')
    let spill = toColumn
    if (isLong && style.align !== 'end' && style.align !== 'center') {
      while (
        spill + 1 < columns.count &&
        spill - column < 12 &&
        model.typed(row, spill + 1) === '' &&
        mergeAt(model, row, spill + 1) === undefined
      )
        spill++
    }
    const isTooNarrow = isNumber && style.wrap !== true && text.length * 6.2 * scale > width
    const look: CSSProperties = {
      insetBlockStart: head + rows.start(row) + (isFrozenRow ? place.top : 0),
      insetInlineStart: side + columns.start(column) + (isFrozenColumn ? place.left : 0),
      width,
      height: spanOf(rows, row, Math.min(toRow, rows.count - 1)),
      fontWeight: style.bold === true ? 700 : undefined,
      fontStyle: style.italic === true ? 'italic' : undefined,
      fontSize: style.size === undefined ? undefined : style.size * 0.9 * scale,
      color: style.color,
      backgroundColor: style.fill,
      justifyContent: style.align === 'center' ? 'center' : style.align === 'end' ? 'flex-end' : undefined,
      textDecoration: decorationOf(style),
      ...bordersOf(style.borders),
      whiteSpace: style.wrap === true || text.includes('\n') ? 'pre-wrap' : undefined,
      zIndex: isFrozenRow && isFrozenColumn ? 4 : undefined,
    }
    const classes = [
      'gr-cell',
      isMerged && 'is-merged',
      (isFrozenRow || isFrozenColumn) && 'is-frozen',
      spill > toColumn && 'is-spilling',
    ]
    made.push(
      <span
        key={`${row} ${column}`}
        role="gridcell"
        className={classes.filter(Boolean).join(' ')}
        style={look}
        data-ref={refOf(row, column)}
        title={text.length * 7 * scale > width && spill === toColumn ? text : undefined}
      >
        {spill > toColumn ? (
          <span style={{ width: spanOf(columns, column, spill) - 10, overflow: 'hidden', flex: 'none' }}>{text}</span>
        ) : isTooNarrow ? (
          '#'.repeat(Math.max(1, Math.floor(width / (8 * scale)) - 1))
        ) : (
          text
        )}
      </span>,
    )
  }
  const isSeen = (from: number, to: number, seen: readonly number[]): boolean => seen.some((n) => n >= from && n <= to)
  for (const row of seenRows) {
    for (const column of seenColumns) {
      if (columns.size(column) === 0 || rows.size(row) === 0) continue
      if (model.merges.length === 0 || mergeAt(model, row, column) === undefined) draw(row, column, row, column, false)
    }
  }
  for (const merge of model.merges) {
    if (isSeen(merge.top, merge.bottom, seenRows) && isSeen(merge.left, merge.right, seenColumns))
      draw(merge.top, merge.left, merge.bottom, merge.right, true)
  }
  return made
})
