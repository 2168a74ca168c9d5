// The filter of a column: selected values or a test; also sorting.
import type { Area, History, Workbook } from '@cloudoc/office/workbook'
import { type ColumnFilter, type Filter, type FilteredCell, hiddenRows, type Test } from '@cloudoc/office/workbook'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextSortAscending20Regular, TextSortDescending20Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { useAnchoredPosition } from '../../kit/use-anchored-position.ts'
import { changeStructure, compareTexts, sortArea, withoutSums } from './sheet-structure.ts'

/** The maximum number of values to list. */
const mostValues = 1000

const conditions = [
  'none',
  'equal',
  'notEqual',
  'contains',
  'lacks',
  'begins',
  'ends',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
] as const
type Condition = (typeof conditions)[number]

const plain = (value: string): string => value.replace(/[*?~]/g, '~$&')
const meant = (value: string): string => value.replace(/~([*?~])/g, '$1')

function testOf(condition: Exclude<Condition, 'none'>, value: string): Test {
  const inner = plain(value)
  if (condition === 'contains') return { operator: 'equal', value: `*${inner}*` }
  if (condition === 'lacks') return { operator: 'notEqual', value: `*${inner}*` }
  if (condition === 'begins') return { operator: 'equal', value: `${inner}*` }
  if (condition === 'ends') return { operator: 'equal', value: `*${inner}` }
  return { operator: condition, value: condition === 'equal' || condition === 'notEqual' ? inner : value }
}

function conditionOf(by: ColumnFilter | undefined): { readonly condition: Condition; readonly value: string } {
  const [test, more] = by?.kind === 'tests' ? by.tests : []
  if (test === undefined || more !== undefined) return { condition: 'none', value: '' }
  const { operator, value } = test
  if (operator !== 'equal' && operator !== 'notEqual') return { condition: operator, value }
  const begins = /(?<!~)\*$/.test(value)
  const ends = value.startsWith('*')
  const inner = meant(value.slice(ends ? 1 : 0, begins ? -1 : undefined))
  if (begins && ends) return { condition: operator === 'equal' ? 'contains' : 'lacks', value: inner }
  if (operator === 'equal' && (begins || ends)) return { condition: begins ? 'begins' : 'ends', value: inner }
  return { condition: operator, value: inner }
}

const seenIn =
  (book: Workbook, part: string) =>
  (row: number, column: number): FilteredCell => ({
    text: book.shown(part, row, column).text,
    content: book.content(part, row, column),
  })

/** Sets or removes the filter of a sheet, and hides or shows its rows. */
export function applyFilter(history: History, part: string, filter: Filter | undefined): boolean {
  const book = history.now()
  const { heights } = book.sheet(part)
  const out = filter === undefined ? [] : hiddenRows(filter, seenIn(book, part), (row) => heights.get(row) === 0)
  return changeStructure(history, part, { kind: 'filter', filter, out })
}

interface Value {
  readonly text: string
  readonly count: number
}

/** The displayed values of a column in the rows that the filters of the other columns show. */
function valuesOf(book: Workbook, part: string, filter: Filter, column: number): Value[] {
  const seen = seenIn(book, part)
  const { heights } = book.sheet(part)
  const others = { ...filter, columns: filter.columns.filter((one) => one.column !== column) }
  const out = new Set(hiddenRows(others, seen, (row) => heights.get(row) === 0))
  const counts = new Map<string, { count: number; number: number | undefined }>()
  for (let row = filter.area.top + 1; row <= filter.area.bottom; row++) {
    if (out.has(row)) continue
    const { text, content } = seen(row, column)
    const own = counts.get(text.trim()) ?? { count: 0, number: content.kind === 'number' ? content.value : undefined }
    own.count++
    counts.set(text.trim(), own)
  }
  return [...counts]
    .sort(([a, { number: x }], [b, { number: y }]) => {
      if (a === '' || b === '') return Number(a === '') - Number(b === '')
      if (x !== undefined && y !== undefined) return x - y
      return Number(x === undefined) - Number(y === undefined) || compareTexts(a, b)
    })
    .map(([text, { count }]) => ({ text, count }))
}

interface PanelProps {
  readonly history: History
  readonly part: string
  readonly filter: Filter
  readonly column: number
  /** The filter button in the column header. */
  readonly field: HTMLElement
  readonly close: () => void
}

/** The filter panel of a column. */
export function FilterPanel({ history, part, filter, column, field, close }: PanelProps): ReactNode {
  const t = useT()
  const panel = useRef<HTMLDivElement>(null)
  const searching = useRef<HTMLInputElement>(null)
  useEffect(() => searching.current?.focus({ preventScroll: true }), [])
  const place = useAnchoredPosition(field, panel, close)
  const book = history.now()
  const now = filter.columns.find((one) => one.column === column)?.by
  const all = useMemo(() => valuesOf(book, part, filter, column), [book, part, filter, column])
  const listed = all.slice(0, mostValues)
  const begun = conditionOf(now)
  const [condition, setCondition] = useState<Condition>(begun.condition)
  const [value, setValue] = useState(begun.value)
  const [search, setSearch] = useState('')
  const [off, setOff] = useState<ReadonlySet<string>>(() => {
    if (now?.kind !== 'values') return new Set()
    const on = new Set(now.values.map((one) => one.trim().toLowerCase()))
    return new Set(all.flatMap(({ text }) => ((text === '' ? now.blank : on.has(text.toLowerCase())) ? [] : [text])))
  })
  const found = listed.filter(({ text }) => text.toLowerCase().includes(search.trim().toLowerCase()))
  const isTested = condition !== 'none' && value.trim() !== ''
  const isAnyOn = found.some(({ text }) => !off.has(text))

  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Element)) return
      // The list of a select opens outside the panel.
      if (
        panel.current?.contains(target) === true ||
        field.contains(target) ||
        target.closest('.k-select-list') !== null
      )
        return
      close()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  }, [close, field])

  const put = (by: ColumnFilter | undefined): void => {
    const rest = filter.columns.filter((one) => one.column !== column)
    applyFilter(history, part, { ...filter, columns: by === undefined ? rest : [...rest, { column, by }] })
    close()
  }
  const apply = (): void => {
    if (condition !== 'none' && isTested) {
      return put({ kind: 'tests', tests: [testOf(condition, value.trim())], all: false })
    }
    // With a search text, only the values found are selected.
    const kept = (search.trim() === '' ? all : found).filter(({ text }) => !off.has(text))
    if (kept.length === all.length) return put(undefined)
    if (kept.length === 0) return
    put({
      kind: 'values',
      values: kept.map(({ text }) => text).filter((text) => text !== ''),
      blank: kept.some(({ text }) => text === ''),
    })
  }
  const sort = (direction: 1 | -1): void => {
    const { area } = filter
    sortArea(history, part, withoutSums(book, part, { ...area, top: area.top + 1 }), column, direction)
    close()
  }
  return createPortal(
    <div
      ref={panel}
      className="sf"
      role="dialog"
      aria-label={t('editor.sheet.filter')}
      style={{ ...place, maxHeight: undefined }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        event.stopPropagation()
        if (event.key === 'Escape') close()
        else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply()
      }}
    >
      <button type="button" className="sf-act" onClick={() => sort(1)}>
        <TextSortAscending20Regular />
        {t('editor.sheet.build.sortUp')}
      </button>
      <button type="button" className="sf-act" onClick={() => sort(-1)}>
        <TextSortDescending20Regular />
        {t('editor.sheet.build.sortDown')}
      </button>
      <div className="sf-test">
        <Select
          size="small"
          label={t('editor.sheet.filter.condition')}
          value={condition}
          options={conditions.map((one) => ({ value: one, label: t(`editor.sheet.filter.${one}`) }))}
          onChange={setCondition}
        />
        <input
          value={value}
          aria-label={t('editor.sheet.filter.value')}
          disabled={condition === 'none'}
          spellCheck={false}
          onChange={(event) => setValue(event.target.value)}
        />
      </div>
      {!isTested && (
        <>
          <input
            ref={searching}
            value={search}
            aria-label={t('editor.sheet.filter.search')}
            placeholder={t('editor.sheet.filter.search')}
            spellCheck={false}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Values found={found} off={off} isCut={all.length > mostValues} onOff={setOff} />
        </>
      )}
      {now?.kind === 'other' && <p>{t('editor.sheet.filter.other')}</p>}
      <div className="sf-foot">
        <Button size="small" disabled={now === undefined} onClick={() => put(undefined)}>
          {t('editor.sheet.filter.clear')}
        </Button>
        <Button size="small" kind="primary" disabled={!isTested && !isAnyOn} onClick={apply}>
          {t('editor.sheet.filter.apply')}
        </Button>
      </div>
    </div>,
    field.closest('[role=dialog]') ?? document.body,
  )
}

interface ValuesProps {
  readonly found: readonly Value[]
  readonly off: ReadonlySet<string>
  /** There are more values than listed. */
  readonly isCut: boolean
  readonly onOff: (off: ReadonlySet<string>) => void
}

/** The values of the column, each on or off. */
function Values({ found, off, isCut, onOff }: ValuesProps): ReactNode {
  const t = useT()
  const isAllOn = found.every(({ text }) => !off.has(text))
  const turn = (texts: readonly string[], on: boolean): void => {
    const next = new Set(off)
    for (const text of texts) {
      if (on) next.delete(text)
      else next.add(text)
    }
    onOff(next)
  }
  return (
    <div className="sf-values">
      <label>
        <input
          type="checkbox"
          checked={isAllOn}
          onChange={(event) =>
            turn(
              found.map(({ text }) => text),
              event.target.checked,
            )
          }
        />
        {t('editor.sheet.filter.all')}
      </label>
      {found.map(({ text, count }) => (
        <label key={text}>
          <input type="checkbox" checked={!off.has(text)} onChange={(event) => turn([text], event.target.checked)} />
          <span>{text === '' ? t('editor.sheet.filter.blank') : text}</span>
          <em>{count}</em>
        </label>
      ))}
      {isCut && <p>{t('editor.sheet.filter.more', { n: mostValues })}</p>}
    </div>
  )
}

/** The number of visible rows of a filter and of all its rows; undefined if it hides none. */
export function rowsInSight(
  book: Workbook,
  part: string,
): { readonly seen: number; readonly of: number; readonly area: Area } | undefined {
  const { filter, heights } = book.sheet(part)
  if (filter === undefined || filter.columns.length === 0) return undefined
  const of = filter.area.bottom - filter.area.top
  let seen = 0
  for (let row = filter.area.top + 1; row <= filter.area.bottom; row++) if (heights.get(row) !== 0) seen++
  return { seen, of, area: filter.area }
}
