/*
 * A workbook that several people write in at once: a version of it, and over that the cells that were written into since it
 * is edited together. What is typed here goes into those, what others type comes from them.
 */
import { togetherRoot } from '@cloudoc/contract'
import { placeOf as cellPlace, refOf } from '@cloudoc/office/cells'
import { cellName, type SharedCell, sharedCells } from '@cloudoc/office/coedit-cells'
import { type SheetTurn, turnedCells, turnedFormula } from '@cloudoc/office/sheet-rebase'
import type { Kept, Structure } from '@cloudoc/office/sheet-structure'
import type { Workbook } from '@cloudoc/office/workbook'
import { type History, openHistory, type Together } from '@cloudoc/office/workbook-history'
import type { YMapEvent } from 'yjs'
import { api, CallError } from '../../core/call/api.ts'
import { t as say } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { tell } from '../../items/actions/operations.ts'
import { at, type Selection } from '../grid/grid-model.ts'
import { contentOf } from '../shared/edit-transfers.ts'
import { sayNotEditable } from '../shared/not-editable.ts'
import { SheetBody, SheetFoot, type SheetPaper, sheetPaper } from '../workbook/sheet-editor.tsx'
import type { HereKind } from './coedit-adapter.ts'
import type { Here } from './coedit-session.ts'
import { keptCells } from './draft-cells.ts'

/** What was typed here and not sent, by its name, and of which of that others have written something. */
interface Unsent {
  readonly cells: Map<string, SharedCell>
  readonly clashing: Set<string>
}

const unsentOf = new WeakMap<Here, Unsent>()

const cellsOf = (here: Here) => here.doc.getMap<SharedCell[2]>(togetherRoot)

function unsent(here: Here): Unsent {
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

function write(here: Here, cells: readonly SharedCell[]): void {
  const own = unsent(here)
  for (const cell of cells) own.cells.set(cellName(cell[0], cell[1]), cell)
  here.doc.transact(() => {
    for (const [part, ref, written] of cells) cellsOf(here).set(cellName(part, ref), written)
  }, 'page')
}

/** Where somebody is, as they say it. */
function placeOf(cursor: unknown): { readonly part: string; readonly selection: Selection } | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined
  const { part, ...rest } = cursor as Record<string, unknown>
  const [row, column, toRow, toColumn] = ['row', 'column', 'toRow', 'toColumn'].map((name) => Number(rest[name]))
  if (typeof part !== 'string' || row === undefined || column === undefined) return undefined
  if (![row, column, toRow, toColumn].every((one) => Number.isInteger(one) && Number(one) >= 0)) return undefined
  return { part, selection: { ...at(row, column), toRow: toRow ?? row, toColumn: toColumn ?? column } }
}

export const hereSheet: HereKind = {
  merges: false,
  async open({ item, joined, here: first, onChange, renew }) {
    const { fId: fileId, fName } = item
    const live = { here: first }
    const bytes = await contentOf({ fileId, fileName: fName }, joined.version)
    const build = async (change: Structure): Promise<void> => {
      const { here } = live
      here.building(true)
      try {
        await here.sent()
        const { generation, client } = here
        const asked = { fileId, generation, client, change: JSON.stringify(change) }
        const { why } = await api.buildTogether(asked, { quiet: true })
        if (why !== '') tell(say(`editor.sheet.built.${why as Kept}`))
        else renew()
      } catch (error) {
        // Somebody else was first: theirs is shown, and this one may be meant otherwise then.
        if (!(error instanceof CallError) || error.code !== 'fileConflict') tell(error)
        else tell(say('editor.sheet.built.again'))
        renew()
      } finally {
        here.building(false)
      }
    }
    const history = opened(bytes, {
      tell: (written) => write(live.here, written),
      build: (change) => void build(change),
      noBack: () => tell(say('editor.sheet.built.noBack')),
    })
    history.now().takeIn(sharedCells(cellsOf(first).entries()))
    const { paper } = sheetPaper(history, fName, onChange)
    let leave = follow(first, history, paper)
    return {
      ...paper,
      find: () => paper.store.setState({ isFinding: true }),
      draft: () => JSON.stringify([...unsent(live.here).cells.values()]),
      turn({ here, file, turns: told, isAsked }) {
        const turns = told.map(({ turn }) => JSON.parse(turn) as SheetTurn)
        const last = told.at(-1)
        const isOwn = last?.client === here.client
        const before = live.here
        const own = before.isDirty() ? [...unsent(before).cells.values()] : []
        leave()
        live.here = here
        const { cells, gone } = turnedCells(turns, own)
        history.turn(file, turns, isOwn)
        const book = history.now()
        book.takeIn(sharedCells(cellsOf(here).entries()))
        if (!isAsked) book.takeIn(cells)
        const text = showTurned(paper, book, turns)
        if (isOwn) goToMade(paper, turns.at(-1)?.change)
        leave = follow(here, history, paper)
        if (!isAsked) write(here, cells)
        const lost = wordsOf(gone, text)
        const who = here.store.getState().members.find(({ client }) => client === last?.client)?.name ?? ''
        if (lost !== '') tell(say('here.turned.lost', { who: isolated(who), text: isolated(lost) }))
        return isAsked && cells.length > 0 ? JSON.stringify(cells) : ''
      },
      Body: ({ zoom }) => <SheetBody paper={paper} zoom={zoom} />,
      Foot: () => <SheetFoot paper={paper} />,
      close() {
        leave()
        paper.close()
      },
    }
  },
  offered(kept, joined) {
    const found = keptCells(kept, joined)
    return found && { draft: JSON.stringify(found.cells), lost: wordsOf(found.gone) }
  },
  put: (here, draft) => write(here, draft === '' ? [] : (JSON.parse(draft) as SharedCell[])),
  clashes: (here) => unsent(here).clashing.size > 0,
}

/** Shows in a workbook what others write and where they are, and tells them where one is; answers how to end that. */
function follow(here: Here, history: History, paper: SheetPaper): () => void {
  const cells = cellsOf(here)
  const own = unsent(here)
  const hear = ({ keysChanged, transaction }: YMapEvent<SharedCell[2]>): void => {
    if (transaction.origin === 'page') return
    const names = [...(keysChanged as ReadonlySet<string>)]
    for (const name of names) if (own.cells.has(name)) own.clashing.add(name)
    history.now().takeIn(sharedCells(names.map((name) => [name, cells.get(name)] as const)))
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

/** Where a cell is after changes. */
function placeAfter(turns: readonly SheetTurn[], part: string, row: number, column: number) {
  const { cells } = turnedCells(turns, [[part, refOf(row, column), { content: { kind: 'empty' } }]])
  return cells[0] && cellPlace(cells[0][1])
}

/** What is selected and typed into goes with its cells; answers what was being typed where nothing is any more. */
function showTurned(paper: SheetPaper, book: Workbook, turns: readonly SheetTurn[]): string | undefined {
  const { part } = paper.store.getState()
  const moved = (text: string): string => {
    if (!text.startsWith('=')) return text
    return `=${turns.reduce((now, turn) => turnedFormula(turn, part, now), text.slice(1))}`
  }
  const text = paper.handle.current?.turned((row, column) => placeAfter(turns, part, row, column), moved)
  paper.turnTo(book)
  return text
}

/** A sheet that was made or shown here is turned to. */
function goToMade(paper: SheetPaper, change: Structure | undefined): void {
  const { book } = paper.store.getState()
  const made =
    change?.kind === 'add'
      ? book.sheets.find(({ name }) => name === change.name)
      : change?.kind === 'show' && change.is
        ? book.sheets.find(({ part }) => part === change.part)
        : undefined
  if (made !== undefined) paper.store.setState({ part: made.part, selection: at(0, 0) })
}

/** What somebody typed, to be told of. */
function wordsOf(cells: readonly SharedCell[], typed?: string): string {
  const said = ([, , { formula, content }]: SharedCell): string =>
    formula === undefined ? ('value' in content ? String(content.value) : '') : `=${formula}`
  return [typed ?? '', ...cells.map(said)]
    .filter((one) => one !== '')
    .join('、')
    .slice(0, 200)
}

function opened(bytes: Uint8Array, together: Together): History {
  try {
    return openHistory(bytes, together)
  } catch (error) {
    throw sayNotEditable(error)
  }
}
