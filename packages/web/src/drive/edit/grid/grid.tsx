/*
 * The grid of an editor: of a table of any size the cells in sight. Keys and an input method reach one field, which waits
 * over the cell that is typed into, so that what is composed stands where it will be.
 */

import { areaOf, placeOf, refOf } from '@cloudoc/office/cells'
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
import { useT } from '../../../core/i18n/i18n.ts'
import { type Axis, axisOf, spanOf } from './axis.ts'
import { type Copied, cleared, copiedFrom, pasted } from './clipboard.ts'
import { Cells, Heads } from './grid-cells.tsx'
import { at, type GridModel, mergeAt, type Selection, selected, stepped } from './grid-model.ts'
import { NameBox } from './name-box.tsx'
import { drawnSize, edgeOf, fittingWidth, type Sizing } from './sizing.ts'
import './grid.css'

const rowHeight = 24
const columnWidth = 88
const headHeight = 24
const sideWidth = 52

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
  /** Whether keys go to it from the start. */
  readonly takesKeys?: boolean
  /** A row or column is drawn to another size, in pixels of a zoom of 100; none for as usual. */
  readonly onSize?: ((axis: 'rows' | 'columns', index: number, size: number | undefined) => void) | undefined
  /** The filter of a column is wanted; `field` is its button. */
  readonly onFilter?: ((column: number, field: HTMLElement) => void) | undefined
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
  takesKeys = true,
  onSize,
  onFilter,
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
  const copied = useRef<Copied>(undefined)
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

  const [isKeyed] = useState(takesKeys)
  useEffect(() => {
    if (isKeyed) focus()
  }, [focus, isKeyed])

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

  const onCopy = (event: ClipboardEvent, isCut = false): void => {
    if (edit !== undefined) return
    event.preventDefault()
    copied.current = copiedFrom(model, area)
    event.clipboardData.setData('text/plain', copied.current.text)
    if (isCut) clear()
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const text = event.clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    if (text === '') return
    const made = pasted(model, area, text, copied.current)
    put(made.entries)
    select(made.selection, false)
  }

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
  /** The edge of a row or column that can be drawn. */
  const edgeAt = (event: MouseEvent): Sizing | undefined => {
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
      setSizeLine({ axis: sized.axis, at: axis.start(sized.index) + drawnSize(sized, event) })
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
          const size = Math.round(drawnSize(sized, event) / scale)
          if (Math.round(sized.size / scale) !== size) onSize?.(sized.axis, sized.index, size)
          focus()
        }}
        onContextMenu={(event) => {
          if (onMenu === undefined || field.current === null) return
          event.preventDefault()
          onMenu(event, field.current)
        }}
        onDoubleClick={(event) => {
          const edge = edgeAt(event)
          if (edge !== undefined) {
            // As wide as its words, or as high as usual.
            const { fontFamily } = getComputedStyle(event.currentTarget)
            const size = edge.axis === 'columns' ? fittingWidth(model, edge.index, fontFamily) : undefined
            onSize?.(edge.axis, edge.index, size)
            return
          }
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
