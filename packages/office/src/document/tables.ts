// Inserting and deleting rows and columns of a table. Its cells are on a grid that all rows share. Continuation cells
// of a vertical merge are hidden cells, as in the file.
import { Fragment, type Node } from 'prosemirror-model'
import { withProperty } from './formatting.ts'

export type TableChange =
  | 'rowAbove'
  | 'rowBelow'
  | 'columnBefore'
  | 'columnAfter'
  | 'rowsOut'
  | 'columnsOut'
  | 'merge'
  | 'split'

/** A cell by its row and its index in the row. */
export interface CellPlace {
  readonly row: number
  readonly cell: number
}

interface Cell {
  readonly node: Node
  readonly at: number
  readonly across: number
  readonly merge: 'none' | 'starts' | 'goesOn'
}

interface Row {
  readonly node: Node
  readonly cells: readonly Cell[]
}

function rowsOf(table: Node): Row[] {
  return table.children.map((node) => {
    let at = Number(/<w:gridBefore\s[^>]*w:val="(\d+)"/.exec(String(node.attrs['trPr']))?.[1] ?? 0)
    const cells = node.children.map((cell): Cell => {
      const across = Number(cell.attrs['across'])
      at += across
      const merge = cell.attrs['hidden'] === true ? 'goesOn' : Number(cell.attrs['down']) > 1 ? 'starts' : 'none'
      return { node: cell, at: at - across, across, merge }
    })
    return { node, cells }
  })
}

/** Whether all rows cover the same columns, starting at the first one. In other tables columns cannot be changed. */
export function hasEvenRows(table: Node): boolean {
  const widths = rowsOf(table).map(({ cells }) => (cells[0]?.at === 0 ? endOf(cells.at(-1)) : -1))
  return widths.every((width) => width > 0 && width === widths[0])
}

const endOf = (cell: Cell | undefined): number => (cell === undefined ? 0 : cell.at + cell.across)

/**
 * Applies a change to the cells between `from` and `to`. Returns the table and the resulting cursor cell; undefined if
 * nothing is left of the table or the change is not possible.
 */
export function changedTable(
  table: Node,
  from: CellPlace,
  to: CellPlace,
  change: TableChange,
): { readonly table: Node; readonly place: CellPlace } | undefined {
  const rows = rowsOf(table)
  if (change === 'merge') return merged(table, rows, from, to)
  if (change === 'split') return split(table, rows, from)
  const [top, bottom] = [Math.min(from.row, to.row), Math.max(from.row, to.row)]
  if (change === 'rowAbove' || change === 'rowBelow') {
    const row = change === 'rowAbove' ? top : bottom + 1
    const made = rowLike(rows[change === 'rowAbove' ? top : bottom], rows[row])
    if (made === undefined) return undefined
    return { table: tableOf(table, rows.toSpliced(row, 0, made)), place: { row, cell: 0 } }
  }
  if (change === 'rowsOut') {
    const left = rows.toSpliced(top, bottom - top + 1)
    // A vertical merge that starts in a deleted row starts in the next row.
    const begun = rows.slice(top, bottom + 1).flatMap(({ cells }) => cells.filter(({ merge }) => merge === 'starts'))
    const next = left[top]
    if (next !== undefined) {
      const cells = next.cells.map((cell) => {
        const above = begun.findLast(({ at }) => at === cell.at)
        if (above === undefined || cell.merge !== 'goesOn') return cell
        return { ...cell, merge: 'starts' as const, node: cell.node.copy(above.node.content) }
      })
      left[top] = { ...next, cells }
    }
    if (left.length === 0) return undefined
    return { table: tableOf(table, left), place: { row: Math.min(top, left.length - 1), cell: 0 } }
  }
  if (!hasEvenRows(table)) return undefined
  const chosen = [rows[from.row]?.cells[from.cell], rows[to.row]?.cells[to.cell]]
  const first = Math.min(...chosen.map((cell) => cell?.at ?? 0))
  const end = Math.max(...chosen.map(endOf))
  const grid = String(table.attrs['grid']).split(' ').filter(Boolean).map(Number)
  const all = grid.reduce((sum, width) => sum + width, 0)
  if (change === 'columnsOut') {
    const left = rows
      .map((row) => ({ ...row, cells: placed(row.cells.flatMap((cell) => without(cell, first, end))) }))
      .filter(({ cells }) => cells.length > 0)
    if (left.length === 0) return undefined
    const made = tableOf(table, left, scaled(grid.toSpliced(first, end - first), all))
    const cell = left[top]?.cells.findLastIndex(({ at }) => at <= first) ?? 0
    return { table: made, place: { row: Math.min(top, left.length - 1), cell: Math.max(0, cell) } }
  }
  const column = change === 'columnBefore' ? first : end
  const made = rows.map((row) => {
    const over = row.cells.findIndex((cell) => cell.at < column && endOf(cell) > column)
    if (over >= 0) {
      const wider = row.cells.map((cell, n) => (n === over ? { ...cell, across: cell.across + 1 } : cell))
      return { ...row, cells: placed(wider) }
    }
    const next = row.cells.findIndex((cell) => cell.at >= column)
    const place = next < 0 ? row.cells.length : next
    const like = row.cells[change === 'columnBefore' ? place : place - 1] ?? row.cells[0]
    if (like === undefined) return row
    const fresh: Cell = { node: emptied(like.node), at: column, across: 1, merge: 'none' }
    return { ...row, cells: placed(row.cells.toSpliced(place, 0, fresh)) }
  })
  const width = grid[change === 'columnBefore' ? first : end - 1] ?? 0
  const place = made[top]?.cells.findLastIndex(({ at }) => at <= column) ?? 0
  const wider = grid.length === 0 ? grid : scaled(grid.toSpliced(column, 0, width), all)
  return { table: tableOf(table, made, wider), place: { row: top, cell: Math.max(0, place) } }
}

/** A rectangle of grid rows and columns; the ends are exclusive. */
interface Area {
  readonly top: number
  readonly bottom: number
  readonly first: number
  readonly end: number
}

/** The number of rows that a cell covers. */
function depthOf(rows: readonly Row[], row: number, cell: Cell): number {
  let down = 1
  const goesOn = (below: Row | undefined): boolean =>
    below?.cells.some(({ at, merge }) => at === cell.at && merge === 'goesOn') === true
  while (cell.merge === 'starts' && goesOn(rows[row + down])) down++
  return down
}

/**
 * The smallest rectangle that contains two cells and all merged cells that overlap it; undefined if the rows do not
 * fill it completely.
 */
function areaOf(rows: readonly Row[], from: CellPlace, to: CellPlace): Area | undefined {
  const ends = [from, to].map(({ row, cell }) => ({ row, cell: rows[row]?.cells[cell] }))
  let area: Area = {
    top: Math.min(from.row, to.row),
    bottom: Math.max(from.row, to.row) + 1,
    first: Math.min(...ends.map(({ cell }) => cell?.at ?? 0)),
    end: Math.max(...ends.map(({ cell }) => endOf(cell))),
  }
  for (;;) {
    let { top, bottom, first, end } = area
    rows.forEach(({ cells }, n) => {
      for (const cell of cells) {
        const last = n + depthOf(rows, n, cell)
        if (cell.merge === 'goesOn' || cell.at >= area.end || endOf(cell) <= area.first) continue
        if (n >= area.bottom || last <= area.top) continue
        first = Math.min(first, cell.at)
        end = Math.max(end, endOf(cell))
        top = Math.min(top, n)
        bottom = Math.max(bottom, last)
      }
    })
    const grown = { top, bottom, first, end }
    if (Object.entries(grown).every(([name, value]) => area[name as keyof Area] === value)) break
    area = grown
  }
  const isCovered = rows.slice(area.top, area.bottom).every(({ cells }) => {
    const inside = cells.filter((cell) => isIn(cell, area))
    const width = inside.reduce((sum, { across }) => sum + across, 0)
    return (
      width === area.end - area.first && inside.every(({ at, across }) => at >= area.first && at + across <= area.end)
    )
  })
  return isCovered ? area : undefined
}

const isIn = (cell: Cell, { first, end }: Pick<Area, 'first' | 'end'>): boolean => cell.at < end && endOf(cell) > first

const gridOf = (table: Node): number[] => String(table.attrs['grid']).split(' ').filter(Boolean).map(Number)

/** Sets the width of a cell to the sum of its columns, if their widths are known. */
function asWide(node: Node, grid: readonly number[], at: number, across: number): Node {
  const widths = grid.slice(at, at + across)
  if (widths.length < across) return node
  const tcW = widthOf(widths.reduce((sum, one) => sum + one, 0))
  return node.type.create(
    { ...node.attrs, tcPr: withProperty(String(node.attrs['tcPr']), 'cell', 'tcW', tcW) },
    node.content,
  )
}

const isEmpty = (block: Node): boolean => block.type.name === 'paragraph' && block.content.size === 0

/** Merges the cells between `from` and `to` into one, with the content of all of them. */
function merged(table: Node, rows: readonly Row[], from: CellPlace, to: CellPlace): ReturnType<typeof changedTable> {
  const area = areaOf(rows, from, to)
  if (area === undefined) return undefined
  const { top, bottom, first, end } = area
  const across = end - first
  const inside = rows.slice(top, bottom).flatMap(({ cells }) => cells.filter((cell) => isIn(cell, area)))
  const seen = inside.filter(({ merge }) => merge !== 'goesOn')
  const [main] = seen
  if (main === undefined || seen.length < 2) return undefined
  const blocks = seen.flatMap(({ node }) => node.children).filter((block) => !isEmpty(block))
  const content = Fragment.fromArray(blocks.length > 0 ? blocks : main.node.children.slice(0, 1))
  const grid = gridOf(table)
  const made = rows.map((row, n) => {
    if (n < top || n >= bottom) return row
    const place = row.cells.findIndex((cell) => isIn(cell, area))
    const own = n === top ? main.node.copy(content) : emptied(row.cells[place]?.node ?? main.node)
    const merge = n > top ? 'goesOn' : bottom - top > 1 ? 'starts' : 'none'
    const cell: Cell = { node: asWide(own, grid, first, across), at: first, across, merge }
    return { ...row, cells: row.cells.filter((one) => !isIn(one, area)).toSpliced(place, 0, cell) }
  })
  return {
    table: tableOf(table, made),
    place: { row: top, cell: made[top]?.cells.findIndex(({ at }) => at === first) ?? 0 },
  }
}

/** Splits a merged cell into one cell per column and row. Splits any other cell into two side by side. */
function split(table: Node, rows: readonly Row[], { row, cell: place }: CellPlace): ReturnType<typeof changedTable> {
  const cell = rows[row]?.cells[place]
  if (cell === undefined || cell.merge === 'goesOn') return undefined
  const depth = depthOf(rows, row, cell)
  const grid = gridOf(table)
  if (cell.across === 1 && depth === 1) return halved(table, rows, cell, { row, cell: place }, grid)
  const made = rows.map((one, n) => {
    if (n < row || n >= row + depth) return one
    const at = one.cells.findIndex((other) => other.at === cell.at)
    const old = one.cells[at]
    if (old === undefined) return one
    const fresh = Array.from({ length: cell.across }, (_, column): Cell => {
      const node = n === row && column === 0 ? cell.node : emptied(cell.node)
      return { node: asWide(node, grid, cell.at + column, 1), at: cell.at + column, across: 1, merge: 'none' }
    })
    return { ...one, cells: one.cells.toSpliced(at, 1, ...fresh) }
  })
  return { table: tableOf(table, made), place: { row, cell: place } }
}

/** Splits one cell into two. Its column becomes two, and the other cells of the column span both. */
function halved(
  table: Node,
  rows: readonly Row[],
  cell: Cell,
  place: CellPlace,
  grid: readonly number[],
): ReturnType<typeof changedTable> {
  const width = grid[cell.at]
  if (!hasEvenRows(table) || width === undefined || width < 2) return undefined
  const left = Math.floor(width / 2)
  const wider = grid.toSpliced(cell.at, 1, left, width - left)
  const made = rows.map((row, n) => ({
    ...row,
    cells: placed(
      row.cells.flatMap((one, at): Cell[] => {
        if (n === place.row && at === place.cell) {
          const half = (node: Node, column: number): Cell => {
            return { node: asWide(node, wider, column, 1), at: column, across: 1, merge: 'none' }
          }
          return [half(one.node, cell.at), half(emptied(one.node), cell.at + 1)]
        }
        return [one.at <= cell.at && endOf(one) > cell.at ? { ...one, across: one.across + 1 } : one]
      }),
    ),
  }))
  const fresh = tableOf(table, made)
  return { table: fresh.type.create({ ...fresh.attrs, grid: wider.join(' ') }, fresh.content), place }
}

/** A random ref that identifies a new table, which has no source in the file. */
const freshRef = (): number => -2 - Math.floor(Math.random() * 1e9)

/** Creates a table with columns of equal width. */
export function newTable(like: Node, rows: number, columns: number, width: number): Node {
  const { schema } = like.type
  const grid = scaled(Array<number>(columns).fill(1), width)
  const row = schema.node(
    'row',
    {},
    grid.map((one) => schema.node('cell', { tcPr: widthOf(one) }, [schema.node('paragraph')])),
  )
  return schema.node('table', { ref: freshRef(), grid: grid.join(' ') }, Array<Node>(rows).fill(row))
}

/** Normalizes a pasted table to its own grid: adds continuation cells for row spans and fills up short rows. */
export function normalizedTable(table: Node, width: number): Node {
  const { schema } = table.type
  const open: { at: number; across: number; left: number }[] = []
  const rows = table.children.map((node): Row => {
    const cells: Cell[] = []
    let at = 0
    const goOn = (): void => {
      for (let over = open.find((one) => one.at === at && one.left > 0); over !== undefined; ) {
        const hidden = schema.node('cell', {}, [schema.node('paragraph')])
        cells.push({ node: hidden, at, across: over.across, merge: 'goesOn' })
        over.left--
        at += over.across
        over = open.find((one) => one.at === at && one.left > 0)
      }
    }
    for (const cell of node.children) {
      goOn()
      const { across, down } = cell.attrs as { readonly across: number; readonly down: number }
      if (down > 1) open.push({ at, across, left: down - 1 })
      const fresh = cell.type.create({ ref: -1 }, cell.content)
      cells.push({ node: fresh, at, across, merge: down > 1 ? 'starts' : 'none' })
      at += across
    }
    goOn()
    return { node, cells }
  })
  const columns = Math.max(...rows.map(({ cells }) => endOf(cells.at(-1))))
  const filled = rows.map((row) => {
    const short = columns - endOf(row.cells.at(-1))
    const fresh = schema.node('cell', {}, [schema.node('paragraph')])
    const more = Array.from({ length: short }, (): Cell => ({ node: fresh, at: 0, across: 1, merge: 'none' }))
    return { ...row, cells: placed([...row.cells, ...more]) }
  })
  const fresh = table.type.create({ ref: freshRef() }, table.content)
  return tableOf(fresh, filled, scaled(Array<number>(columns).fill(1), width))
}

/** Returns an empty row with the cells of another row. Vertical merges that continue below also include the new row. */
function rowLike(row: Row | undefined, below: Row | undefined): Row | undefined {
  if (row === undefined) return undefined
  const trPr = String(row.node.attrs['trPr']).replace(
    /<w:(tblHeader|cnfStyle)(\s[^>]*)?\/>|<w:(ins|del)\s[^>]*\/>/g,
    '',
  )
  const cells = row.cells.map((cell): Cell => {
    const goesOn = below?.cells.some(({ at, merge }) => at === cell.at && merge === 'goesOn') === true
    return { ...cell, node: emptied(cell.node), merge: goesOn ? 'goesOn' : 'none' }
  })
  return { node: row.node.type.create({ trPr }, row.node.content), cells }
}

/** Returns an empty cell with the formatting of another, including that of its first paragraph. */
function emptied(cell: Node): Node {
  const pPr = cell.firstChild?.type.name === 'paragraph' ? String(cell.firstChild.attrs['pPr']) : ''
  return cell.type.create({ ...cell.attrs, ref: -1 }, cell.type.schema.node('paragraph', { pPr }))
}

/** Removes the columns between `first` and `end` from a cell. */
function without(cell: Cell, first: number, end: number): Cell[] {
  const across = cell.across - Math.max(0, Math.min(end, endOf(cell)) - Math.max(first, cell.at))
  return across === 0 ? [] : [{ ...cell, across }]
}

function placed(cells: readonly Cell[]): Cell[] {
  let at = 0
  return cells.map((cell) => ({ ...cell, at: (at += cell.across) - cell.across }))
}

/** Scales widths to a given sum. */
function scaled(widths: readonly number[], sum: number): number[] {
  const all = widths.reduce((total, width) => total + width, 0)
  return widths.map((width) => Math.max(1, Math.round((width / all) * sum)))
}

const widthOf = (width: number): string => `<w:tcW w:w="${width}" w:type="dxa"/>`

/** Builds the table from its rows. With a new grid, each cell gets the total width of its columns. */
function tableOf(table: Node, rows: readonly Row[], grid?: readonly number[]): Node {
  const nodes = rows.map(({ node, cells }, n) => {
    const inside = cells.map((cell) => {
      let down = 1
      const goesOn = (row: Row | undefined): boolean =>
        row?.cells.some(({ at, merge }) => at === cell.at && merge === 'goesOn') === true
      while (cell.merge !== 'goesOn' && goesOn(rows[n + down])) down++
      return cellOf(cell, down, grid)
    })
    const isSame = inside.length === node.childCount && inside.every((one, at) => one === node.maybeChild(at))
    return isSame ? node : node.copy(Fragment.fromArray(inside))
  })
  const attrs = grid === undefined ? table.attrs : { ...table.attrs, grid: grid.join(' ') }
  return table.type.create(attrs, nodes)
}

function cellOf({ node, at, across, merge }: Cell, down: number, grid: readonly number[] | undefined): Node {
  const hidden = merge === 'goesOn'
  let tcPr = String(node.attrs['tcPr'])
  if (across !== node.attrs['across']) {
    tcPr = withProperty(tcPr, 'cell', 'gridSpan', across > 1 ? `<w:gridSpan w:val="${across}"/>` : undefined)
  }
  const isMerged = /<w:vMerge[\s/>]/.test(tcPr)
  const starts = /<w:vMerge\s[^>]*w:val="restart"/.test(tcPr)
  if (hidden && (!isMerged || starts)) tcPr = withProperty(tcPr, 'cell', 'vMerge', '<w:vMerge/>')
  if (!hidden && down > 1 && !starts) tcPr = withProperty(tcPr, 'cell', 'vMerge', '<w:vMerge w:val="restart"/>')
  const wasMerged = node.attrs['hidden'] === true || Number(node.attrs['down']) > 1
  if (!hidden && down === 1 && isMerged && wasMerged) tcPr = withProperty(tcPr, 'cell', 'vMerge', undefined)
  if (grid !== undefined && grid.length > 0) {
    const width = grid.slice(at, at + across).reduce((sum, one) => sum + one, 0)
    tcPr = withProperty(tcPr, 'cell', 'tcW', widthOf(width))
  }
  const { attrs } = node
  if (attrs['tcPr'] === tcPr && attrs['across'] === across && attrs['down'] === down && attrs['hidden'] === hidden)
    return node
  return node.type.create({ ...attrs, tcPr, across, down, hidden }, node.content)
}
