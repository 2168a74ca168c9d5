// The recycle bin ([R243]-[R246]): what the person deleted, by time, to be restored or to go for good.
import { formatSize, fullTime, limits, shortTime } from '@cloudoc/domain'
import { ArrowUndo16Regular, Checkmark12Filled, Delete16Regular } from '@fluentui/react-icons'
import { useInfiniteQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { useDelayed } from '../../kit/use-delayed.ts'
import { removeForGood, restore, tell } from '../actions/operations.ts'
import { FileIcon, FolderIcon } from '../item/file-icon.tsx'
import { extOf, keyOf } from '../item/item.ts'
import { MiddleName } from '../item/middle-name.tsx'
import {
  clearSelection,
  clickRow,
  moveFocus,
  nothingSelected,
  type Order,
  type Selection,
  selectAll,
  toggleRow,
} from '../lists/selection.ts'
import { FolderFailure, SheetPicture, SkeletonRows, StatePage } from '../lists/states.tsx'

const rowHeight = 36
/** Today, 7 days, 30 days, all (X26). */
const ranges = [1, 2, 3, 4] as const
type Range = (typeof ranges)[number]
const queryKey = ['drive', 'recycle'] as const

function useBin(timeRange: Range) {
  return useInfiniteQuery({
    queryKey: [...queryKey, timeRange],
    queryFn: ({ pageParam }) => api.getRecycleList({ timeRange, from: pageParam, rows: limits.recycleRows }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.list.length, 0)
      return last.list.length > 0 && loaded < last.total ? loaded : undefined
    },
  })
}

/** The page /doc/folder/recycle. */
export function RecycleView(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const [range, setRange] = useState<Range>(4)
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const bin = useBin(range)
  const slow = useDelayed(bin.isPending)
  const items = useMemo(() => bin.data?.pages.flatMap((page) => page.list) ?? [], [bin.data])
  const total = bin.data?.pages.at(-1)?.total ?? 0
  const order: Order = useMemo(
    () => ({
      length: items.length,
      keyAt: (index) => items[index] && keyOf(items[index]),
      indexOf: (key) => items.findIndex((item) => keyOf(item) === key),
      has: (key) => items.some((item) => keyOf(item) === key),
    }),
    [items],
  )
  const chosen = items.filter((item) => selection.keys.has(keyOf(item)))
  const scroller = useRef<HTMLDivElement>(null)
  const focusIndex = selection.focus === undefined ? -1 : order.indexOf(selection.focus)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The row with the keyboard stays in the page when it is scrolled out of sight, or keys would go nowhere.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return focusIndex < 0 || shown.includes(focusIndex) ? shown : [...shown, focusIndex].sort((a, b) => a - b)
    },
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = bin
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= items.length - 20) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, items.length])

  const settle = (): void => {
    setSelection(nothingSelected)
    void queryClient.invalidateQueries({ queryKey })
    void queryClient.invalidateQueries({ queryKey: ['drive', 'space'] })
  }
  const bringBack = (): void => void restore(chosen).then(settle)
  const destroy = (): void => void removeForGood(chosen).then((done) => done && settle())
  const empty = async (): Promise<void> => {
    const yes = await confirmBox({
      title: t('drive.empty.title'),
      text: t('drive.empty.text', { n: total }),
      ok: t('drive.empty.ok'),
      danger: true,
    })
    if (!yes) return
    try {
      const { count } = await api.recycleClean({})
      toast({ kind: 'success', text: t('drive.empty.done', { n: count }) })
      settle()
    } catch (error) {
      tell(error)
    }
  }

  // The keyboard follows the focused row once the row is drawn.
  const moved = useRef(false)
  useLayoutEffect(() => {
    if (!moved.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focusIndex}"]`)
    if (!row) return
    moved.current = false
    row.focus({ preventScroll: true })
  })
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const command = event.ctrlKey || event.metaKey
    const modifiers = { toggle: command, extend: event.shiftKey }
    const goTo = (index: number): void => {
      moved.current = true
      setSelection(moveFocus(selection, order, index, modifiers))
      virtualizer.scrollToIndex(Math.max(0, Math.min(items.length - 1, index)))
    }
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => goTo(focusIndex + 1),
      ArrowUp: () => goTo(focusIndex - 1),
      Home: () => goTo(0),
      End: () => goTo(items.length - 1),
      Escape: () => setSelection(clearSelection(selection)),
      Delete: () => chosen.length > 0 && destroy(),
      F5: () => void bin.refetch(),
    }
    const act =
      command && event.key.toLowerCase() === 'a' ? () => setSelection(selectAll(selection, order)) : acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const rowOf = (target: EventTarget): number => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    return row === null ? -1 : Number(row.dataset.index)
  }

  return (
    <section className="dr-files dr-recycle" aria-label={t('drive.recycle')} onKeyDown={onKeyDown}>
      <div className="dr-path-bar">
        <h1>{t('drive.recycle')}</h1>
        <div className="dr-ranges" role="radiogroup" aria-label={t('drive.recycle.range')}>
          {ranges.map((one) => (
            <button
              key={one}
              type="button"
              role="radio"
              aria-checked={one === range}
              className={one === range ? 'is-on' : ''}
              onClick={() => {
                setRange(one)
                setSelection(nothingSelected)
              }}
            >
              {t(`drive.recycle.range${one}`)}
            </button>
          ))}
        </div>
      </div>
      {items.length > 0 && (
        <div className="dr-tools" role="toolbar" aria-label={t('drive.tools')}>
          <Button
            title={chosen.length === 0 ? t('drive.recycle.chooseFirst') : undefined}
            kind="primary"
            icon={<ArrowUndo16Regular />}
            disabled={chosen.length === 0}
            onClick={bringBack}
          >
            {t('drive.restore')}
          </Button>
          <Button
            title={chosen.length === 0 ? t('drive.recycle.chooseFirst') : undefined}
            icon={<Delete16Regular />}
            disabled={chosen.length === 0}
            onClick={destroy}
          >
            {t('drive.deleteForGood')}
          </Button>
          <span className="dr-order">
            <Button kind="danger" onClick={() => void empty()}>
              {t('drive.empty')}
            </Button>
          </span>
        </div>
      )}
      <div className="dr-list">
        {bin.error !== null && items.length === 0 ? (
          <FolderFailure error={bin.error} onRetry={() => void bin.refetch()} onUp={() => void bin.refetch()} />
        ) : bin.isPending ? (
          slow && <SkeletonRows count={8} />
        ) : items.length === 0 ? (
          <StatePage
            picture={<SheetPicture sign="bin" />}
            title={t(range === 4 ? 'drive.recycle.nothing' : 'drive.recycle.nothingInRange')}
            text={t('drive.recycle.hint')}
          >
            {range !== 4 && (
              <Button kind="primary" onClick={() => setRange(4)}>
                {t('drive.recycle.showAll')}
              </Button>
            )}
            <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
          </StatePage>
        ) : (
          <div
            className={`dr-grid is-recycle${selection.keys.size > 0 ? ' has-selection' : ''}`}
            role="grid"
            aria-label={t('drive.recycle')}
            aria-rowcount={total}
            aria-multiselectable="true"
          >
            <div className="dr-head" role="row">
              <span role="columnheader" className="dr-cell-check" aria-label={t('drive.column.check')} />
              <span role="columnheader" className="dr-cell-name">
                {t('drive.column.name')}
              </span>
              <span role="columnheader">{t('drive.column.place')}</span>
              <span role="columnheader">{t('drive.column.deleted')}</span>
              <span role="columnheader">{t('drive.column.deleter')}</span>
              <span role="columnheader" className="dr-cell-size">
                {t('drive.column.size')}
              </span>
            </div>
            <div
              className="dr-scroll"
              role="rowgroup"
              ref={scroller}
              tabIndex={focusIndex < 0 ? 0 : -1}
              onClick={(event) => {
                const key = order.keyAt(rowOf(event.target))
                const onCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
                if (key === undefined) setSelection(clearSelection(selection))
                else if (onCheck) setSelection(toggleRow(selection, key))
                else {
                  const modifiers = { toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey }
                  setSelection(clickRow(selection, order, rowOf(event.target), modifiers))
                }
              }}
              onContextMenu={(event) => {
                event.preventDefault()
                const key = order.keyAt(rowOf(event.target))
                if (key === undefined) return
                const now = selection.keys.has(key) ? selection : clickRow(selection, order, rowOf(event.target))
                setSelection(now)
                const these = items.filter((item) => now.keys.has(keyOf(item)))
                void showMenu(
                  [
                    {
                      id: 'restore',
                      label: t('drive.restore'),
                      icon: <ArrowUndo16Regular />,
                      run: () => void restore(these).then(settle),
                    },
                    { separator: true },
                    {
                      id: 'delete',
                      label: t('drive.deleteForGood'),
                      icon: <Delete16Regular />,
                      hint: 'Del',
                      danger: true,
                      run: () => void removeForGood(these).then((done) => done && settle()),
                    },
                  ],
                  { x: event.clientX, y: event.clientY },
                )
              }}
            >
              <div className="dr-rows" style={{ height: virtualizer.getTotalSize() }}>
                {rows.map((row) => {
                  const item = items[row.index]
                  if (item === undefined) return null
                  const key = keyOf(item)
                  const selected = selection.keys.has(key)
                  return (
                    <div
                      key={key}
                      role="row"
                      tabIndex={row.index === focusIndex ? 0 : -1}
                      aria-rowindex={row.index + 1}
                      aria-selected={selected}
                      data-index={row.index}
                      className={`dr-row${selected ? ' is-selected' : ''}${key === selection.focus ? ' is-focused' : ''}`}
                      style={{ transform: `translateY(${row.start}px)` }}
                    >
                      <span role="gridcell" className="dr-cell-check">
                        <span className="dr-check" data-check="">
                          {selected && <Checkmark12Filled />}
                        </span>
                      </span>
                      <span role="gridcell" className="dr-cell-name">
                        {item.fType === 2 ? <FolderIcon /> : <FileIcon ext={extOf(item)} />}
                        <MiddleName name={item.fName} isFolder={item.fType === 2} className="dr-name" />
                      </span>
                      <span role="gridcell" className="dr-cell-place" title={item.pathString}>
                        {item.pathString.replaceAll('/', ' › ')}
                      </span>
                      <span role="gridcell" className="dr-cell-time" title={fullTime(item.deleteTime)}>
                        {shortTime(item.deleteTime, Date.now(), locale)}
                      </span>
                      <span role="gridcell" className="dr-cell-by">
                        {item.deleterName}
                      </span>
                      <span role="gridcell" className="dr-cell-size">
                        {item.fType === 2 ? '—' : formatSize(item.fileSize)}
                      </span>
                    </div>
                  )
                })}
              </div>
            </div>
          </div>
        )}
      </div>
    </section>
  )
}
