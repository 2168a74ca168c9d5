/*
 * The rows of a folder as a grid: virtual, so that 10,000 items scroll like ten. It knows rows, selection, keyboard and
 * drags; what an action does is the view's.
 */
import type { ItemRecord } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { ArrowDown12Regular, ArrowUp12Regular, Checkmark12Filled, Subtract12Filled } from '@fluentui/react-icons'
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
import { useT } from '../../core/i18n.ts'
import { isComposing } from '../../core/keys.ts'
import type { ActionContext } from '../actions.ts'
import { allowDrop, type DropPlan, endDrag, performDrop, planDrop, startDrag, useSpring } from '../drag.ts'
import { type ItemKey, keyOf } from '../item.ts'
import { dragGhost } from './drag-ghost.ts'
import type { FolderList, ListState, Sorting, SortKey } from './folder-list.ts'
import { Row } from './row.tsx'
import { useRubberBand } from './rubber-band.ts'
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
import { beginsWith, typeAheadMs } from './type-ahead.ts'

const rowHeight = 36
const overscan = 12
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

  const virtualizer: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: state.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    initialOffset: props.initialScroll,
    getItemKey: (index) => list.keyAt(index) ?? index,
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
        if (focusIndex < 0 || focusIndex >= range.count || shown.includes(focusIndex)) return shown
        return focusIndex < (shown[0] ?? 0) ? [focusIndex, ...shown] : [...shown, focusIndex]
      },
      [focusIndex],
    ),
  })
  const rows = virtualizer.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  // What is in sight, and ahead of it what a fast scroll passes in a second.
  useEffect(() => {
    void list.ensure(startIndex - ahead, endIndex + ahead)
  }, [list, startIndex, endIndex, state.total])

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
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
      redraw()
    },
    [virtualizer],
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

  const before = useRef(selection)
  const { band, ended, onPointerDown } = useRubberBand(scroller, {
    begin: () => {
      before.current = selection
      scroller.current?.focus({ preventScroll: true })
    },
    cover: ({ top, bottom }, modifiers) => {
      const span = { from: Math.floor(top / rowHeight), to: Math.floor(bottom / rowHeight) + 1 }
      onSelect(selectBand(before.current, orderOf(list), [span], modifiers))
    },
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

  const pageRows = (): number => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)

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
      ArrowDown: focusIndex + 1,
      ArrowUp: focusIndex < 0 ? state.total - 1 : focusIndex - 1,
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
      className={`dr-grid${count > 0 ? ' has-selection' : ''}`}
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
        <HeadCell {...props} column="name" className="dr-cell-name" text={t('drive.column.name')} />
        <HeadCell {...props} column="time" className="dr-cell-time" text={t('drive.column.time')} />
        <span role="columnheader" className="dr-cell-by">
          {t('drive.column.by')}
        </span>
        <HeadCell {...props} column="size" className="dr-cell-size" text={t('drive.column.size')} />
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
          {rows.map((row) => {
            const item = state.items[row.index]
            if (item === undefined) {
              return (
                <div
                  key={row.key}
                  className={`dr-row is-waiting${isSelected(selection, undefined, row.index) ? ' is-selected' : ''}`}
                  style={{ transform: `translateY(${row.start}px)` }}
                  data-index={row.index}
                  aria-hidden="true"
                >
                  <i />
                  <i />
                </div>
              )
            }
            const key = keyOf(item)
            return (
              <Row
                key={row.key}
                item={item}
                index={row.index}
                top={row.start}
                selected={selection.keys.has(key)}
                focused={row.index === focusIndex}
                cut={props.cut.has(key)}
                editing={editing === key}
                dropTarget={drop === key}
                locale={locale}
                now={props.now}
                isTaken={isTaken}
                onRename={props.onRename}
                onEditEnd={props.onEditEnd}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface HeadCellProps {
  readonly column: SortKey
  readonly className: string
  readonly text: string
  readonly sorting: Sorting
  readonly onSort: (sort: SortKey) => void
}

function HeadCell({ column, className, text, sorting, onSort }: HeadCellProps): ReactNode {
  const here = sorting.sort === column
  const arrow = sorting.order === 'asc' ? <ArrowUp12Regular /> : <ArrowDown12Regular />
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={here ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className={here ? 'is-sorted' : ''} onClick={() => onSort(column)}>
        {text}
        {here && arrow}
      </button>
    </span>
  )
}
