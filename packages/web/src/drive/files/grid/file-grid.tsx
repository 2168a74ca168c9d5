/*
 * The rows of a folder as a grid: virtual, so that 10,000 items scroll like ten. It knows rows, selection, keyboard and
 * drags; what an action does is the view's.
 */
import type { ItemRecord } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { Checkmark12Filled, Subtract12Filled } from '@fluentui/react-icons'
import {
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { useDensity } from '../../../core/theme/density.ts'
import { type ActionContext, evaluate } from '../../actions/actions.ts'
import { type DropPlan, startDrag } from '../../drag/drag.ts'
import { dragGhost } from '../../drag/drag-ghost.ts'
import { type ItemKey, keyOf } from '../../item/item.ts'
import type { FolderList, ListState, Sorting, SortKey, Span } from '../../lists/folder-list.ts'
import { fitGroups, type Group, ListLayout } from '../../lists/list-layout.ts'
import {
  clearSelection,
  clickRow,
  countOf,
  isSelected,
  knownItems,
  orderOf,
  type Selection,
  selectAll,
  selectBand,
  selectSpan,
  toggleRow,
} from '../../lists/selection.ts'
import { useVisibleLines } from '../../lists/visible-lines.ts'
import { ColumnHeads } from './column-heads.tsx'
import { GroupHead, groupLabel } from './groups.tsx'
import { Row } from './row.tsx'
import { type Band, useRubberBand } from './rubber-band.ts'
import { Tile } from './tile.tsx'
import { modifiersOf, useGridKeys } from './use-grid-keys.ts'
import { useRowDrops } from './use-row-drops.ts'
import { useSecondClick } from './use-second-click.ts'
import { useColumns, type ViewMode } from './view-mode.ts'

/** The tiles of a view: how wide at least, how high, how large the sign of a kind is in them. */
const tiles = {
  grid: { width: 144, height: 168, sign: 64 },
  gallery: { width: 208, height: 216, sign: 64 },
} as const
/** Around and between tiles. */
const gap = 8
const overscan = 12
const overscanTiles = 3
/** Rows drawn beyond those in sight where a scroll is going: what a slow machine passes in one frame. */
const overscanAhead = 32
/** Rows fetched beyond those in sight: what a fast scroll passes in three seconds. */
const ahead = 250
/** How high the head of a group is. */
const headHeight = 36

/** What the view asks of the grid. */
export interface GridHandle {
  /** Scrolls the row into sight and gives it the keyboard. */
  reveal(key: ItemKey): void
  focus(): void
}

interface FileGridProps {
  readonly ref: RefObject<GridHandle | null>
  readonly list: FolderList
  readonly state: ListState
  readonly folder: ItemRecord
  readonly view: ViewMode
  readonly sorting: Sorting
  /** All rows under heads, in their order; undefined where there are none. */
  readonly groups: readonly Group[] | undefined
  readonly onSort: (sort: SortKey) => void
  readonly selection: Selection
  readonly onSelect: Dispatch<SetStateAction<Selection>>
  readonly editing: ItemKey | undefined
  /** Somebody wants to name the selected row. */
  readonly onRenameKey: () => void
  readonly onRename: (item: ItemRecord, name: string) => Promise<void>
  readonly onEditEnd: () => void
  readonly cut: ReadonlySet<ItemKey>
  readonly context: ActionContext
  readonly locale: Locale
  readonly now: number
  readonly onOpen: (item: ItemRecord) => void
  /** A menu for what is selected, or for the ground when nothing is. */
  readonly onMenu: (at: { x: number; y: number }, selected: Selection) => void
  readonly onDropPlan: (plan: DropPlan | undefined) => void
  readonly initialScroll: number
  readonly onScroll: (top: number) => void
  readonly label: string
}

/** The list of a folder's items. */
export function FileGrid(props: FileGridProps): ReactNode {
  const { ref, list, state, folder, selection, onSelect, context, locale, editing } = props
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const focusIndex = selection.focus === undefined ? -1 : list.indexOf(selection.focus)
  const count = countOf(selection)
  const { rowHeight } = useDensity()
  const [columns, setColumns] = useColumns()
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // A line holds one row of the list, or as many tiles as there is room for; they share what is left.
  const tile = props.view === 'list' ? undefined : tiles[props.view]
  const perLine = tile === undefined ? 1 : Math.max(1, Math.floor((room - gap) / (tile.width + gap)))
  const lineHeight = tile === undefined ? rowHeight : tile.height + gap
  const tileWidth = tile === undefined ? 0 : Math.floor((room - gap * (perLine + 1)) / perLine)

  const layout = useMemo(
    () =>
      new ListLayout({
        total: state.total,
        perLine,
        lineHeight,
        headHeight,
        padding: tile === undefined ? 0 : gap,
        groups: props.groups && fitGroups(props.groups, state.total),
      }),
    [state.total, perLine, lineHeight, tile, props.groups],
  )
  const { lines, inSight, scrollTo } = useVisibleLines(scroller, layout, {
    initialScroll: props.initialScroll,
    overscan: tile === undefined ? overscan : overscanTiles,
    overscanAhead: tile === undefined ? overscanAhead : overscanTiles,
    // The row with the keyboard stays in the page when it is scrolled out of sight, or keys would go nowhere.
    kept: focusIndex < 0 ? -1 : layout.lineOf(focusIndex),
  })
  const first = layout.line(inSight.from)
  const end = layout.line(inSight.to - 1).to
  // What is in sight, and ahead of it what a fast scroll passes in a second.
  useEffect(() => {
    if (state.total > 0) void list.ensure(first.from - ahead, end + ahead)
  }, [list, first.from, end, state.total])

  // The keyboard follows the focused row once the row is drawn; when the row it was on is gone, its successor gets it.
  // Until then the keyboard may go elsewhere, and stays there.
  const wish = useRef<{ readonly from: Element | null }>(undefined)
  const hadFocus = useRef(false)
  const wantFocus = useCallback((): void => {
    wish.current = { from: document.activeElement }
  }, [])
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      wantFocus()
      // Nothing to put it on: no row, or one that has moved to where none are loaded.
      if (focusIndex < 0) scroller.current?.focus({ preventScroll: true })
    }
    // A name field has the keyboard until it ends.
    if (editing !== undefined) wish.current = undefined
    if (wish.current === undefined || focusIndex < 0) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focusIndex}"]`)
    if (!row) return
    const at = document.activeElement
    const stayed = at === wish.current.from || at === document.body || scroller.current?.contains(at) === true
    wish.current = undefined
    if (stayed) row.focus({ preventScroll: true })
  })

  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const reveal = useCallback(
    (index: number): void => {
      wantFocus()
      if (index >= 0) scrollTo(layout.lineOf(index), props.groups === undefined ? 0 : headHeight)
      redraw()
    },
    [layout, scrollTo, props.groups, wantFocus],
  )
  // What waited for rows goes by the lines as they are by then.
  const latest = useRef(reveal)
  useLayoutEffect(() => {
    latest.current = reveal
  }, [reveal])
  useImperativeHandle(ref, () => ({
    reveal: (key) => reveal(list.indexOf(key)),
    focus: () => {
      wantFocus()
      if (focusIndex < 0) scroller.current?.focus({ preventScroll: true })
      else reveal(focusIndex)
    },
  }))

  const rowOf = (target: EventTarget): number => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    return row === null ? -1 : Number(row.dataset.index)
  }

  /** The positions that a band covers. */
  const covered = ({ left, top, right, bottom }: Band): Span[] => {
    const across = tileWidth + gap
    const [least, most] = tile === undefined ? [0, 0] : [left, right].map((x) => Math.floor((x - gap / 2) / across))
    const spans: Span[] = []
    for (let at = layout.lineAt(top); at <= Math.min(layout.lineAt(bottom), layout.lines - 1); at++) {
      const { from, to, isHead } = layout.line(at)
      const last = spans.at(-1)
      if (isHead) continue
      if (tile !== undefined)
        spans.push({ from: from + Math.max(0, least ?? 0), to: Math.min(to, from + (most ?? 0) + 1) })
      else if (last?.to === from) spans[spans.length - 1] = { from: last.from, to }
      else spans.push({ from, to })
    }
    return spans
  }
  const before = useRef(selection)
  const { band, endedRef, onPointerDown } = useRubberBand(scroller, {
    begin: () => {
      before.current = selection
      scroller.current?.focus({ preventScroll: true })
    },
    cover: (over, modifiers) => onSelect(selectBand(before.current, orderOf(list), covered(over), modifiers)),
    cancel: () => onSelect(before.current),
  })

  const secondClick = useSecondClick(props.onRenameKey)
  const onClick = (event: React.MouseEvent): void => {
    if (endedRef.current) return
    const head = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-group]') : null
    const group = head === null ? undefined : layout.ofGroup(head.dataset.group ?? '')
    if (group !== undefined)
      return onSelect(selectSpan(selection, orderOf(list), group, modifiersOf(event).toggle ?? false))
    const index = rowOf(event.target)
    const key = list.keyAt(index)
    if (key === undefined && index >= 0) return goTo(index, modifiersOf(event))
    if (key === undefined) {
      onSelect(clearSelection(selection))
      scroller.current?.focus({ preventScroll: true })
      return
    }
    wantFocus()
    const onCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
    if (onCheck && !event.shiftKey) onSelect(toggleRow(selection, key))
    else {
      secondClick.clicked(event, key, selection.keys.size === 1)
      onSelect(clickRow(selection, orderOf(list), index, modifiersOf(event)))
    }
  }

  const { goTo, onKeyDown } = useGridKeys({
    list,
    layout,
    perLine,
    focusIndex,
    selection,
    onSelect,
    reveal: (index) => latest.current(index),
    pageLines: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 1),
  })

  const onContextMenu = (event: React.MouseEvent): void => {
    event.preventDefault()
    const index = rowOf(event.target)
    const key = list.keyAt(index)
    const after =
      key === undefined
        ? clearSelection(selection)
        : selection.keys.has(key)
          ? selection
          : clickRow(selection, orderOf(list), index)
    if (after !== selection) onSelect(after)
    // The menu's own key has no pointer: it opens at the row.
    const box = (event.target as Element).getBoundingClientRect()
    const byKey = event.button !== 2
    const at = byKey ? { x: box.left + 44, y: box.bottom } : { x: event.clientX, y: event.clientY }
    props.onMenu(at, after)
  }

  const onDragStart = (event: React.DragEvent): void => {
    const index = rowOf(event.target)
    const key = list.keyAt(index)
    if (key === undefined) return
    const chosen = selection.keys.has(key) ? selection : clickRow(selection, orderOf(list), index)
    if (chosen !== selection) onSelect(chosen)
    const items = knownItems(chosen, list)
    startDrag(event, items, dragGhost(items))
  }

  const drops = useRowDrops({
    folder,
    context,
    itemOf: (event) => state.items[rowOf(event.target)],
    onOpen: props.onOpen,
    onPlan: props.onDropPlan,
  })

  // Over the rows stands the head of the group that is scrolled through.
  const pinned = first.isHead ? undefined : first.group
  const template = `36px minmax(160px, 1fr) ${columns.map(({ width }) => `${width}px`).join(' ')}`
  const checked = count > 0 && count >= state.total
  const isTaken = useCallback(
    (name: string): boolean => {
      const wanted = name.trim().toLowerCase()
      return list
        .snapshot()
        .items.some((item) => item?.fName.toLowerCase() === wanted && item !== undefined && keyOf(item) !== editing)
    },
    [list, editing],
  )

  return (
    <div
      className={`dr-grid is-${props.view}${count > 0 ? ' has-selection' : ''}`}
      style={{ '--dr-columns': template } as React.CSSProperties}
      role="grid"
      aria-label={props.label}
      aria-rowcount={state.total}
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) hadFocus.current = event.currentTarget.contains(event.relatedTarget)
      }}
    >
      <div className="dr-head" role="row">
        <span role="columnheader" className="dr-cell-check">
          <button
            type="button"
            className={`dr-check${count > 0 ? ' is-on' : ''}`}
            role="checkbox"
            aria-checked={checked ? true : count > 0 ? 'mixed' : false}
            aria-label={t('drive.selectAll')}
            disabled={state.total === 0}
            onClick={() => onSelect(checked ? clearSelection(selection) : selectAll(selection, orderOf(list)))}
          >
            {checked ? <Checkmark12Filled /> : count > 0 ? <Subtract12Filled /> : null}
          </button>
        </span>
        <ColumnHeads shown={columns} onShown={setColumns} sorting={props.sorting} onSort={props.onSort} />
      </div>
      <div
        className="dr-scroll"
        ref={scroller}
        tabIndex={focusIndex < 0 ? 0 : -1}
        role="rowgroup"
        onScroll={(event) => props.onScroll(event.currentTarget.scrollTop)}
        onClick={onClick}
        onPointerDown={(event) => {
          // Names and icons are dragged, and so is what is selected; from anywhere else a band is drawn.
          const grip = event.target instanceof Element && event.target.closest('[draggable=true], input, [data-check]')
          if (!grip) onPointerDown(event)
          else endedRef.current = false
        }}
        onDoubleClick={(event) => {
          secondClick.stop()
          const item = state.items[rowOf(event.target)]
          const onCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
          if (item !== undefined && !onCheck) props.onOpen(item)
        }}
        onContextMenu={onContextMenu}
        onDragStart={onDragStart}
        {...drops.handlers}
      >
        {pinned !== undefined && <GroupHead group={pinned} label={groupLabel(props.sorting.sort, pinned)} isPinned />}
        <div className="dr-rows" style={{ height: layout.height }}>
          {band && (
            <div
              className="dr-band"
              style={{
                transform: `translate(${band.left}px, ${band.top}px)`,
                width: band.right - band.left,
                height: band.bottom - band.top,
              }}
            />
          )}
          {lines.flatMap((line) => {
            if (line.isHead && line.group !== undefined) {
              const { group, top } = line
              const label = groupLabel(props.sorting.sort, group)
              return [<GroupHead key={`head-${group.fType}-${group.key}`} group={group} label={label} top={top} />]
            }
            return Array.from({ length: line.to - line.from }, (_, across) => {
              const index = line.from + across
              const left = gap + across * (tileWidth + gap)
              const item = state.items[index]
              if (item === undefined) {
                return (
                  <div
                    key={`waiting-${index}`}
                    className={`dr-row is-waiting${isSelected(selection, undefined, index) ? ' is-selected' : ''}`}
                    style={{
                      transform: `translate(${tile === undefined ? 0 : left}px, ${line.top}px)`,
                      ...(tile && { width: tileWidth, height: tile.height }),
                    }}
                    data-index={index}
                    aria-hidden="true"
                  >
                    <i />
                    <i />
                  </div>
                )
              }
              const key = keyOf(item)
              const shared = {
                item,
                index,
                top: line.top,
                selected: selection.keys.has(key),
                focused: index === focusIndex,
                cut: props.cut.has(key),
                editing: editing === key,
                dropTarget: drops.target === key,
                locale,
                now: props.now,
                isTaken,
                onRename: props.onRename,
                onEditEnd: props.onEditEnd,
              }
              return tile === undefined ? (
                <Row key={key} {...shared} columns={columns} />
              ) : (
                <Tile
                  key={key}
                  {...shared}
                  left={left}
                  width={tileWidth}
                  height={tile.height}
                  sign={tile.sign}
                  canPreview={evaluate('preview', [item], context).enabled}
                />
              )
            })
          })}
        </div>
      </div>
    </div>
  )
}
