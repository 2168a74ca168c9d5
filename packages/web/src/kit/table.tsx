// A data table with sorting, selection, row activation by click and keyboard, and virtual rows for long lists.
//
// A row that can be opened has one button, in the cell of its first column. The arrow keys, Page Up/Down, Home/End and
// type-ahead move between these buttons; Enter opens the row; Space selects it; the menu key opens its menu.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useListKeys } from './use-list-keys.ts'
import './table.css'

export type RowKey = string | number

export interface Column<Row> {
  /** Identifies the column, for example for sorting. */
  readonly id: string
  readonly head: string
  /** The head is read by screen readers only: columns of checkboxes, icons and buttons. */
  readonly isHeadHidden?: boolean
  readonly renderCell: (row: Row) => ReactNode
  /** `number` aligns to the end, with the digits of the product. */
  readonly align?: 'end' | 'number'
  /** A CSS width. */
  readonly width?: string
  /** Cells do not wrap. `wrap` lets them, `clip` cuts them to the width of the column. */
  readonly text?: 'wrap' | 'clip'
  /** The tooltip of a cell. */
  readonly title?: (row: Row) => string
  readonly isSortable?: boolean
  /** The row's card on a phone does not show the column. */
  readonly isHiddenOnPhone?: boolean
  readonly className?: string | ((row: Row) => string | undefined)
}

export interface TableSort {
  readonly column: string
  readonly isDescending: boolean
}

export interface TableSelection {
  readonly chosen: ReadonlySet<RowKey>
  readonly onChange: (chosen: ReadonlySet<RowKey>) => void
  /** The name of the checkbox for all rows. */
  readonly allLabel: string
}

interface TableProps<Row> {
  readonly label?: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while the rows are loading. */
  readonly rows: readonly Row[] | undefined
  readonly keyOf: (row: Row, index: number) => RowKey
  /** The name of a row: of its checkbox, and for type-ahead. */
  readonly nameOf?: (row: Row) => string
  readonly sort?: TableSort
  readonly onSort?: (sort: TableSort) => void
  readonly selection?: TableSelection
  /** Opens a row, by click anywhere in it or by Enter. */
  readonly onOpen?: (row: Row) => void
  /** A click only moves to the row, and a double click opens it. */
  readonly opensByDoubleClick?: boolean
  /** Opens the menu of a row at a position of the page. */
  readonly onMenu?: (row: Row, at: { readonly x: number; readonly y: number }) => void
  /** Called for keys of a row's button that the table does not use. */
  readonly onRowKey?: (row: Row, event: KeyboardEvent) => unknown
  /** The row that is shown as current, for example because its details are open. */
  readonly current?: RowKey | undefined
  /** Called when a row gets the focus. */
  readonly onCurrent?: (row: Row) => void
  /** Content below a row, as wide as the table. A row with it is expanded. */
  readonly renderDetail?: (row: Row) => ReactNode
  readonly isRowMuted?: (row: Row) => boolean
  /** Rows with two lines. */
  readonly isTall?: boolean
  /** Shown instead of the table while rows is undefined, if there are no rows, or after an error. */
  readonly loading?: ReactNode
  readonly empty?: ReactNode
  readonly failure?: ReactNode
  /** Draws the visible rows only; the table scrolls by itself then. */
  readonly isVirtual?: boolean
  /** Called when the last rows are drawn, to read more of them. */
  readonly onEnd?: () => void
  readonly className?: string
}

const estimatedHeights = { compact: 34, default: 40, comfortable: 48 } as const
/** Returns the height of a row in the density of the page, until it is measured. */
function estimatedHeight(isTall: boolean): number {
  const density = document.documentElement.dataset['density'] as keyof typeof estimatedHeights | undefined
  return (estimatedHeights[density ?? 'default'] ?? estimatedHeights.default) + (isTall ? 12 : 0)
}

/** True for an event of a control inside a row, which has a meaning of its own. */
const isOfControl = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('button, a, input, label, select, [role=combobox]') !== null

/** A data table. Shows its error, loading or empty content instead, if there is nothing to draw. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { rows, failure, loading, empty } = props
  if (failure !== undefined && failure !== null) return failure
  if (rows === undefined) return loading
  if (rows.length === 0 && empty !== undefined) return empty
  return props.isVirtual ? <VirtualTable {...props} rows={rows} /> : <Sheet {...props} rows={rows} />
}

interface LoadedProps<Row> extends TableProps<Row> {
  readonly rows: readonly Row[]
}

/** The part of the rows that is drawn, with the height of those before and after it. */
interface Drawn {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

function VirtualTable<Row>(props: LoadedProps<Row>): ReactNode {
  const { rows, isTall = false, onEnd } = props
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => estimatedHeight(isTall),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = (items.at(-1)?.index ?? -1) + 1
  const atEnd = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (rows.length > 0 && to >= rows.length) atEnd()
  }, [to, rows.length])
  const drawn = {
    from,
    to,
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
  }
  return (
    <div ref={scroll} className="k-table-scroll">
      <Sheet {...props} drawn={drawn} />
    </div>
  )
}

function Sheet<Row>(props: LoadedProps<Row> & { readonly drawn?: Drawn }): ReactNode {
  const { label, columns, rows, keyOf, sort, onSort, selection, drawn, isTall, className, onOpen } = props
  const keys = useListKeys()
  const anchor = useRef(0)
  const isAll =
    selection !== undefined && rows.length > 0 && rows.every((row, n) => selection.chosen.has(keyOf(row, n)))
  const toggle = (index: number, isRange: boolean): void => {
    if (selection === undefined) return
    const row = rows[index]
    if (row === undefined) return
    const next = new Set(selection.chosen)
    if (isRange) {
      const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
      for (const [n, one] of rows.entries()) if (n >= from && n <= to) next.add(keyOf(one, n))
    } else {
      anchor.current = index
      const key = keyOf(row, index)
      if (!next.delete(key)) next.add(key)
    }
    selection.onChange(next)
  }
  const toggleAll = (): void =>
    selection?.onChange(isAll ? new Set() : new Set(rows.map((row, index) => keyOf(row, index))))
  const from = drawn?.from ?? 0
  const shown = drawn === undefined ? rows : rows.slice(drawn.from, drawn.to)
  const looks = ['k-table', isTall && 'is-tall', onOpen !== undefined && 'has-rows-to-open', className]
  return (
    <table
      className={looks.filter(Boolean).join(' ')}
      aria-label={label}
      aria-rowcount={drawn === undefined ? undefined : rows.length + 1}
      onFocus={keys.onFocus}
      onKeyDown={(event) => {
        if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection !== undefined) {
          event.preventDefault()
          selection.onChange(new Set(rows.map((row, index) => keyOf(row, index))))
        } else keys.onKeyDown(event)
      }}
    >
      <thead className={columns.every(({ isHeadHidden }) => isHeadHidden) ? 'sr-only' : undefined}>
        <tr>
          {selection !== undefined && (
            <th className="k-table-check">
              <input
                type="checkbox"
                aria-label={selection.allLabel}
                checked={isAll}
                ref={(box) => {
                  if (box !== null) box.indeterminate = !isAll && selection.chosen.size > 0
                }}
                onChange={toggleAll}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {drawn !== undefined && <Gap height={drawn.before} />}
        {shown.map((row, n) => (
          <TableRow
            key={keyOf(row, from + n)}
            table={props}
            row={row}
            index={from + n}
            isStop={n === 0}
            onToggle={(isRange) => toggle(from + n, isRange)}
          />
        ))}
        {drawn !== undefined && <Gap height={drawn.after} />}
      </tbody>
    </table>
  )
}

/** The place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }): ReactNode {
  if (height <= 0) return null
  return <tr className="k-table-gap" aria-hidden="true" style={{ height }} />
}

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly sort: TableSort | undefined
  readonly onSort: ((sort: TableSort) => void) | undefined
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>): ReactNode {
  const { id, head, align, width, isHeadHidden, isSortable } = column
  const isSorted = sort?.column === id
  return (
    <th
      scope="col"
      className={align === undefined ? undefined : `is-${align}`}
      style={width === undefined ? undefined : { width }}
      aria-label={isHeadHidden ? head : undefined}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {isHeadHidden ? null : isSortable && onSort !== undefined ? (
        <button
          type="button"
          onClick={() => onSort({ column: id, isDescending: isSorted ? !sort.isDescending : false })}
        >
          {head}
          <span aria-hidden="true">{isSorted ? (sort.isDescending ? '↓' : '↑') : ''}</span>
        </button>
      ) : (
        head
      )}
    </th>
  )
}

interface TableRowProps<Row> {
  readonly table: LoadedProps<Row>
  readonly row: Row
  readonly index: number
  /** The tab key reaches the button of this row. */
  readonly isStop: boolean
  readonly onToggle: (isRange: boolean) => void
}

function TableRow<Row>({ table, row, index, isStop, onToggle }: TableRowProps<Row>): ReactNode {
  const { columns, keyOf, nameOf, selection, onOpen, opensByDoubleClick, onMenu, onRowKey, current, renderDetail } =
    table
  const key = keyOf(row, index)
  const name = nameOf?.(row) ?? ''
  const isChosen = selection?.chosen.has(key) ?? false
  const below = renderDetail?.(row)
  const isExpanded = below !== undefined && below !== null && below !== false
  const looks = [
    (isChosen || current === key) && 'is-chosen',
    isExpanded && 'is-expanded',
    table.isRowMuted?.(row) && 'is-muted',
  ]
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    // The menu key sends no pointer position.
    const isByKey = event.clientX === 0 && event.clientY === 0
    onMenu?.(row, isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY })
  }
  const activate = (event: MouseEvent): void => {
    if (isOfControl(event)) return
    if (opensByDoubleClick) event.currentTarget.querySelector<HTMLElement>('[data-list-row]')?.focus()
    else onOpen?.(row)
  }
  return (
    <>
      <tr
        className={looks.filter(Boolean).join(' ') || undefined}
        aria-rowindex={table.isVirtual ? index + 2 : undefined}
        aria-selected={selection === undefined ? undefined : isChosen}
        onClick={onOpen === undefined ? undefined : activate}
        onDoubleClick={opensByDoubleClick ? (event) => !isOfControl(event) && onOpen?.(row) : undefined}
        onContextMenu={onMenu === undefined ? undefined : openMenu}
      >
        {selection !== undefined && (
          <td className="k-table-check">
            <input
              type="checkbox"
              aria-label={name}
              checked={isChosen}
              onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)}
            />
          </td>
        )}
        {columns.map((column, n) => (
          <td
            key={column.id}
            className={cellClass(column, row)}
            title={column.title?.(row)}
            data-head={column.isHeadHidden ? undefined : column.head}
          >
            {n === 0 && onOpen !== undefined ? (
              <button
                type="button"
                className="k-table-open"
                data-list-row={name}
                tabIndex={isStop ? 0 : -1}
                aria-expanded={renderDetail === undefined ? undefined : isExpanded}
                onClick={() => onOpen(row)}
                onFocus={() => table.onCurrent?.(row)}
                onKeyDown={(event) => {
                  if (event.key === ' ' && selection !== undefined) {
                    event.preventDefault()
                    onToggle(event.shiftKey)
                  } else onRowKey?.(row, event)
                }}
                // Some browsers click at the release of Space.
                onKeyUp={(event) => event.key === ' ' && selection !== undefined && event.preventDefault()}
              >
                {column.renderCell(row)}
              </button>
            ) : (
              column.renderCell(row)
            )}
          </td>
        ))}
      </tr>
      {isExpanded && (
        <tr className="k-table-detail">
          <td colSpan={columns.length + (selection === undefined ? 0 : 1)}>{below}</td>
        </tr>
      )}
    </>
  )
}

function cellClass<Row>({ align, text, isHiddenOnPhone, className }: Column<Row>, row: Row): string | undefined {
  const own = typeof className === 'function' ? className(row) : className
  const looks = [align && `is-${align}`, text && `is-${text}`, isHiddenOnPhone && 'is-wide-only', own]
  return looks.filter(Boolean).join(' ') || undefined
}

interface TableNameProps {
  readonly icon?: ReactNode
  readonly children: string
  /** Small text after the name. */
  readonly note?: ReactNode
  /** Chips after the name. */
  readonly tags?: ReactNode
  /** Small text below the name. */
  readonly below?: ReactNode
  readonly title?: string
}

/** The name in a row: an icon, the name, and small text after or below it. A long name is cut. */
export function TableName({ icon, children, note, tags, below, title }: TableNameProps): ReactNode {
  return (
    <span className="k-table-name">
      {icon}
      <span className="k-table-lines">
        <span title={title ?? children}>{children}</span>
        {below !== undefined && <small>{below}</small>}
      </span>
      {tags}
      {note !== undefined && <small>{note}</small>}
    </span>
  )
}
