// Tables of a Word document: cells merged across and down, rows that begin later, and text that runs downwards.
import { at, child, children, colorOf, type Element, fromTwips, numberAt, val } from '../package/index.ts'
import type { Block, Table, TableCell } from '../rendition/index.ts'

type Cell = { -readonly [K in keyof TableCell]: TableCell[K] }

const nowhere: Cell = { blocks: [], edges: ['', '', '', ''] }
const mostSpanned = 200

/** Reads a table; `read` reads the content of a cell. */
export function tableOf(table: Element, read: (cell: Element) => Block[]): Table {
  const widths = children(child(table, 'w:tblGrid'), 'w:gridCol').map((one) => fromTwips(numberAt(one, 'w:w') ?? 0))
  const rows: Cell[][] = []
  /** Vertically merged cells, by the column that they begin in. */
  const open = new Map<number, Cell>()
  for (const row of within(table, 'w:tr')) {
    const about = child(row, 'w:trPr')
    // A deleted row is gone, as deleted text is.
    if (child(about, 'w:del') !== undefined) continue
    const cells: Cell[] = []
    const before = spanOf(child(about, 'w:gridBefore'), 0)
    if (before > 0) cells.push({ ...nowhere, ...(before > 1 ? { across: before } : {}) })
    let column = before
    for (const cell of within(row, 'w:tc')) {
      const properties = child(cell, 'w:tcPr')
      const across = spanOf(child(properties, 'w:gridSpan'), 1)
      const merge = child(properties, 'w:vMerge')
      const beside = child(properties, 'w:hMerge')
      const last = cells.at(-1)
      const above = open.get(column)
      if (beside !== undefined && val(beside) !== 'restart' && last !== undefined) {
        last.across = (last.across ?? 1) + across
      } else if (merge !== undefined && val(merge) !== 'restart' && above !== undefined) {
        above.down = (above.down ?? 1) + 1
      } else {
        const made = cellOf(properties, across, read(cell))
        if (merge === undefined) open.delete(column)
        else open.set(column, made)
        cells.push(made)
      }
      column += across
    }
    const after = spanOf(child(about, 'w:gridAfter'), 0)
    if (after > 0) cells.push({ ...nowhere, ...(after > 1 ? { across: after } : {}) })
    rows.push(cells)
  }
  return { is: 'table', widths, rows }
}

const spanOf = (element: Element | undefined, usual: number): number =>
  Math.max(usual, Math.min(mostSpanned, numberAt(element, 'w:val') ?? usual))

function cellOf(properties: Element | undefined, across: number, blocks: readonly Block[]): Cell {
  const fill = colorOf(child(properties, 'w:shd')?.attributes['w:fill'])
  const direction = val(at(properties, 'w:textDirection')) ?? ''
  const vertical = /^tb(Rl|LrV|RlV)?$/.test(direction) && direction !== 'tb' ? 'down' : direction === 'btLr' ? 'up' : ''
  return {
    blocks,
    ...(across > 1 ? { across } : {}),
    ...(fill === undefined ? {} : { fill }),
    ...(vertical === '' ? {} : { vertical }),
  }
}

/** The rows of a table or the cells of a row, also those within content controls and other wrappers. */
function within(container: Element, name: 'w:tr' | 'w:tc'): Element[] {
  return children(container).flatMap((one) => {
    if (one.name === name) return [one]
    return /Pr$|^w:(tblGrid|del|moveFrom)$/.test(one.name) ? [] : within(one, name)
  })
}
