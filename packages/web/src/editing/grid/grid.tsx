/*
 * The grid editor. It renders only the visible cells of a table of any size. Keyboard and input method events go to one
 * field above the active cell, so composed text appears in its final position.
 */

import { type Area, areaOf, type Entry, parseRef, refOf } from '@cloudoc/office/workbook'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { filled } from './fill.ts'
import { namedIn } from './formula-pointing.ts'
import { Cells, Heads } from './grid-cells.tsx'
import { onGridKey } from './grid-keys.ts'
import { EdgeLine, Marks, type RemoteSelection, SelectionMarks } from './grid-marks.tsx'
import { cellSelection, type GridModel, type Selection } from './grid-model.ts'
import { NameBox } from './name-box.tsx'
import { type CellEdit, useCellEdit } from './use-cell-edit.ts'
import { useCopies, useGridClipboard } from './use-grid-clipboard.ts'
import { type GridCursor, useGridCursor } from './use-grid-cursor.ts'
import { type GridHandle, useGridHandle } from './use-grid-handle.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useResizing } from './use-resizing.ts'
import { useViewport } from './use-viewport.ts'
import './grid.css'

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
  const revision = useSyncExternalStore(model.subscribe, model.revision)
  const [selection, setSelection] = useState<Selection>(cellSelection(0, 0))
  const extent = model.extent()
  const viewport = useViewport({ model, extent, selection, zoom })
  const { scroller, place, scale, rows, columns, head, side, covered, show, boxOf } = viewport
  const cursor = useGridCursor({ model, extent, selection, setSelection, onSelect, show })
  const { area, here, active, select } = cursor
  const copies = useCopies()
  const put = (entries: readonly Entry[]): void => {
    if (!isEditable) return onRefused(t('grid.readOnly'))
    copies.mark(undefined)
    const why = model.type(entries)
    if (why !== undefined) onRefused(why)
  }
  const fill = (from: Area, to: Area, isCopied: boolean): void => {
    put(filled(model, from, to, { isCopied }))
    select({ row: to.top, column: to.left, toRow: to.bottom, toColumn: to.right }, false)
  }
  const onBegin = (): void => copies.mark(undefined)
  const cellEdit = useCellEdit({ model, isEditable, cursor, viewport, put, onBegin, onRefused })
  const { edit, setEdit, field } = cellEdit
  const focus = useCallback(() => field.current?.focus({ preventScroll: true }), [field])
  const [isKeyed] = useState(takesKeys)
  useEffect(() => {
    if (isKeyed) focus()
  }, [focus, isKeyed])
  useGridHandle(handle, { cursor, cellEdit, copies, focus })
  const clipboard = useGridClipboard({ model, extent, isEditable, copies, cursor, cellEdit, put, menu })
  const edges = useResizing({ model, viewport, onSize })
  const { menuEntries } = clipboard
  const pointer = useGridPointer({ model, viewport, cursor, cellEdit, edges, fill, focus, menuEntries })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void =>
    onGridKey(event, {
      model,
      extent,
      viewport,
      cursor,
      cellEdit,
      clipboard,
      focus,
      put,
      undo,
      redo,
      onOther: onOtherKey,
    })
  const typed = edit?.text ?? model.typed(here.row, here.column)
  const name = nameOf(cursor)
  const goTo = (ref: string): void => {
    const [from = '', to = from] = ref.trim().split(':')
    const [a, b] = [parseRef(from), parseRef(to)]
    if (a && b && areaOf(ref.trim()) !== undefined)
      select({ row: a.row, column: a.column, toRow: b.row, toColumn: b.column })
    focus()
  }

  return (
    <div className="gr">
      <div className="gr-bar">
        <NameBox key={name} name={name} label={t('grid.name')} go={goTo} />
        <FormulaBar cellEdit={cellEdit} typed={typed} isEditable={isEditable} focus={focus} onKeyDown={onKeyDown} />
      </div>
      <div
        className="gr-room"
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={extent.rows}
        {...pointer.handlers}
      >
        <div
          className="gr-all"
          style={{
            width: side + columns.start(columns.count),
            height: head + rows.start(rows.count),
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
              top: head + rows.start(Math.min(row, rows.count)),
              left: side + columns.start(Math.min(column, columns.count)),
            }),
            covered,
            scale,
          })}
          <Marks
            model={model}
            boxOf={boxOf}
            others={others}
            copied={copies.area}
            filling={pointer.filling}
            named={edit === undefined ? [] : namedIn(edit.text)}
          />
          <EdgeLine line={edges.line} head={head} side={side} />
          <SelectionMarks cursor={cursor} boxOf={boxOf} hasHandle={isEditable && edit === undefined} />
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
              else cellEdit.begin(text)
            }}
            onKeyDown={onKeyDown}
            onCopy={clipboard.onCopy}
            onCut={clipboard.onCut}
            onPaste={clipboard.onPaste}
          />
        </div>
      </div>
    </div>
  )
}

const nameOf = ({ isOne, here, area }: GridCursor): string =>
  isOne ? refOf(here.row, here.column) : `${refOf(area.top, area.left)}:${refOf(area.bottom, area.right)}`

interface FormulaBarProps {
  readonly cellEdit: CellEdit
  readonly typed: string
  readonly isEditable: boolean
  readonly focus: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** The text of the active cell, above the cells. */
function FormulaBar({ cellEdit, typed, isEditable, focus, onKeyDown }: FormulaBarProps): ReactNode {
  const t = useT()
  const { edit, setEdit, bar, begin } = cellEdit
  return (
    <>
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
    </>
  )
}
