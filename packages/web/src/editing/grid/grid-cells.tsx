// Renders the column and row headers and the visible cells of a grid.
import type { CellStyle } from '@cloudoc/office/rendition'
import { columnName, refOf } from '@cloudoc/office/workbook'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { ChevronDown12Regular, Filter16Filled } from '../../kit/icons.ts'
import { numberInRoom } from '../../viewing/shared/narrow-number.ts'
import { type Axis, spanOf } from './axis.ts'
import { type GridModel, mergeAt, type selected } from './grid-model.ts'

/** The number of additional rows and columns rendered on each side. */
const overscan = 6

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

/** The visible rows or columns, frozen ones first. */
function inSight(axis: Axis, from: number, length: number, frozen: number): number[] {
  const first = Math.max(frozen, axis.at(from + axis.start(frozen)) - overscan)
  const last = Math.min(axis.count - 1, axis.at(from + length) + overscan)
  const found = Array.from({ length: Math.min(frozen, axis.count) }, (_, n) => n)
  for (let n = first; n <= last; n++) found.push(n)
  return found
}

/** The column and row headers, which stay visible on scroll. */
export function Heads({
  rows,
  columns,
  place,
  area,
  head,
  side,
  model,
}: PartProps & { readonly area: ReturnType<typeof selected>; readonly model: GridModel }): ReactNode {
  const { frozen, filter } = model
  const isSifted = (row: number): boolean =>
    filter !== undefined && filter.columns.size > 0 && row > filter.area.top && row <= filter.area.bottom
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
            className={['gr-head', n >= area.top && n <= area.bottom && 'is-in', isSifted(n) && 'is-sifted']
              .filter(Boolean)
              .join(' ')}
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

/** The border lines of a cell. The top and left lines overlap the adjacent cells. */
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

interface CellsProps extends PartProps {
  readonly model: GridModel
  readonly revision: number
  readonly scale: number
  readonly filterLabel: string
  readonly onFilter?: ((column: number, field: HTMLElement) => void) | undefined
}

/** The visible cells. Text that is too long overflows into empty adjacent cells. */
export const Cells = memo(function Cells({
  model,
  rows,
  columns,
  place,
  head,
  side,
  scale,
  filterLabel,
  onFilter,
}: CellsProps): ReactNode {
  const { rows: frozenRows, columns: frozenColumns } = model.frozen
  const { filter } = model
  const seenRows = inSight(rows, place.top, place.height, frozenRows)
  const seenColumns = inSight(columns, place.left, place.width, frozenColumns)
  const made: ReactNode[] = []
  const draw = (row: number, column: number, toRow: number, toColumn: number, isMerged: boolean): void => {
    const { text, style, isNumber } = model.displayed(row, column)
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
    // Padding and border of the cell, and the button of a filter.
    const hasFilter = filter?.area.top === row && column >= filter.area.left && column <= filter.area.right
    const room = width - (hasFilter ? 27 : 11)
    const size = (style.size === undefined ? 13 : style.size * 0.9) * scale
    const shown = isNumber ? numberInRoom(text, room, { ...style, size, family: style.font }) : text
    const look: CSSProperties = {
      insetBlockStart: head + rows.start(row) + (isFrozenRow ? place.top : 0),
      insetInlineStart: side + columns.start(column) + (isFrozenColumn ? place.left : 0),
      width,
      height: spanOf(rows, row, Math.min(toRow, rows.count - 1)),
      fontWeight: style.bold === true ? 700 : undefined,
      fontStyle: style.italic === true ? 'italic' : undefined,
      fontSize: style.size === undefined ? undefined : style.size * 0.9 * scale,
      fontFamily: style.font === undefined ? undefined : `"${style.font}", var(--font-ui)`,
      color: style.color,
      backgroundColor: style.fill,
      justifyContent: style.align === 'center' ? 'center' : style.align === 'end' ? 'flex-end' : undefined,
      textDecoration: decorationOf(style),
      ...bordersOf(style.borders),
      whiteSpace: (style.wrap === true && !isNumber) || text.includes('\n') ? 'pre-wrap' : undefined,
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
        title={shown !== text || (text.length * 7 * scale > width && spill === toColumn) ? text : undefined}
      >
        {spill > toColumn ? (
          <span style={{ width: spanOf(columns, column, spill) - 10, overflow: 'hidden', flex: 'none' }}>{text}</span>
        ) : (
          shown
        )}
        {hasFilter && (
          <button
            type="button"
            tabIndex={-1}
            className={filter.columns.has(column) ? 'gr-funnel is-on' : 'gr-funnel'}
            aria-label={`${filterLabel} ${text}`}
            aria-haspopup="dialog"
            disabled={onFilter === undefined}
            onClick={({ currentTarget }) => onFilter?.(column, currentTarget)}
          >
            {filter.columns.has(column) ? <Filter16Filled /> : <ChevronDown12Regular />}
          </button>
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
