// The sheet editor.

import { NotEditable } from '@cloudoc/office/package'
import type { Workbook } from '@cloudoc/office/workbook'
import { type History, maxColumns, maxRows, openHistory, relocatedFormula } from '@cloudoc/office/workbook'
import { type KeyboardEvent, type ReactNode, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { EditorInstance, OpenedEditor } from '../editor/editor-frame.tsx'
import { Grid } from '../grid/grid.tsx'
import { GridFind } from '../grid/grid-find.tsx'
import type { RemoteSelection } from '../grid/grid-marks.tsx'
import { cellSelection, type GridModel, mergeAt, type Selection } from '../grid/grid-model.ts'
import { GridSum } from '../grid/grid-sum.tsx'
import type { GridHandle } from '../grid/use-grid-handle.ts'
import { notEditableError } from '../shared/not-editable.ts'
import '../../viewing/shared/texts.ts'
import { createOfficeEditor } from '../editor/office-editor.tsx'
import { printTable } from '../shared/print.ts'
import { insertSums, onFormattingKey, SheetBar, toggleFilter } from './sheet-bar.tsx'
import { SheetDrawings } from './sheet-drawings.tsx'
import { FilterPanel, rowsInSight } from './sheet-filter.tsx'
import { changeStructure, resize, structureEntries } from './sheet-structure.ts'
import { SheetTabs } from './sheet-tabs.tsx'

interface State {
  readonly history: History
  readonly book: Workbook
  /** The part of the active sheet. */
  readonly part: string
  readonly isEditable: boolean
  readonly selection: Selection
  readonly isFinding: boolean
  /** The column whose filter menu is open, with its button. */
  readonly sieving?: { readonly column: number; readonly field: HTMLElement } | undefined
  /** The other members, with the part of their sheet. */
  readonly others: readonly (RemoteSelection & { readonly part: string })[]
}

export interface SheetEditorInstance extends EditorInstance {
  readonly store: StoreApi<State>
  readonly handle: { current: GridHandle | null }
  /** Shows a workbook that derives from the current one. */
  readonly showWorkbook: (book: Workbook) => void
}

/** Opens a workbook in the editor. */
export function openSheetEditor(
  history: History,
  name: string,
  onChange: () => void,
): OpenedEditor<SheetEditorInstance> {
  const book = history.now()
  const first = book.sheets.find(({ hasCells }) => hasCells) ?? book.sheets[0]
  if (first === undefined) throw new NotEditable('broken', 'no sheet')
  // A sheet that is too large fails now, not when it is activated.
  if (first.hasCells) book.sheet(first.part)
  const handle: { current: GridHandle | null } = { current: null }
  const store = createStore<State>(() => ({
    history,
    book,
    part: first.part,
    isEditable: false,
    selection: cellSelection(0, 0),
    isFinding: false,
    others: [],
  }))
  const show = (next: Workbook): void => {
    const { book: before, part } = store.getState()
    if (next !== before) store.setState({ book: next, ...placeIn(next, before, part) })
  }
  const follow = (one: History): void => {
    one.subscribe(() => {
      show(one.now())
      onChange()
    })
  }
  follow(history)
  const now = (): Workbook => store.getState().book
  const turns = (): History => store.getState().history
  const back = (where: ReturnType<History['undo']>): void => {
    if (where === undefined || !now().sheets.some(({ part }) => part === where.part)) return
    store.setState({ part: where.part })
    requestAnimationFrame(() => handle.current?.go(cellSelection(where.row, where.column)))
  }
  const paper: SheetEditorInstance = {
    store,
    handle,
    showWorkbook: show,
    draft: () => turns().draft(),
    bytes() {
      handle.current?.commit()
      return now().bytes()
    },
    restore(draft, base) {
      if (base === undefined) return turns().restore(draft)
      const other = openHistory(base)
      other.restore(draft)
      follow(other)
      store.setState({ history: other, book: other.now(), part: other.now().sheets[0]?.part ?? '' })
    },
    setReadOnly(is) {
      // Commits the active edit while it is still possible.
      if (is && store.getState().isEditable) handle.current?.commit()
      store.setState({ isEditable: !is })
    },
    undo: () => back(turns().undo()),
    redo: () => back(turns().redo()),
    find: () => store.setState({ isFinding: true }),
    print() {
      const { part } = store.getState()
      const { rows, columns } = now().extent(part)
      const { heights, widths, merges } = now().sheet(part)
      const inSight = (count: number, sizes: ReadonlyMap<number, number>): number[] =>
        Array.from({ length: count }, (_, n) => n).filter((n) => sizes.get(n) !== 0)
      const [down, across] = [inSight(rows, heights), inSight(columns, widths)]
      printTable(
        name,
        down.map((row) =>
          across.flatMap((column) => {
            const cell = now().shown(part, row, column)
            const merged = mergeAt({ merges }, row, column)
            if (merged === undefined) return [cell]
            const [columnsIn, rowsIn] = [
              across.filter((n) => n >= merged.left && n <= merged.right),
              down.filter((n) => n >= merged.top && n <= merged.bottom),
            ]
            if (columnsIn[0] !== column || rowsIn[0] !== row) return []
            return [{ ...now().shown(part, merged.top, merged.left), across: columnsIn.length, down: rowsIn.length }]
          }),
        ),
      )
    },
    focus: () => requestAnimationFrame(() => handle.current?.focus()),
    close: () => undefined,
  }
  const notice = book.hasMacros ? say('editor.sheet.macros') : ''
  const readOnly = book.isSigned ? say('editor.office.signed') : ''
  return { editor: paper, notice, readOnly }
}

/** The active sheet after the workbook has changed: the same one, or an adjacent one if it was deleted. */
function placeIn(book: Workbook, before: Workbook, part: string): Partial<Pick<State, 'part' | 'selection'>> {
  if (book.sheets.some((one) => one.part === part)) return {}
  const place = before.sheets.findIndex((one) => one.part === part)
  const near = book.sheets[Math.min(Math.max(0, place), book.sheets.length - 1)]
  return near === undefined ? {} : { part: near.part, selection: cellSelection(0, 0) }
}

function useStateOf(paper: SheetEditorInstance): State {
  return useSyncExternalStore(paper.store.subscribe, paper.store.getState)
}

function modelOf(book: Workbook, part: string): GridModel {
  const sheet = book.sheet(part)
  const words = (why: ReturnType<Workbook['whyFixed']>): string | undefined => why && say(`editor.sheet.fixed.${why}`)
  return {
    revision: book.revision,
    subscribe: book.subscribe,
    extent: () => book.extent(part),
    maxRows: maxRows,
    maxColumns: maxColumns,
    heights: sheet.heights,
    widths: sheet.widths,
    merges: sheet.merges,
    frozen: sheet.frozen,
    filter: sheet.filter && {
      area: sheet.filter.area,
      columns: new Set(sheet.filter.columns.map(({ column }) => column)),
    },
    displayed: (row, column) => book.shown(part, row, column),
    typed: (row, column) => book.typed(part, row, column),
    number(row, column) {
      const content = book.content(part, row, column)
      return content.kind === 'number' ? content.value : undefined
    },
    type: (entries) => words(book.type(part, entries)),
    whyFixed: (row, column) => words(book.whyFixed(part, row, column)),
    relocated: (typed, rows, columns) =>
      typed.startsWith('=') ? `=${relocatedFormula(typed.slice(1), rows, columns)}` : typed,
  }
}

const models = new WeakMap<Workbook, Map<string, GridModel>>()

/** Returns the model of a sheet; cached, so the object is stable. */
function cachedModel(book: Workbook, part: string): GridModel {
  const own = models.get(book) ?? new Map<string, GridModel>()
  models.set(book, own)
  const model = own.get(part) ?? modelOf(book, part)
  own.set(part, model)
  return model
}

/** The models of all readable sheets. */
function modelsOf(book: Workbook): (readonly [part: string, model: GridModel])[] {
  return book.sheets.flatMap(({ part, hasCells }) => {
    try {
      return hasCells ? [[part, cachedModel(book, part)] as const] : []
    } catch (error) {
      if (error instanceof NotEditable) return []
      throw error
    }
  })
}

/** The active sheet. */
export function SheetBody({ paper, zoom }: { readonly paper: SheetEditorInstance; readonly zoom: number }): ReactNode {
  const t = useT()
  const { history, book, part, isEditable, selection, isFinding, sieving, others } = useStateOf(paper)
  const { store } = paper
  const sheet = book.sheets.find((one) => one.part === part)
  if (sheet?.hasCells !== true) return <p className="gr-nothing">{t('editor.sheet.chart')}</p>
  const model = cachedModel(book, part)
  const { filter } = book.sheet(part)
  return (
    <div className="gr-frame">
      {isEditable && <SheetBar history={history} part={part} selection={selection} handle={paper.handle} />}
      {sieving !== undefined && filter !== undefined && (
        <FilterPanel
          key={sieving.column}
          history={history}
          part={part}
          filter={filter}
          {...sieving}
          close={() => {
            store.setState({ sieving: undefined })
            paper.focus()
          }}
        />
      )}
      {isFinding && (
        <GridFind
          model={model}
          handle={paper.handle}
          isEditable={isEditable}
          elsewhere={{
            here: part,
            count: book.sheets.length,
            models: () => modelsOf(book),
            turnTo: (to) => store.setState({ part: to }),
          }}
          close={() => {
            store.setState({ isFinding: false })
            paper.focus()
          }}
        />
      )}
      <Grid
        key={part}
        takesKeys={!isFinding}
        onSize={isEditable ? (axis, index, size) => resize(history, part, { axis, index, size }) : undefined}
        onFilter={isEditable ? (column, field) => store.setState({ sieving: { column, field } }) : undefined}
        renderOver={(room) => (
          <SheetDrawings
            book={book}
            part={part}
            {...room}
            onTitle={
              isEditable
                ? (chart, title) => {
                    changeStructure(history, part, { kind: 'title', chart, title })
                    paper.focus()
                  }
                : undefined
            }
          />
        )}
        menu={() => (isEditable ? structureEntries({ ...paper.store.getState(), handle: paper.handle }) : [])}
        onKeyDown={(event) => onSheetKey(event, paper)}
        model={model}
        isEditable={isEditable}
        zoom={zoom}
        label={sheet.name}
        handle={paper.handle}
        onSelect={(selection) => paper.store.setState({ selection })}
        onRefused={notifyFailure}
        undo={paper.undo}
        redo={paper.redo}
        others={others.filter((one) => one.part === part)}
      />
    </div>
  )
}

/** Handles the keys that switch sheets, and the toolbar shortcuts; returns true if it did. */
function onSheetKey(event: KeyboardEvent<HTMLElement>, paper: SheetEditorInstance): boolean {
  const { history, book, part, isEditable, selection } = paper.store.getState()
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && (event.key === 'PageDown' || event.key === 'PageUp')) {
    const at = book.sheets.findIndex((one) => one.part === part) + (event.key === 'PageDown' ? 1 : -1)
    const next = book.sheets[at]
    if (next !== undefined) switchToSheet(paper, next.part)
    return true
  }
  if (!isEditable) return false
  if (event.altKey && !withControl && event.key === '=') {
    insertSums(book, part, selection)
    return true
  }
  if (withControl && event.shiftKey && event.key.toLowerCase() === 'l') {
    toggleFilter(history, part, selection)
    return true
  }
  return onFormattingKey(event, book, part, selection)
}

function switchToSheet(paper: SheetEditorInstance, to: string): void {
  paper.handle.current?.commit()
  const { book, part } = paper.store.getState()
  // A double click on the active tab renames it, and must not lose the focus.
  if (to === part) return
  try {
    if (book.sheets.find((one) => one.part === to)?.hasCells === true) book.sheet(to)
    paper.store.setState({ part: to, selection: cellSelection(0, 0) })
    paper.focus()
  } catch (error) {
    notifyFailure(notEditableError(error).message)
  }
}

/** The sheet tabs, and the sum of the selection. */
export function SheetFoot({ paper }: { readonly paper: SheetEditorInstance }): ReactNode {
  const t = useT()
  const { history, book, part, selection, isEditable } = useStateOf(paper)
  const hasCells = book.sheets.find((one) => one.part === part)?.hasCells === true
  const inSight = hasCells ? rowsInSight(book, part) : undefined
  useSyncExternalStore(book.subscribe, book.revision)
  return (
    <>
      <SheetTabs
        history={history}
        book={book}
        part={part}
        isEditable={isEditable}
        turnTo={(to) => switchToSheet(paper, to)}
      />
      {inSight !== undefined && <span>{t('editor.sheet.filter.rows', { n: inSight.seen, of: inSight.of })}</span>}
      {hasCells && <GridSum model={cachedModel(book, part)} selection={selection} />}
    </>
  )
}

export const SheetEditor = createOfficeEditor({
  open: (bytes, name, onChange) => openSheetEditor(openHistory(bytes), name, onChange),
  Body: SheetBody,
  Foot: SheetFoot,
})
