/*
 * The rows of a list as a virtual grid: 10,000 items scroll as smoothly as ten. It handles rows, selection, keyboard
 * and drags; the page implements the actions. The layout, keyboard and pointer handling are in separate files.
 */

import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { debounced, scrollWait } from '../../../core/storage/debounced.ts'
import type { ActionContext } from '../../../items/actions/actions.ts'
import { type ItemKey, keyOf } from '../../../items/item/item.ts'
import { clearSelection, countOf, orderOf, type Selection, selectAll } from '../../../items/lists/selection.ts'
import { useVisibleLines } from '../../../items/lists/visible-lines.ts'
import { Checkmark12Filled, Subtract12Filled } from '../../../kit/icons.ts'
import type { DropPlan } from '../../drag/drag.ts'
import { ColumnHeads, FixedHeads } from './column-heads.tsx'
import { itemColumns } from './columns.ts'
import { GridLines } from './grid-lines.tsx'
import { GroupHead, groupLabel } from './groups.tsx'
import type { GridHandle, ListSource } from './list-source.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { headHeight, useGridLayout } from './use-grid-layout.ts'
import { rowOf, useGridPointer } from './use-grid-pointer.ts'
import type { ListRows } from './use-list-rows.ts'
import { useRowDrops } from './use-row-drops.ts'
import { useColumns } from './view-mode.ts'
import './item-grid.css'

const overscan = 12
const overscanTiles = 3
/**
 * Rows rendered ahead of the visible ones in the direction of scrolling: what a slow machine scrolls past in one frame.
 */
const overscanAhead = 32
/** Rows fetched ahead of the visible ones: what a fast scroll passes in three seconds. */
const ahead = 250

interface ItemGridProps {
  readonly ref: RefObject<GridHandle | null>
  readonly source: ListSource
  readonly rows: ListRows
  readonly cut: ReadonlySet<ItemKey>
  readonly context: ActionContext
  readonly onEditEnd: (isConfirmed: boolean) => void
  /** The user wants to rename the selected row. */
  readonly onRenameKey: () => void
  /** Opens the menu of the selection, or of the empty area if nothing is selected. */
  readonly onMenu: (at: { x: number; y: number }, selected: Selection) => void
  readonly onDropPlan: (plan: DropPlan | undefined) => void
}

const nobodyRenames = (): Promise<void> => Promise.resolve()

export function ItemGrid(props: ItemGridProps): ReactNode {
  const { ref, source, rows, context, cut, onEditEnd, onRenameKey, onMenu, onDropPlan } = props
  const {
    rows: list,
    folder,
    view = 'list',
    sorting,
    groups,
    onOpen,
    onRename = nobodyRenames,
    visit,
    onVisit,
    rowRenderer,
  } = source
  const { state, selection, setSelection: onSelect, editing, now } = rows
  const scroller = useRef<HTMLDivElement>(null)
  // The position is kept when scrolling rests ([R087]), and when the list is left. Rows are drawn at once.
  const [scrolled] = useState(() => debounced((keep: () => void) => keep(), scrollWait))
  useEffect(() => scrolled.flush, [scrolled])
  const focusIndex = selection.focus === undefined ? -1 : list.indexOf(selection.focus)
  const count = countOf(selection)
  const place = useGridLayout(scroller, { view, total: state.total, groups, height: rowRenderer?.height })
  const { layout, lineHeight } = place
  const areTiles = view !== 'list'
  const { lines, inSight, scrollTo } = useVisibleLines(scroller, layout, {
    initialScroll: visit?.scroll ?? 0,
    overscan: areTiles ? overscanTiles : overscan,
    overscanAhead: areTiles ? overscanTiles : overscanAhead,
    // The focused row stays in the DOM when it is scrolled out of view, because otherwise the focus and its key events
    // would be lost.
    kept: focusIndex < 0 ? -1 : layout.lineOf(focusIndex),
  })
  const first = layout.line(inSight.from)
  const end = layout.line(inSight.to - 1).to
  // Loads the visible rows, and `ahead` rows on either side for fast scrolling.
  useEffect(() => {
    if (state.total > 0) void list.ensure(first.from - ahead, end + ahead)
  }, [list, first.from, end, state.total])

  const focus = useGridFocus({
    scroller,
    focusIndex,
    isEditing: editing !== undefined,
    scrollToRow: useCallback(
      (index) => scrollTo(layout.lineOf(index), groups === undefined ? 0 : headHeight),
      [layout, scrollTo, groups],
    ),
  })
  useImperativeHandle(ref, () => ({
    reveal: (key) => focus.reveal(list.indexOf(key)),
    focus: () => {
      focus.wantFocus()
      if (focusIndex < 0) focus.focusGround()
      else focus.reveal(focusIndex)
    },
  }))
  const { goTo, onKeyDown } = useGridKeys({
    list,
    layout,
    areTiles,
    focusIndex,
    selection,
    onSelect,
    reveal: focus.reveal,
    pageLines: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 1),
  })
  const { band, handlers } = useGridPointer({
    scroller,
    list,
    place,
    focus,
    selection,
    onSelect,
    goTo,
    onOpen,
    onRenameKey,
    onMenu,
  })
  const drops = useRowDrops({
    folder,
    context,
    itemOf: (event) => state.items[rowOf(event.target)],
    onOpen,
    onPlan: onDropPlan,
  })
  const isTaken = useNameTaken(list, editing)
  const [shown, setShown] = useColumns()
  const fixed = source.columns
  const columns = useMemo(() => fixed?.columns ?? shown.map(({ column }) => itemColumns[column]), [fixed, shown])
  const template = fixed?.template ?? `36px minmax(160px, 1fr) ${shown.map(({ width }) => `${width}px`).join(' ')}`
  // The header of the current group is pinned above the rows.
  const pinned = first.isHead ? undefined : first.group
  const sort = sorting?.sort ?? 'name'
  return (
    <div
      className={`dr-grid is-${view}${count > 0 ? ' has-selection' : ''}`}
      style={{ '--dr-columns': template } as React.CSSProperties}
      role="grid"
      aria-label={source.label}
      aria-rowcount={state.total}
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      {...focus.handlers}
    >
      <div className="dr-head" role="row">
        <span role="columnheader" className="dr-cell-check">
          <AllCheck
            count={count}
            total={state.total}
            onToggle={(isAll) => onSelect(isAll ? clearSelection(selection) : selectAll(selection, orderOf(list)))}
          />
        </span>
        {fixed === undefined && sorting !== undefined ? (
          <ColumnHeads shown={shown} onShown={setShown} sorting={sorting} onSort={(by) => source.onSort?.(by)} />
        ) : (
          <FixedHeads columns={columns} sorting={sorting} onSort={source.onSort} />
        )}
      </div>
      <div
        className="dr-scroll"
        ref={scroller}
        tabIndex={focusIndex < 0 ? 0 : -1}
        role="rowgroup"
        onScroll={({ currentTarget: { scrollTop } }) => scrolled.later(() => onVisit?.({ scroll: scrollTop }))}
        {...handlers}
        {...drops.handlers}
      >
        {pinned !== undefined && <GroupHead group={pinned} label={groupLabel(sort, pinned)} isPinned />}
        <div className="dr-rows" style={{ height: layout.height }}>
          {band && <Band {...band} />}
          <GridLines
            lines={lines}
            items={state.items}
            place={place}
            columns={columns}
            look={rowRenderer}
            canDrag={folder !== undefined}
            sort={sort}
            selection={selection}
            focusIndex={focusIndex}
            cut={cut}
            editing={editing}
            dropTarget={drops.target}
            now={now}
            context={context}
            isTaken={isTaken}
            onRename={onRename}
            onEditEnd={onEditEnd}
          />
        </div>
      </div>
    </div>
  )
}

interface AllCheckProps {
  /** The number of selected rows, and of all. */
  readonly count: number
  readonly total: number
  readonly onToggle: (isAll: boolean) => void
}

/** Selects all rows, or none. */
function AllCheck({ count, total, onToggle }: AllCheckProps): ReactNode {
  const t = useT()
  const checked = count > 0 && count >= total
  return (
    <button
      type="button"
      className={`dr-check${count > 0 ? ' is-on' : ''}`}
      role="checkbox"
      aria-checked={checked ? true : count > 0 ? 'mixed' : false}
      aria-label={t('drive.selectAll')}
      disabled={total === 0}
      onClick={() => onToggle(checked)}
    >
      {checked ? <Checkmark12Filled /> : count > 0 ? <Subtract12Filled /> : null}
    </button>
  )
}

/** The rectangle that the pointer draws to select rows. */
function Band({ left, top, right, bottom }: NonNullable<ReturnType<typeof useGridPointer>['band']>): ReactNode {
  return (
    <div
      className="dr-band"
      style={{
        transform: `translate(${left}px, ${top}px)`,
        width: right - left,
        height: bottom - top,
      }}
    />
  )
}

/** Whether another row of the list has a name. */
function useNameTaken(list: ListSource['rows'], editing: ItemKey | undefined): (name: string) => boolean {
  return useCallback(
    (name: string): boolean => {
      const wanted = name.trim().toLowerCase()
      return list
        .snapshot()
        .items.some((item) => item?.fName.toLowerCase() === wanted && item !== undefined && keyOf(item) !== editing)
    },
    [list, editing],
  )
}
