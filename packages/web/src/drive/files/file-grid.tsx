/*
 * The rows of a folder as a grid: virtual, so that 10,000 items scroll like ten. It knows rows, selection, keyboard and
 * drags; what an action does is the view's.
 */
import type { ItemRecord } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { Checkmark12Filled, Subtract12Filled } from '@fluentui/react-icons'
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useDensity } from '../../core/density.ts'
import { useT } from '../../core/i18n.ts'
import { isComposing } from '../../core/keys.ts'
import { type ActionContext, evaluate } from '../actions.ts'
import { allowDrop, type DropPlan, endDrag, performDrop, planDrop, startDrag, useSpring } from '../drag.ts'
import { type ItemKey, keyOf } from '../item.ts'
import { ColumnHeads } from './column-heads.tsx'
import { dragGhost } from './drag-ghost.ts'
import type { FolderList, ListState, Sorting, SortKey, Span } from './folder-list.ts'
import { Row } from './row.tsx'
import { type Band, useRubberBand } from './rubber-band.ts'
import {
  clearSelection,
  clickRow,
  countOf,
  invertSelection,
  isSelected,
  knownItems,
  type Modifiers,
  moveFocus,
  orderOf,
  type Selection,
  selectAll,
  selectBand,
  toggleRow,
} from './selection.ts'
import { Tile } from './tile.tsx'
import { beginsWith, typeAheadMs } from './type-ahead.ts'
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
/** Milliseconds between two clicks that name a row. */
const secondClickMs = { least: 500, most: 1200 } as const
/** Milliseconds without a word of a drag after which it is over. */
const dragSilenceMs = 1000

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

const modifiersOf = (event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): Modifiers => ({
  toggle: event.ctrlKey || event.metaKey,
  extend: event.shiftKey,
})

/** The list of a folder's items. */
export function FileGrid(props: FileGridProps): ReactNode {
  const { ref, list, state, folder, selection, onSelect, context, locale, editing } = props
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const [drop, setDrop] = useState<ItemKey>()
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
  const lineWithFocus = focusIndex < 0 ? -1 : Math.floor(focusIndex / perLine)

  const virtualizer: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: Math.ceil(state.total / perLine),
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    paddingStart: tile === undefined ? 0 : gap,
    overscan: tile === undefined ? overscan : overscanTiles,
    initialOffset: props.initialScroll,
    getItemKey: (line) => (perLine === 1 ? (list.keyAt(line) ?? line) : line),
    // The row with the keyboard stays in the page when it is scrolled out of sight, or keys would go nowhere.
    rangeExtractor: useCallback(
      (range: Range) => {
        const { scrollDirection } = virtualizer
        const shown = defaultRangeExtractor(
          scrollDirection === 'forward'
            ? { ...range, endIndex: Math.min(range.count - 1, range.endIndex + overscanAhead - overscan) }
            : scrollDirection === 'backward'
              ? { ...range, startIndex: Math.max(0, range.startIndex - overscanAhead + overscan) }
              : range,
        )
        if (lineWithFocus < 0 || lineWithFocus >= range.count || shown.includes(lineWithFocus)) return shown
        return lineWithFocus < (shown[0] ?? 0) ? [lineWithFocus, ...shown] : [...shown, lineWithFocus]
      },
      [lineWithFocus],
    ),
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, lineHeight, perLine])
  const lines = virtualizer.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  // What is in sight, and ahead of it what a fast scroll passes in a second.
  useEffect(() => {
    void list.ensure(startIndex * perLine - ahead, (endIndex + 1) * perLine + ahead)
  }, [list, startIndex, endIndex, perLine, state.total])

  // The keyboard follows the focused row once the row is drawn; when the row it was on is gone, its successor gets it.
  const wantsFocus = useRef(false)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      wantsFocus.current = true
      if (state.total === 0) scroller.current?.focus({ preventScroll: true })
    }
    // A name field has the keyboard until it ends.
    if (editing !== undefined) wantsFocus.current = false
    if (!wantsFocus.current || focusIndex < 0) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focusIndex}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })

  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const reveal = useCallback(
    (index: number): void => {
      wantsFocus.current = true
      if (index >= 0) virtualizer.scrollToIndex(Math.floor(index / perLine), { align: 'auto' })
      redraw()
    },
    [virtualizer, perLine],
  )
  useImperativeHandle(ref, () => ({
    reveal: (key) => reveal(list.indexOf(key)),
    focus: () => {
      wantsFocus.current = true
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
    if (tile === undefined) return [{ from: Math.floor(top / rowHeight), to: Math.floor(bottom / rowHeight) + 1 }]
    const across = tileWidth + gap
    const [first, last] = [Math.floor((left - gap / 2) / across), Math.floor((right - gap / 2) / across)]
    const spans: Span[] = []
    for (let line = Math.floor(top / lineHeight); line <= Math.floor(bottom / lineHeight); line++) {
      const from = line * perLine
      spans.push({ from: from + Math.max(0, first), to: from + Math.min(perLine, last + 1) })
    }
    return spans
  }
  const before = useRef(selection)
  const { band, ended, onPointerDown } = useRubberBand(scroller, {
    begin: () => {
      before.current = selection
      scroller.current?.focus({ preventScroll: true })
    },
    cover: (over, modifiers) => onSelect(selectBand(before.current, orderOf(list), covered(over), modifiers)),
    cancel: () => onSelect(before.current),
  })

  // A second click on the name of the only selected row, after a pause, names it; a double click opens it.
  const slow = useRef<{ readonly key: ItemKey; readonly at: number }>(undefined)
  const renaming = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(renaming.current), [])
  const secondClick = (event: React.MouseEvent, key: ItemKey): void => {
    clearTimeout(renaming.current)
    const first = slow.current
    slow.current = { key, at: event.timeStamp }
    const pause = event.timeStamp - (first?.at ?? 0)
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey
    const onName = event.target instanceof Element && event.target.closest('.dr-name') !== null
    if (!plain || !onName || event.detail > 1 || first?.key !== key || selection.keys.size !== 1) return
    if (pause < secondClickMs.least || pause > secondClickMs.most) return
    slow.current = undefined
    renaming.current = setTimeout(props.onRenameKey, secondClickMs.least)
  }

  const onClick = (event: React.MouseEvent): void => {
    if (ended.current) return
    const index = rowOf(event.target)
    const key = list.keyAt(index)
    if (key === undefined && index >= 0) return goTo(index, modifiersOf(event))
    if (key === undefined) {
      onSelect(clearSelection(selection))
      scroller.current?.focus({ preventScroll: true })
      return
    }
    wantsFocus.current = true
    const onCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
    if (onCheck && !event.shiftKey) onSelect(toggleRow(selection, key))
    else {
      secondClick(event, key)
      onSelect(clickRow(selection, orderOf(list), index, modifiersOf(event)))
    }
  }

  const pageRows = (): number =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 1) * perLine

  const goTo = (index: number, modifiers: Modifiers): void => {
    const target = Math.max(0, Math.min(state.total - 1, index))
    const go = (): void => {
      onSelect((before) => moveFocus(before, orderOf(list), target, modifiers))
      reveal(Math.min(target, list.length - 1))
    }
    if (list.keyAt(target) !== undefined) go()
    else void list.ensure(target).then(go)
  }

  // Letters go to the next name that begins with them; the same one again, to the one after.
  const typed = useRef({ text: '', at: 0 })
  const typeAhead = (event: React.KeyboardEvent): boolean => {
    const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey
    const going = event.timeStamp - typed.current.at < typeAheadMs && typed.current.text !== ''
    if (!letter || (event.key === ' ' && !going) || isComposing(event)) return false
    const text = going ? typed.current.text + event.key : event.key
    typed.current = { text, at: event.timeStamp }
    const again = [...text].every((one) => one === text[0])
    const start = going && !again ? focusIndex : focusIndex + 1
    void list.find(again ? event.key : text, Math.max(0, start), beginsWith).then((index) => {
      if (index >= 0) goTo(index, {})
    })
    return true
  }

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.altKey) return
    const modifiers = modifiersOf(event)
    const command = modifiers.toggle === true
    const jumps: Partial<Record<string, number>> = {
      ArrowDown: focusIndex < 0 ? 0 : focusIndex + perLine,
      ArrowUp: focusIndex < 0 ? state.total - 1 : focusIndex - perLine,
      ...(tile && { ArrowRight: focusIndex + 1, ArrowLeft: focusIndex - 1 }),
      Home: 0,
      End: state.total - 1,
      PageDown: focusIndex + pageRows(),
      PageUp: focusIndex - pageRows(),
    }
    const jump = jumps[event.key]
    // Whatever is no letter ends a word.
    if (event.key.length > 1) typed.current = { text: '', at: 0 }
    if (jump !== undefined) goTo(jump, modifiers)
    else if (command && event.key.toLowerCase() === 'a') {
      onSelect(event.shiftKey ? invertSelection(selection, orderOf(list)) : selectAll(selection, orderOf(list)))
    } else if (command && event.key === ' ' && selection.focus !== undefined) {
      onSelect(toggleRow(selection, selection.focus))
    } else if (event.key === 'Escape' && count > 0) onSelect(clearSelection(selection))
    else if (!typeAhead(event)) return
    event.preventDefault()
    event.stopPropagation()
  }

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

  const planAt = (event: React.DragEvent): DropPlan | undefined => {
    const item = state.items[rowOf(event.target)]
    const onFolder = item?.fType === 2 ? planDrop(event, item, context) : undefined
    return onFolder ?? planDrop(event, folder, context)
  }
  // A drag that ends outside of the page tells nobody; while it lasts, it speaks several times a second.
  const spring = useSpring()
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(silence.current), [])
  const showPlan = (plan: DropPlan | undefined): void => {
    clearTimeout(silence.current)
    if (plan !== undefined) silence.current = setTimeout(() => showPlan(undefined), dragSilenceMs)
    const onRow = plan !== undefined && plan.target.fId !== folder.fId
    setDrop(onRow ? keyOf(plan.target) : undefined)
    if (onRow) spring.rest(keyOf(plan.target), () => props.onOpen(plan.target))
    else spring.leave()
    props.onDropPlan(plan)
  }

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
          else ended.current = false
        }}
        onDoubleClick={(event) => {
          clearTimeout(renaming.current)
          const item = state.items[rowOf(event.target)]
          const onCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
          if (item !== undefined && !onCheck) props.onOpen(item)
        }}
        onContextMenu={onContextMenu}
        onDragStart={onDragStart}
        onDragEnd={() => {
          endDrag()
          showPlan(undefined)
        }}
        onDragOver={(event) => {
          const plan = planAt(event)
          allowDrop(event, plan)
          showPlan(plan)
        }}
        onDragLeave={(event) => {
          const to = event.relatedTarget
          if (!(to instanceof Node && event.currentTarget.contains(to))) showPlan(undefined)
        }}
        onDrop={(event) => {
          performDrop(event, planAt(event))
          showPlan(undefined)
        }}
      >
        <div className="dr-rows" style={{ height: virtualizer.getTotalSize() }}>
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
          {lines.flatMap((line) =>
            Array.from({ length: Math.min(perLine, state.total - line.index * perLine) }, (_, across) => {
              const index = line.index * perLine + across
              const left = gap + across * (tileWidth + gap)
              const item = state.items[index]
              if (item === undefined) {
                return (
                  <div
                    key={`waiting-${index}`}
                    className={`dr-row is-waiting${isSelected(selection, undefined, index) ? ' is-selected' : ''}`}
                    style={{
                      transform: `translate(${tile === undefined ? 0 : left}px, ${line.start}px)`,
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
                top: line.start,
                selected: selection.keys.has(key),
                focused: index === focusIndex,
                cut: props.cut.has(key),
                editing: editing === key,
                dropTarget: drop === key,
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
            }),
          )}
        </div>
      </div>
    </div>
  )
}
