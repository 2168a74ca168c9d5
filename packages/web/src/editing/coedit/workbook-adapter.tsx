/*
 * Co-editing a workbook: a version of the file, and a shared map of the cells written since co-editing started. Local
 * edits are written to the map, remote edits are read from it.
 */
import { coeditRoot } from '@cloudoc/contract'
import type { StructureOperation, StructureRefusal, Workbook } from '@cloudoc/office/workbook'
import {
  type CoeditCell,
  type CoeditPorts,
  cellKey,
  parseRef as cellPlace,
  coeditCells,
  type History,
  openHistory,
  rebasedCells,
  rebasedFormula,
  refOf,
  type SheetRebase,
} from '@cloudoc/office/workbook'
import type { YMapEvent } from 'yjs'
import { api, CallError } from '../../core/call/api.ts'
import { t as say } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { cellSelection, type Selection } from '../grid/grid-model.ts'
import { fetchContent } from '../shared/edit-transfers.ts'
import { notEditableError } from '../shared/not-editable.ts'
import { openSheetEditor, SheetBody, type SheetEditorInstance, SheetFoot } from '../workbook/sheet-editor.tsx'
import type { CoeditAdapter } from './coedit-adapter.ts'
import type { CoeditSession } from './coedit-session.ts'
import { rebasedDraftCells } from './draft-cells.ts'

/** The unsent local cells by name, and the names of those that other users have written, too. */
interface Unsent {
  readonly cells: Map<string, CoeditCell>
  readonly clashing: Set<string>
}

const unsentOf = new WeakMap<CoeditSession, Unsent>()

const cellsOf = (here: CoeditSession) => here.doc.getMap<CoeditCell[2]>(coeditRoot)

function unsent(here: CoeditSession): Unsent {
  const found = unsentOf.get(here)
  if (found !== undefined) return found
  const own: Unsent = { cells: new Map(), clashing: new Set() }
  unsentOf.set(here, own)
  here.store.subscribe(({ status }) => {
    if (status !== 'stored' || here.isDirty()) return
    own.cells.clear()
    own.clashing.clear()
  })
  return own
}

function write(here: CoeditSession, cells: readonly CoeditCell[]): void {
  const own = unsent(here)
  for (const cell of cells) own.cells.set(cellKey(cell[0], cell[1]), cell)
  here.doc.transact(() => {
    for (const [part, ref, written] of cells) cellsOf(here).set(cellKey(part, ref), written)
  }, 'page')
}

/** Parses the cursor of a member. */
function placeOf(cursor: unknown): { readonly part: string; readonly selection: Selection } | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined
  const { part, ...rest } = cursor as Record<string, unknown>
  const [row, column, toRow, toColumn] = ['row', 'column', 'toRow', 'toColumn'].map((name) => Number(rest[name]))
  if (typeof part !== 'string' || row === undefined || column === undefined) return undefined
  if (![row, column, toRow, toColumn].every((one) => Number.isInteger(one) && Number(one) >= 0)) return undefined
  return { part, selection: { ...cellSelection(row, column), toRow: toRow ?? row, toColumn: toColumn ?? column } }
}

export const workbookAdapter: CoeditAdapter = {
  merges: false,
  async open({ item, joined, session: first, onChange, renew }) {
    const { fId: fileId, fName } = item
    const live = { here: first }
    const bytes = await fetchContent({ fileId, fileName: fName }, joined.version)
    const build = async (change: StructureOperation): Promise<void> => {
      const { here } = live
      here.building(true)
      try {
        await here.sent()
        const { generation, client } = here
        const asked = { fileId, generation, client, change: JSON.stringify(change) }
        const { why } = await api.of(item).buildTogether(asked, { quiet: true })
        if (why !== '') notifyFailure(say(`editor.sheet.built.${why as StructureRefusal}`))
        else renew()
      } catch (error) {
        // Another user's operation was first. It is shown, and this one must be repeated, because it may mean something
        // else now.
        if (!(error instanceof CallError) || error.code !== 'fileConflict') notifyFailure(error)
        else notifyFailure(say('editor.sheet.built.again'))
        renew()
      } finally {
        here.building(false)
      }
    }
    const history = opened(bytes, {
      publish: (written) => write(live.here, written),
      requestStructure: (change) => void build(change),
      onCannotUndo: () => notifyFailure(say('editor.sheet.built.noBack')),
    })
    history.now().takeIn(coeditCells(cellsOf(first).entries()))
    const { editor } = openSheetEditor(history, fName, onChange)
    let leave = follow(first, history, editor)
    return {
      ...editor,
      find: () => editor.store.setState({ isFinding: true }),
      draft: () => JSON.stringify([...unsent(live.here).cells.values()]),
      rebase({ session, file, rebases: told, isAsked }) {
        const turns = told.map(({ turn }) => JSON.parse(turn) as SheetRebase)
        const last = told.at(-1)
        const isOwn = last?.client === session.client
        const before = live.here
        const own = before.isDirty() ? [...unsent(before).cells.values()] : []
        leave()
        live.here = session
        const { cells, gone } = rebasedCells(turns, own)
        history.turn(file, turns, isOwn)
        const book = history.now()
        book.takeIn(coeditCells(cellsOf(session).entries()))
        if (!isAsked) book.takeIn(cells)
        const text = showRebased(editor, book, turns)
        if (isOwn) goToChange(editor, turns.at(-1)?.change)
        leave = follow(session, history, editor)
        if (!isAsked) write(session, cells)
        const lost = lostText(gone, text)
        const who = session.store.getState().members.find(({ client }) => client === last?.client)?.name ?? ''
        if (lost !== '') notifyFailure(say('here.turned.lost', { who: isolated(who), text: isolated(lost) }))
        return isAsked && cells.length > 0 ? JSON.stringify(cells) : ''
      },
      Body: ({ zoom }) => <SheetBody paper={editor} zoom={zoom} />,
      Foot: () => <SheetFoot paper={editor} />,
      close() {
        leave()
        editor.close()
      },
    }
  },
  offered(kept, joined) {
    const found = rebasedDraftCells(kept, joined)
    return found && { draft: JSON.stringify(found.cells), lost: lostText(found.gone) }
  },
  put: (here, draft) => write(here, draft === '' ? [] : (JSON.parse(draft) as CoeditCell[])),
  clashes: (here) => unsent(here).clashing.size > 0,
}

/** Shows remote cells and cursors in a workbook, and publishes the own cursor. Returns a function that stops it. */
function follow(here: CoeditSession, history: History, paper: SheetEditorInstance): () => void {
  const cells = cellsOf(here)
  const own = unsent(here)
  const hear = ({ keysChanged, transaction }: YMapEvent<CoeditCell[2]>): void => {
    if (transaction.origin === 'page') return
    const names = [...(keysChanged as ReadonlySet<string>)]
    for (const name of names) if (own.cells.has(name)) own.clashing.add(name)
    history.now().takeIn(coeditCells(names.map((name) => [name, cells.get(name)] as const)))
  }
  cells.observe(hear)
  const showOthers = (): void =>
    paper.store.setState({
      others: [...here.others.getStates()].flatMap(([client, { user, cursor }]) => {
        const place = placeOf(cursor)
        return place === undefined ? [] : [{ client, name: user.name, color: user.color, ...place }]
      }),
    })
  showOthers()
  here.others.on('change', showOthers)
  const tellPlace = paper.store.subscribe(({ part, selection }, before) => {
    if (part !== before.part || selection !== before.selection)
      here.others.setLocalStateField('cursor', { part, ...selection })
  })
  const { part, selection } = paper.store.getState()
  here.others.setLocalStateField('cursor', { part, ...selection })
  return () => {
    tellPlace()
    here.others.off('change', showOthers)
    cells.unobserve(hear)
  }
}

/** The position of a cell after operations. */
function placeAfter(turns: readonly SheetRebase[], part: string, row: number, column: number) {
  const { cells } = rebasedCells(turns, [[part, refOf(row, column), { content: { kind: 'empty' } }]])
  return cells[0] && cellPlace(cells[0][1])
}

/**
 * Moves the selection and the active edit with their cells; returns the text of the active edit if its cell was
 * deleted.
 */
function showRebased(paper: SheetEditorInstance, book: Workbook, turns: readonly SheetRebase[]): string | undefined {
  const { part } = paper.store.getState()
  const moved = (text: string): string => {
    if (!text.startsWith('=')) return text
    return `=${turns.reduce((now, turn) => rebasedFormula(turn, part, now), text.slice(1))}`
  }
  const text = paper.handle.current?.turned((row, column) => placeAfter(turns, part, row, column), moved)
  paper.showWorkbook(book)
  return text
}

/** Switches to a sheet that this user has added or unhidden. */
function goToChange(paper: SheetEditorInstance, change: StructureOperation | undefined): void {
  const { book } = paper.store.getState()
  const made =
    change?.kind === 'add'
      ? book.sheets.find(({ name }) => name === change.name)
      : change?.kind === 'show' && change.is
        ? book.sheets.find(({ part }) => part === change.part)
        : undefined
  if (made !== undefined) paper.store.setState({ part: made.part, selection: cellSelection(0, 0) })
}

/** The text of lost cells, for a message. */
function lostText(cells: readonly CoeditCell[], typed?: string): string {
  const said = ([, , { formula, content }]: CoeditCell): string =>
    formula === undefined ? ('value' in content ? String(content.value) : '') : `=${formula}`
  return [typed ?? '', ...cells.map(said)]
    .filter((one) => one !== '')
    .join('、')
    .slice(0, 200)
}

function opened(bytes: Uint8Array, together: CoeditPorts): History {
  try {
    return openHistory(bytes, together)
  } catch (error) {
    throw notEditableError(error)
  }
}
