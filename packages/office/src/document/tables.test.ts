// Inserting and deleting table rows and columns; everything else stays byte-identical.
import type { Node } from 'prosemirror-model'
import { expect, it } from 'vitest'
import { bodyOf, documentOf } from '../../test/documents.ts'
import { openDocument } from './document.ts'
import { type CellPlace, changedTable, newTable, normalizedTable, type TableChange } from './tables.ts'

const cell = (text: string, more = '', width = 2000): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${more}</w:tcPr><w:p w:rsidR="${text}"><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
const fresh = (more = '', width = 2000): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${more}</w:tcPr><w:p><w:pPr><w:jc w:val="center"/></w:pPr></w:p></w:tc>`
const row = (...cells: string[]): string => `<w:tr w:rsidTr="r"><w:trPr><w:cantSplit/></w:trPr>${cells.join('')}</w:tr>`
const freshRow = (...cells: string[]): string => row(...cells).replace(' w:rsidTr="r"', '')
const gridOf = (...widths: number[]): string =>
  `<w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`
const tableOf = (grid: string, ...rows: string[]): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/></w:tblPr>${grid}${rows.join('')}</w:tbl>`

/** Returns the body after a change to its first table. */
function changed(body: string, change: TableChange, from: CellPlace, to = from): string {
  const document = openDocument(documentOf(body))
  const blocks = document.doc.children
  const at = blocks.findIndex(({ type }) => type.name === 'table')
  const made = changedTable(blocks[at] as Node, from, to, change)
  const now = document.schema.node(
    'doc',
    undefined,
    blocks.toSpliced(at, 1, ...(made === undefined ? [] : [made.table])),
  )
  const bytes = document.bytes(now)
  // Reading the result gives what was written.
  expect(openDocument(bytes).doc.textContent).toBe(now.textContent)
  return bodyOf(bytes)
}

const grid = gridOf(2000, 2000, 2000)
const [one, two] = [row(cell('一'), cell('二'), cell('三')), row(cell('四'), cell('五'), cell('六'))]
const around = (table: string): string => `<w:p w:rsidR="P"><w:r><w:t>前</w:t></w:r></w:p>\n${table}<w:p/>`

it('a row is put in like the one beside it, empty; all others stay byte for byte', () => {
  const body = around(tableOf(grid, one, `<w:bookmarkStart w:id="1" w:name="x"/>${two}`))
  const made = freshRow(fresh(), fresh(), fresh())
  expect(changed(body, 'rowBelow', { row: 0, cell: 1 })).toBe(body.replace(one, one + made))
  expect(changed(body, 'rowAbove', { row: 0, cell: 0 })).toBe(body.replace(one, made + one))
  expect(changed(body, 'rowBelow', { row: 1, cell: 0 })).toBe(body.replace(two, two + made))
})

it('a row is taken out; what marks a place in it stays, and the table goes with its last row', () => {
  const marked = row(cell('甲').replace('<w:r>', '<w:bookmarkStart w:id="7" w:name="z"/><w:r>'), cell('乙'), cell('丙'))
  const body = around(tableOf(grid, one, marked, two))
  expect(changed(body, 'rowsOut', { row: 1, cell: 0 })).toBe(
    body.replace(marked, '<w:bookmarkStart w:id="7" w:name="z"/>'),
  )
  expect(changed(body, 'rowsOut', { row: 2, cell: 0 }, { row: 1, cell: 2 })).not.toContain('四')
  expect(changed(body, 'rowsOut', { row: 0, cell: 0 }, { row: 2, cell: 0 })).not.toContain('w:tbl>')
})

// [R171] Cells of a document's table are merged with their contents, and split.
it('[R171] cells are made one, with what stood in each, over columns and over rows; the rest stays byte for byte', () => {
  const body = around(tableOf(grid, one, two))
  const p = (text: string): string =>
    `<w:p w:rsidR="${text}"><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const wide = (more: string, inside: string): string =>
    `<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/><w:gridSpan w:val="2"/>${more}</w:tcPr>${inside}</w:tc>`
  const across = changed(body, 'merge', { row: 0, cell: 0 }, { row: 0, cell: 1 })
  expect(across).toBe(body.replace(cell('一') + cell('二'), wide('', p('一') + p('二'))))
  const block = changed(body, 'merge', { row: 1, cell: 1 }, { row: 0, cell: 0 })
  const empty = '<w:p><w:pPr><w:jc w:val="center"/></w:pPr></w:p>'
  expect(block).toBe(
    body
      .replace(cell('一') + cell('二'), wide('<w:vMerge w:val="restart"/>', ['一', '二', '四', '五'].map(p).join('')))
      .replace(cell('四') + cell('五'), wide('<w:vMerge/>', empty)),
  )
  // Merging a selection extends it to all merged cells that it touches. A single cell cannot be merged.
  const tall = around(
    tableOf(
      grid,
      row(cell('一', '<w:vMerge w:val="restart"/>'), cell('二'), cell('三')),
      row(cell('', '<w:vMerge/>'), cell('五'), cell('六')),
    ),
  )
  const all = changed(tall, 'merge', { row: 0, cell: 0 }, { row: 0, cell: 1 })
  expect(all.match(/<w:vMerge[ /]/g)).toHaveLength(2)
  expect(all.replaceAll(/<[^>]+>/g, '')).toBe('前\n一二五三六')
  expect(changed(body, 'merge', { row: 0, cell: 0 })).not.toContain('<w:gridSpan')
})

it('[R171] a cell over several is one for each again, and any other is two beside each other, over which the rest goes on', () => {
  const body = around(
    tableOf(
      grid,
      row(cell('一', '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>', 4000), cell('三')),
      row(cell('', '<w:gridSpan w:val="2"/><w:vMerge/>', 4000), cell('六')),
    ),
  )
  expect(changed(body, 'split', { row: 0, cell: 0 })).toBe(
    around(tableOf(grid, row(cell('一'), fresh(), cell('三')), row(fresh(), fresh(), cell('六')))),
  )
  const even = around(tableOf(grid, one, two))
  const over = (text: string): string => cell(text, '<w:gridSpan w:val="2"/>')
  expect(changed(even, 'split', { row: 0, cell: 1 })).toBe(
    around(
      tableOf(
        gridOf(2000, 1000, 1000, 2000),
        row(cell('一'), cell('二', '', 1000), fresh('', 1000), cell('三')),
        row(cell('四'), over('五'), cell('六')),
      ),
    ),
  )
})

it('cells that go on below others stay so over new rows, and begin anew where their first row is taken out', () => {
  const starts = '<w:vMerge w:val="restart"/>'
  const goesOn = '<w:vMerge/>'
  const body = tableOf(
    grid,
    row(cell('高', starts), cell('二'), cell('三')),
    row(cell('空', goesOn), cell('五'), cell('六')),
  )
  expect(changed(body, 'rowBelow', { row: 0, cell: 1 })).toBe(
    body.replace('</w:tr>', `</w:tr>${freshRow(fresh(goesOn), fresh(), fresh())}`),
  )
  const left = changed(body, 'rowsOut', { row: 0, cell: 1 })
  expect(left).not.toContain('vMerge')
  expect(left).toContain('高')
  expect(left).toContain(cell('六'))
})

// [R171] Rows and columns of a document's tables are inserted and deleted; all other rows and cells stay unchanged.
it('[R171] a column is put in beside another and taken out; cells over it grow and shrink, the table stays as wide', () => {
  const wide = row(cell('宽', '<w:gridSpan w:val="3"/>', 6000))
  const body = around(tableOf(grid, wide, one))
  const made = changed(body, 'columnAfter', { row: 1, cell: 0 })
  expect(made).toBe(
    around(
      tableOf(
        gridOf(1500, 1500, 1500, 1500),
        row(cell('宽', '<w:gridSpan w:val="4"/>', 6000)),
        row(cell('一', '', 1500), fresh('', 1500), cell('二', '', 1500), cell('三', '', 1500)),
      ),
    ),
  )
  expect(changed(body, 'columnBefore', { row: 1, cell: 0 })).toContain(
    row(fresh('', 1500), cell('一', '', 1500), cell('二', '', 1500), cell('三', '', 1500)),
  )
  expect(changed(body, 'columnsOut', { row: 1, cell: 1 }, { row: 1, cell: 2 })).toBe(
    around(tableOf(gridOf(6000), row(cell('宽', '', 6000)), row(cell('一', '', 6000)))),
  )
  expect(changed(body, 'columnsOut', { row: 0, cell: 0 })).not.toContain('w:tbl>')
  const uneven = around(tableOf(grid, row(cell('一')), one))
  expect(changed(uneven, 'columnAfter', { row: 1, cell: 0 })).not.toContain('w:tbl>')
})

it('a new table has lines and widths; a pasted one stands on a grid, whatever its cells span', () => {
  const document = openDocument(documentOf('<w:p/>'))
  const { schema, doc } = document
  const text = (words: string): Node => schema.node('paragraph', {}, [schema.text(words)])
  const bytes = document.bytes(doc.copy(doc.content.addToEnd(newTable(doc, 2, 3, 9000)).addToEnd(text('后'))))
  expect(bodyOf(bytes)).toContain(gridOf(3000, 3000, 3000))
  expect(bodyOf(bytes)).toContain('<w:tblBorders><w:top w:val="single"')
  expect(openDocument(bytes).doc.children.map(({ type }) => type.name)).toEqual(['paragraph', 'table', 'paragraph'])
  const pasted = schema.node('table', {}, [
    schema.node('row', {}, [
      schema.node('cell', { down: 2 }, [text('a')]),
      schema.node('cell', { across: 2 }, [text('b')]),
    ]),
    schema.node('row', {}, [schema.node('cell', {}, [text('c')])]),
  ])
  const settled = normalizedTable(pasted, 9000)
  const spans = (line: Node | null | undefined): string[] =>
    (line?.children ?? []).map(({ attrs }) => ['across', 'down', 'hidden'].map((name) => String(attrs[name])).join(' '))
  expect(settled.children.map(spans)).toEqual([
    ['1 2 false', '2 1 false'],
    ['1 1 true', '1 1 false', '1 1 false'],
  ])
  const again = openDocument(document.bytes(doc.copy(doc.content.addToEnd(settled))))
  expect(spans(again.doc.lastChild?.firstChild)).toEqual(['1 2 false', '2 1 false'])
})
