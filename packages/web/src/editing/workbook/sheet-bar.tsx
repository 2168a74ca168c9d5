// The toolbar of the sheet editor: cell formatting, number formats, and sums.
import type { CellFormatting, FormattingChange, History, Workbook } from '@cloudoc/office/workbook'
import { builtInFormats, columnName, intersects, pointsOf, refOf } from '@cloudoc/office/workbook'
import { type KeyboardEvent, type ReactNode, type RefObject, useSyncExternalStore } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { IconButton } from '../../kit/button.tsx'
import {
  AutosumRegular,
  BorderAllRegular,
  BorderBottomRegular,
  BorderLeftRegular,
  BorderNoneRegular,
  BorderOutsideRegular,
  BorderRightRegular,
  BorderTopRegular,
  ColorFill20Regular,
  Filter20Regular,
  TableSettings20Regular,
  TextAlignCenter20Regular,
  TextAlignLeft20Regular,
  TextAlignRight20Regular,
  TextBold20Regular,
  TextColor20Regular,
  TextItalic20Regular,
  TextStrikethrough20Regular,
  TextUnderline20Regular,
  TextWrap20Regular,
} from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type Selection, selected } from '../grid/grid-model.ts'
import type { GridHandle } from '../grid/use-grid-handle.ts'
import { commonFonts } from '../shared/common-fonts.ts'
import { Flyout } from '../shared/flyout.tsx'
import { applyFilter } from './sheet-filter.tsx'
import { changeStructure, structureEntries, wholeRegion, withoutSums } from './sheet-structure.ts'
import '../shared/document-editor.css'
import './sheet-bar.css'

interface BarProps {
  readonly history: History
  readonly part: string
  readonly selection: Selection
  readonly handle: RefObject<GridHandle | null>
}

const formats = [0, 1, 2, 4, 7, 9, 10, 14, 31, 20, 49] as const

const sizes = [8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72] as const
const usualHeight = 24

/** Matching text and fill colors, light to dark. */
const inks = 'C00000 E8590C B8860B 2F7D32 0F6CBD 6B3FA0 7A7A7A 000000'.split(' ')
const fills = 'FFE3E3 FFE8CC FFF3BF D8F5DD D6E8FA E9DDF7 E9ECEF CED4DA'.split(' ')

function change(book: Workbook, part: string, selection: Selection, how: FormattingChange): void {
  const why = book.look(part, selected(book.sheet(part), selection), how)
  if (why !== undefined) notifyFailure(say(`editor.sheet.kept.${why}`))
}

const switches = { b: 'bold', i: 'italic', u: 'underline' } as const

/** Handles Ctrl+B, Ctrl+I and Ctrl+U in a grid; returns true if it did. */
export function onFormattingKey(
  event: KeyboardEvent<HTMLElement>,
  book: Workbook,
  part: string,
  selection: Selection,
): boolean {
  const name = switches[event.key.toLowerCase() as keyof typeof switches]
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || name === undefined) return false
  const { style } = book.shown(part, selection.row, selection.column)
  change(book, part, selection, { look: { [name]: style[name] !== true } })
  return true
}

export function SheetBar({ history, part, selection, handle }: BarProps): ReactNode {
  const t = useT()
  const book = history.now()
  useSyncExternalStore(book.subscribe, book.revision)
  const { style } = book.shown(part, selection.row, selection.column)
  const code = book.format(part, selection.row, selection.column)
  const format = formats.find((id) => (builtInFormats[id] ?? 'General') === code)
  const points = pointsOf(style)
  const put = (how: FormattingChange): void => {
    handle.current?.commit()
    change(book, part, selection, how)
    if (how.look?.size !== undefined && history.isAlone) raise(history, part, selection, how.look.size)
    handle.current?.focus()
  }
  const toggle = (
    name: 'bold' | 'italic' | 'underline' | 'strike' | 'wrap',
    icon: ReactNode,
    hint?: string,
  ): ReactNode => (
    <IconButton
      label={t(`editor.sheet.look.${name}`)}
      {...(hint !== undefined && { hint })}
      icon={icon}
      pressed={style[name] === true}
      onClick={() => put({ look: { [name]: style[name] !== true } })}
    />
  )
  const align = (name: 'left' | 'center' | 'right', shown: typeof style.align, icon: ReactNode): ReactNode => (
    <IconButton
      label={t(`editor.sheet.look.${name}`)}
      icon={icon}
      pressed={style.align === shown}
      onClick={() => put({ look: { align: style.align === shown ? '' : name } })}
    />
  )
  const filter = (): void => {
    handle.current?.commit()
    toggleFilter(history, part, selection)
    handle.current?.focus()
  }
  const sum = (): void => {
    handle.current?.commit()
    insertSums(book, part, selection)
    handle.current?.focus()
  }
  return (
    // Pressing a button does not change the selection.
    <div
      className="dc-bar sb"
      role="toolbar"
      aria-label={t('editor.sheet.looks')}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Select
        size="small"
        className="is-font"
        label={t('editor.doc.font')}
        value={style.font ?? ''}
        options={[
          { value: '', label: t('editor.doc.font.usual') },
          ...[...new Set([...commonFonts, style.font ?? ''])]
            .filter((name) => name !== '')
            .map((name) => ({ value: name, label: name })),
        ]}
        onChange={(font) => put({ look: { font } })}
      />
      <Select
        size="small"
        className="is-size"
        label={t('editor.doc.size')}
        value={points}
        options={[...new Set([...sizes, points])].sort((a, b) => a - b).map((one) => ({ value: one, label: `${one}` }))}
        onChange={(size) => put({ look: { size } })}
      />
      <span className="sb-line" />
      {toggle('bold', <TextBold20Regular />, 'Ctrl+B')}
      {toggle('italic', <TextItalic20Regular />, 'Ctrl+I')}
      {toggle('underline', <TextUnderline20Regular />, 'Ctrl+U')}
      {toggle('strike', <TextStrikethrough20Regular />)}
      <Colors name="color" icon={<TextColor20Regular />} colors={inks} put={put} />
      <Colors name="fill" icon={<ColorFill20Regular />} colors={fills} put={put} />
      <Borders put={put} />
      <span className="sb-line" />
      {align('left', 'start', <TextAlignLeft20Regular />)}
      {align('center', 'center', <TextAlignCenter20Regular />)}
      {align('right', 'end', <TextAlignRight20Regular />)}
      {toggle('wrap', <TextWrap20Regular />)}
      <span className="sb-line" />
      <Select
        size="small"
        label={t('editor.sheet.format')}
        value={format ?? -1}
        options={[
          ...formats.map((id) => ({ value: id as number, label: t(`editor.sheet.format.${id}`) })),
          ...(format === undefined ? [{ value: -1, label: t('editor.sheet.format.own'), note: code }] : []),
        ]}
        onChange={(id) => id >= 0 && put({ format: id })}
      />
      <IconButton
        label={t('editor.sheet.filter')}
        hint="Ctrl+Shift+L"
        icon={<Filter20Regular />}
        pressed={book.sheet(part).filter !== undefined}
        onClick={filter}
      />
      <IconButton label={t('editor.sheet.sum')} hint="Alt+=" icon={<AutosumRegular fontSize={20} />} onClick={sum} />
      <span className="sb-line" />
      <IconButton
        label={t('editor.sheet.build')}
        icon={<TableSettings20Regular />}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          void showMenu(structureEntries({ history, part, selection, handle }), { x: left, y: bottom + 4 })
        }}
      />
    </div>
  )
}

/** Increases the height of rows that are too low for a font size. */
function raise(history: History, part: string, selection: Selection, size: number): void {
  const { heights, merges } = history.now().sheet(part)
  const { top, bottom } = selected({ merges }, selection)
  const needed = Math.ceil(size * 1.75)
  const least = Math.min(...Array.from({ length: bottom - top + 1 }, (_, n) => heights.get(top + n) ?? usualHeight))
  if (least > 0 && least < needed) {
    changeStructure(history, part, { kind: 'size', axis: 'rows', from: top, to: bottom, size: needed })
  }
}

const lines = [
  ['all', BorderAllRegular, { look: { borders: true } }],
  ['outside', BorderOutsideRegular, { edges: 'tblr' }],
  ['none', BorderNoneRegular, { look: { borders: false } }],
  ['top', BorderTopRegular, { edges: 't' }],
  ['bottom', BorderBottomRegular, { edges: 'b' }],
  ['left', BorderLeftRegular, { edges: 'l' }],
  ['right', BorderRightRegular, { edges: 'r' }],
] as const

function Borders({ put }: { readonly put: (how: FormattingChange) => void }): ReactNode {
  const t = useT()
  return (
    <Flyout label={t('editor.sheet.look.borders')} icon={<BorderAllRegular fontSize={20} />} columns={1}>
      {(close) => (
        <div className="sb-lines">
          {lines.map(([name, Icon, how]) => (
            <button
              key={name}
              type="button"
              onClick={() => {
                close()
                put(how)
              }}
            >
              <Icon fontSize={20} />
              {t(`editor.sheet.line.${name}`)}
            </button>
          ))}
        </div>
      )}
    </Flyout>
  )
}

interface ColorsProps {
  readonly name: 'color' | 'fill'
  readonly icon: ReactNode
  readonly colors: readonly string[]
  readonly put: (how: FormattingChange) => void
}

function Colors({ name, icon, colors, put }: ColorsProps): ReactNode {
  const t = useT()
  const choose = (color: string): void => put({ look: { [name]: color } satisfies CellFormatting })
  return (
    <Flyout label={t(`editor.sheet.look.${name}`)} icon={icon} columns={4}>
      {(close) => (
        <div className="sb-colors">
          {colors.map((color) => (
            <button
              key={color}
              type="button"
              aria-label={t('editor.sheet.color', { hex: `#${color}` })}
              style={{ background: `#${color}` }}
              onClick={() => {
                close()
                choose(color)
              }}
            />
          ))}
          <button
            type="button"
            className="sb-usual"
            onClick={() => {
              close()
              choose('')
            }}
          >
            {t(name === 'fill' ? 'editor.sheet.color.none' : 'editor.sheet.color.usual')}
          </button>
        </div>
      )}
    </Flyout>
  )
}

/**
 * Toggles the filter of the selected rows, or of the region around the cell; the first row contains the column names.
 */
export function toggleFilter(history: History, part: string, selection: Selection): void {
  const book = history.now()
  const sheet = book.sheet(part)
  if (sheet.filter !== undefined) return void applyFilter(history, part, undefined)
  const chosen = selected(sheet, selection)
  const { rows, columns } = book.extent(part)
  const isOne = chosen.top === chosen.bottom
  const whole = isOne ? withoutSums(book, part, wholeRegion(book, part, selection)) : chosen
  const area = { ...whole, bottom: Math.min(whole.bottom, rows - 1), right: Math.min(whole.right, columns - 1) }
  // Titles above the columns are merged cells; the row of column names is below them.
  while (area.top < area.bottom && sheet.merges.some((one) => intersects(one, { ...area, bottom: area.top })))
    area.top++
  if (area.bottom <= area.top || area.right < area.left) return notifyFailure(say('editor.sheet.filter.nothing'))
  applyFilter(history, part, { area, columns: [] })
}

/** Inserts the sums for a selection. */
export function insertSums(book: Workbook, part: string, selection: Selection): void {
  const entries = sumsOf(book, part, selection)
  if (entries.length === 0) return notifyFailure(say('editor.sheet.sum.nothing'))
  const why = book.type(part, entries)
  if (why !== undefined) notifyFailure(say(`editor.sheet.fixed.${why}`))
}

/**
 * The sum formulas for a selection: below each of its columns, or for a single cell the sum of the numbers above or to
 * the left of it.
 */
function sumsOf(book: Workbook, part: string, selection: Selection): { row: number; column: number; text: string }[] {
  const { top, left, bottom, right } = selected(book.sheet(part), selection)
  const isNumber = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && book.content(part, row, column).kind === 'number'
  if (bottom > top) {
    return Array.from({ length: right - left + 1 }, (_, n) => {
      const name = columnName(left + n)
      return { row: bottom + 1, column: left + n, text: `=SUM(${name}${top + 1}:${name}${bottom + 1})` }
    })
  }
  const { row, column } = selection
  let [from, before] = [row, column]
  while (isNumber(from - 1, column)) from--
  if (from < row) return [{ row, column, text: `=SUM(${refOf(from, column)}:${refOf(row - 1, column)})` }]
  while (isNumber(row, before - 1)) before--
  return before < column ? [{ row, column, text: `=SUM(${refOf(row, before)}:${refOf(row, column - 1)})` }] : []
}
