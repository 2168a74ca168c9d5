/*
 * A workbook that several people write in at once: a version of it, and over that the cells that were written into since it
 * is edited together. What is typed here goes into those, what others type comes from them.
 */
import { togetherRoot } from '@cloudoc/contract'
import { cellName, type SharedCell, sharedCells } from '@cloudoc/office/shared-cells'
import { type History, openHistory } from '@cloudoc/office/workbook-history'
import type { YMapEvent } from 'yjs'
import { at, type Selection } from '../grid/grid-model.ts'
import { sayNotEditable } from '../not-editable.ts'
import { SheetBody, SheetFoot, sheetPaper } from '../sheet-editor.tsx'
import { contentOf } from '../wire.ts'
import type { HereKind } from './here-paper.ts'
import type { Here } from './session.ts'

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
  async open({ item, joined, here, onChange }) {
    const bytes = await contentOf({ fileId: item.fId, fileName: item.fName }, joined.version)
    const history = opened(bytes, here)
    const book = history.now()
    const cells = cellsOf(here)
    book.takeIn(sharedCells(cells.entries()))
    const own = unsent(here)
    const hear = ({ keysChanged, transaction }: YMapEvent<SharedCell[2]>): void => {
      if (transaction.origin === 'page') return
      const names = [...(keysChanged as ReadonlySet<string>)]
      for (const name of names) if (own.cells.has(name)) own.clashing.add(name)
      book.takeIn(sharedCells(names.map((name) => [name, cells.get(name)] as const)))
    }
    cells.observe(hear)
    const { paper } = sheetPaper(history, item.fName, onChange)
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
    return {
      ...paper,
      find: () => paper.store.setState({ isFinding: true }),
      draft: () => JSON.stringify([...own.cells.values()]),
      Body: ({ zoom }) => <SheetBody paper={paper} zoom={zoom} />,
      Foot: () => <SheetFoot paper={paper} />,
      close() {
        tellPlace()
        here.others.off('change', showOthers)
        cells.unobserve(hear)
        paper.close()
      },
    }
  },
  // Rows were put in or taken out: its cells are at other addresses here.
  canPut: (draft) => !draft.startsWith('{'),
  put: (here, draft) => write(here, draft === '' ? [] : (JSON.parse(draft) as SharedCell[])),
  clashes: (here) => unsent(here).clashing.size > 0,
}

function opened(bytes: Uint8Array, here: Here): History {
  try {
    return openHistory(bytes, (written) => write(here, written))
  } catch (error) {
    throw sayNotEditable(error)
  }
}
