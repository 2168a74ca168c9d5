// The column headers: a click sorts, dragging the edge resizes, dragging the header reorders, and a menu adds or
// removes columns. The name column is always first. Fixed columns have only a label.

import { Fragment, type PointerEvent, type ReactNode, useRef } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { showMenu } from '../../../core/menu/menu.ts'
import type { Sorting, SortKey } from '../../../items/lists/folder-list.ts'
import { ArrowDown12Regular, ArrowUp12Regular } from '../../../kit/icons.ts'
import { type ItemColumn, itemColumns } from './columns.ts'
import { type Column, columns, columnWidth, usualWidth, type VisibleColumn } from './view-mode.ts'
import './columns.css'

/** Pixels by which an arrow key moves a column edge. */
const step = 16

interface ColumnHeadsProps {
  readonly shown: readonly VisibleColumn[]
  readonly onShown: (next: readonly VisibleColumn[]) => void
  readonly sorting: Sorting
  readonly onSort: (sort: SortKey) => void
}

const within = (width: number): number => Math.max(columnWidth.least, Math.min(Math.round(width), columnWidth.most))

/** The column headers, starting with the name. */
export function ColumnHeads({ shown, onShown, sorting, onSort }: ColumnHeadsProps): ReactNode {
  const t = useT()
  const dragged = useRef<Column>(undefined)
  const resize = (column: Column, width: number): void =>
    onShown(shown.map((one) => (one.column === column ? { column, width: within(width) } : one)))

  const move = (column: Column, before: Column): void => {
    const moved = shown.find((one) => one.column === column)
    if (moved === undefined || column === before) return
    const rest = shown.filter((one) => one !== moved)
    const from = shown.indexOf(moved)
    const at = rest.findIndex((one) => one.column === before)
    onShown(rest.toSpliced(at + (from <= at ? 1 : 0), 0, moved))
  }

  const choose = (event: React.MouseEvent): void => {
    event.preventDefault()
    const entries = columns.map((column) => ({
      id: column,
      label: t(`drive.column.${column}`),
      checked: shown.some((one) => one.column === column),
      run: () =>
        onShown(
          shown.some((one) => one.column === column)
            ? shown.filter((one) => one.column !== column)
            : [...shown, { column, width: usualWidth(column) }],
        ),
    }))
    void showMenu(entries, { x: event.clientX, y: event.clientY })
  }

  return (
    <Fragment>
      <Head
        className="dr-cell-name"
        text={t('drive.column.name')}
        sort="name"
        {...{ sorting, onSort }}
        onMenu={choose}
      />
      {shown.map(({ column, width }) => (
        <Head
          key={column}
          className={`dr-cell-${column}`}
          text={t(`drive.column.${column}`)}
          sort={itemColumns[column].sort}
          {...{ sorting, onSort }}
          onMenu={choose}
          drag={{
            onDragStart: (event) => {
              dragged.current = column
              event.dataTransfer.effectAllowed = 'move'
            },
            onDragOver: (event) => {
              if (dragged.current !== undefined) event.preventDefault()
            },
            onDrop: () => dragged.current !== undefined && move(dragged.current, column),
            onDragEnd: () => {
              dragged.current = undefined
            },
          }}
        >
          <Edge
            label={t('drive.columnWidth', { column: t(`drive.column.${column}`) })}
            width={width}
            onWidth={(next) => resize(column, next)}
            onUsual={() => resize(column, usualWidth(column))}
          />
        </Head>
      ))}
    </Fragment>
  )
}

interface FixedHeadsProps {
  readonly columns: readonly ItemColumn[]
  /** The sort order, where it can be chosen: by the name, and by the columns that have a sort key. */
  readonly sorting?: Sorting | undefined
  readonly onSort?: ((sort: SortKey) => void) | undefined
}

/** The headers of fixed columns, starting with the name. */
export function FixedHeads({ columns: fixed, sorting, onSort }: FixedHeadsProps): ReactNode {
  const t = useT()
  if (sorting !== undefined && onSort !== undefined)
    return [{ id: 'name', label: 'drive.column.name', sort: 'name' } as const, ...fixed].map(({ id, label, sort }) => (
      <Head key={id} className={`dr-cell-${id}`} text={t(label)} sort={sort} sorting={sorting} onSort={onSort} />
    ))
  return (
    <Fragment>
      <span role="columnheader" className="dr-cell-name">
        {t('drive.column.name')}
      </span>
      {fixed.map(({ id, label }) => (
        <span key={id} role="columnheader" className={id === 'size' ? 'dr-cell-size' : undefined}>
          {t(label)}
        </span>
      ))}
    </Fragment>
  )
}

interface HeadProps {
  readonly className: string
  readonly text: string
  readonly sort: SortKey | undefined
  readonly sorting: Sorting
  readonly onSort: (sort: SortKey) => void
  readonly onMenu?: (event: React.MouseEvent) => void
  readonly drag?: Pick<React.DOMAttributes<HTMLElement>, 'onDragStart' | 'onDragOver' | 'onDrop' | 'onDragEnd'>
  readonly children?: ReactNode
}

function Head({ className, text, sort, sorting, onSort, onMenu, drag, children }: HeadProps): ReactNode {
  const here = sort !== undefined && sorting.sort === sort
  const arrow = sorting.order === 'asc' ? <ArrowUp12Regular /> : <ArrowDown12Regular />
  const order = sorting.order === 'asc' ? 'ascending' : 'descending'
  return (
    <span
      role="columnheader"
      className={className}
      {...(sort !== undefined && { 'aria-sort': here ? order : 'none' })}
      onContextMenu={onMenu}
      draggable={drag !== undefined}
      {...drag}
    >
      {sort === undefined ? (
        <span className="dr-head-text">{text}</span>
      ) : (
        <button type="button" className={here ? 'is-sorted' : ''} onClick={() => onSort(sort)}>
          {text}
          {here && arrow}
        </button>
      )}
      {children}
    </span>
  )
}

interface EdgeProps {
  readonly label: string
  readonly width: number
  readonly onWidth: (width: number) => void
  readonly onUsual: () => void
}

/** The left edge of a column: columns right of the name grow to the left. */
function Edge({ label, width, onWidth, onUsual }: EdgeProps): ReactNode {
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault()
    const edge = event.currentTarget
    const from = event.clientX
    const move = (moved: globalThis.PointerEvent): void => onWidth(width + from - moved.clientX)
    const end = (): void => {
      edge.removeEventListener('pointermove', move)
      edge.removeEventListener('pointerup', end)
      edge.removeEventListener('pointercancel', end)
    }
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end)
    edge.addEventListener('pointercancel', end)
  }
  return (
    <i
      className="dr-column-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={columnWidth.least}
      aria-valuemax={columnWidth.most}
      tabIndex={-1}
      onPointerDown={onPointerDown}
      onDoubleClick={onUsual}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowLeft' ? step : event.key === 'ArrowRight' ? -step : 0
        if (by === 0) return
        event.preventDefault()
        event.stopPropagation()
        onWidth(width + by)
      }}
    />
  )
}
