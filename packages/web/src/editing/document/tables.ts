// Tables in the editor: the current cell, commands for rows and columns, and protection against edits that break a
// table.
import { type CellPlace, changedTable, newTable, normalizedTable, type TableChange } from '@cloudoc/office/document'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'

type Dispatch = ((tr: Transaction) => void) | undefined

const changing = new PluginKey('tables')

interface InTable {
  readonly table: Node
  /** The position of the table. */
  readonly at: number
  readonly from: CellPlace
  readonly to: CellPlace
}

/** The innermost table that contains the whole selection, and the first and last selected cell. */
export function tableAt({ selection: { $from, $to } }: EditorState): InTable | undefined {
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth--) {
    const table = $from.node(depth)
    if (table.type.name !== 'table') continue
    const from = { row: $from.index(depth), cell: $from.index(depth + 1) }
    const to = { row: $to.index(depth), cell: $to.index(depth + 1) }
    return { table, at: $from.before(depth), from, to }
  }
  return undefined
}

/** The position of a cell of a table. */
function cellAt(table: Node, at: number, { row, cell }: CellPlace): number {
  let place = at + 1
  for (let n = 0; n < row; n++) place += table.child(n).nodeSize
  place += 1
  for (let n = 0; n < cell; n++) place += table.child(row).child(n).nodeSize
  return place
}

/** Changes the rows or columns at the selection. */
export const changeTable =
  (change: TableChange): Command =>
  (state, dispatch) => {
    const here = tableAt(state)
    if (here === undefined) return false
    const { table, at, from, to } = here
    const made = changedTable(table, from, to, change)
    if (made === undefined && !change.endsWith('Out')) return false
    return made === undefined ? removeTable(state, dispatch) : put(state, dispatch, here, at + table.nodeSize, made)
  }

function put(
  state: EditorState,
  dispatch: Dispatch,
  { at }: InTable,
  end: number,
  made: { readonly table: Node; readonly place: CellPlace },
): boolean {
  const tr = state.tr.replaceWith(at, end, made.table).setMeta(changing, true)
  const cell = cellAt(made.table, at, made.place)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(cell + 1))).scrollIntoView())
  return true
}

/** Deletes the current table. */
export const removeTable: Command = (state, dispatch) => {
  const here = tableAt(state)
  if (here === undefined) return false
  const end = here.at + here.table.nodeSize
  const parent = state.doc.resolve(here.at).parent
  const { tr } = state
  if (parent.childCount === 1) tr.replaceWith(here.at, end, state.schema.node('paragraph'))
  else tr.delete(here.at, end)
  dispatch?.(
    tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(here.at, tr.doc.content.size)))).scrollIntoView(),
  )
  return true
}

/** Inserts a table after the current paragraph, or in place of it if it is empty. */
export const insertTable =
  (rows: number, columns: number, width: number): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if ($from.depth === 0) return false
    const { parent } = $from
    const isEmpty = parent.type.name === 'paragraph' && parent.content.size === 0 && parent.attrs['sect'] === ''
    const [from, to] = isEmpty ? [$from.before(), $from.after()] : [$from.after(), $from.after()]
    const table = newTable(state.doc, rows, columns, width)
    const next = state.doc.resolve(to).nodeAfter
    const more = next?.type.name === 'paragraph' ? [] : [state.schema.node('paragraph')]
    const tr = state.tr.replaceWith(from, to, [table, ...more]).setMeta(changing, true)
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(from + 3))).scrollIntoView())
    return true
  }

/** Goes to the next or previous cell; after the last cell it adds a row. */
export const goToCell =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const here = tableAt(state)
    if (here === undefined) return false
    const cells: CellPlace[] = here.table.children.flatMap((row, y) =>
      row.children.flatMap((cell, x) => (cell.attrs['hidden'] === true ? [] : [{ row: y, cell: x }])),
    )
    const { row, cell } = here.from
    const next = cells[cells.findIndex((one) => one.row === row && one.cell === cell) + step]
    if (next === undefined) return step === 1 ? changeTable('rowBelow')(state, dispatch) : true
    const at = state.doc.resolve(cellAt(here.table, here.at, next) + 1)
    dispatch?.(state.tr.setSelection(TextSelection.near(at)).scrollIntoView())
    return true
  }

/** Deletes a selection across cells by emptying each cell. */
export const clearCells: Command = (state, dispatch) => {
  const { selection, doc } = state
  if (selection.empty || keepsShapes(state.tr.deleteSelection(), doc)) return false
  const pieces: { readonly from: number; readonly to: number }[] = []
  doc.nodesBetween(selection.from, selection.to, (node, at) => {
    if (!node.isTextblock) return
    const [from, to] = [Math.max(at + 1, selection.from), Math.min(at + node.nodeSize - 1, selection.to)]
    if (from < to) pieces.push({ from, to })
  })
  const { tr } = state
  for (const { from, to } of pieces.toReversed()) tr.delete(from, to)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(selection.from))).scrollIntoView())
  return true
}

/** Rejects transactions that would remove rows or cells, except table commands. */
export const protectTables = (): Plugin =>
  new Plugin({
    key: changing,
    filterTransaction: (tr, state) =>
      !tr.docChanged ||
      tr.getMeta(changing) === true ||
      tr.getMeta('history$') !== undefined ||
      // Remote changes.
      tr.getMeta('addToHistory') === false ||
      keepsShapes(tr, state.doc),
  })

function keepsShapes(tr: Transaction, before: Node): boolean {
  const [old, now] = [shapesOf(before), shapesOf(tr.doc)]
  return [...now].every(([ref, shapes]) => {
    const known = old.get(ref)
    return known === undefined || [...shapes].every((shape) => known.has(shape))
  })
}

/** The row and cell structure of tables, by their source in the file. */
function shapesOf(doc: Node): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>()
  doc.descendants((node) => {
    if (node.type.name !== 'table') return !node.isTextblock
    const ref = Number(node.attrs['ref'])
    const shapes = found.get(ref) ?? new Set()
    found.set(ref, shapes.add(node.children.map((row) => row.childCount).join(' ')))
    return true
  })
  return found
}

/** Normalizes the grids of pasted tables. A part of a table is pasted as the paragraphs of its cells. */
export function withNormalizedTables(slice: Slice, width: number): Slice {
  const pieces = Math.max(slice.openStart, slice.openEnd)
  const isPiece = pieces > 1 && slice.content.content.some(({ type }) => /^(table|row|cell)$/.test(type.name))
  if (isPiece) return new Slice(Fragment.fromArray(paragraphsOf(slice.content)), 0, 0)
  const settle = (fragment: Fragment): Fragment =>
    Fragment.fromArray(
      fragment.content.map((node) => {
        if (node.type.name === 'table') return Number(node.attrs['ref']) !== -1 ? node : normalizedTable(node, width)
        return node.isLeaf || node.isTextblock ? node : node.copy(settle(node.content))
      }),
    )
  return new Slice(settle(slice.content), slice.openStart, slice.openEnd)
}

function paragraphsOf(fragment: Fragment): Node[] {
  return fragment.content.flatMap((node) =>
    /^(table|row|cell)$/.test(node.type.name) ? paragraphsOf(node.content) : [node],
  )
}
