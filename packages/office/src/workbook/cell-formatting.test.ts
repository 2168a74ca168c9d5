// Changed cell formatting: the style is added, the cell references it, and everything else is unchanged.
import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, styles, workbookFixture } from '../../test/workbook-fixture.ts'
import { isCellFormatting } from './cell-formatting.ts'
import { type CoeditCell, isCellWrite } from './coedit-cells.ts'
import { openWorkbook, type Workbook } from './workbook.ts'

const bytes = workbookFixture()
const area = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const partsOf = (made: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(made)).map(([name, part]) => [name, strFromU8(part)]))
const styleAt = (book: Workbook, row: number, column: number) => book.shown(firstSheetPart, row, column).style

// [R171] Cell formats of a workbook: bold, italic, underline, strikethrough, font colour, fill, borders, alignment,
// number formats; only the needed style is added.
it('[R171] a look is a style more and the number of it in the cell; formulas, words with looks of their own and all else stay', () => {
  const book = openWorkbook(bytes)
  expect(book.look(firstSheetPart, area(0, 0, 1, 1), { look: { bold: true, fill: 'FFE08A' } })).toBeUndefined()
  expect(
    book.look(firstSheetPart, area(0, 0), { look: { color: 'C00000', align: 'center', borders: true, wrap: true } }),
  ).toBe(undefined)
  expect(book.look(firstSheetPart, area(1, 0), { format: 10 })).toBeUndefined()
  const look = { bold: true, fill: '#ffe08a', color: '#c00000', align: 'center', borders: 'tblr', wrap: true }
  expect(styleAt(book, 0, 0)).toEqual(look)
  expect(book.shown(firstSheetPart, 1, 0).text).toBe('200.00%')
  const [before, after] = [partsOf(bytes), partsOf(book.bytes())]
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual([
    'xl/workbook.xml',
    'xl/styles.xml',
    firstSheetPart,
  ])
  // Without style numbers the sheet is unchanged, except for new cells.
  const bare = (xml = ''): string => xml.replaceAll(/ s="\d+"/g, '')
  expect(bare(after[firstSheetPart])).toBe(bare(before[firstSheetPart]))
  expect(after['xl/styles.xml']?.startsWith(styles.slice(0, styles.indexOf('<fonts')))).toBe(true)
  expect(after['xl/styles.xml']).toContain('<fills count="3"><fill><patternFill patternType="none"/>')
  const again = openWorkbook(book.bytes())
  expect(styleAt(again, 0, 0)).toEqual(look)
  expect(styleAt(again, 1, 1)).toMatchObject({ bold: true, fill: '#ffe08a' })
  expect([
    again.typed(firstSheetPart, 1, 1),
    again.typed(firstSheetPart, 2, 1),
    again.shown(firstSheetPart, 1, 0).text,
  ]).toEqual(['=A2*$A$2', '=A3*$A$2', '200.00%'])
  // Removing all formatting gives the cell the default style.
  again.look(firstSheetPart, area(0, 0), {
    look: { bold: false, fill: '', color: '', align: '', borders: false, wrap: false },
  })
  expect(styleAt(openWorkbook(again.bytes()), 0, 0)).toEqual({})
})

it('[R171] a look is undone and done again, stays with what is typed, and is kept by a draft', () => {
  const book = openWorkbook(bytes)
  book.look(firstSheetPart, area(0, 0, 0, 3), { look: { italic: true } })
  book.type(firstSheetPart, [{ row: 0, column: 3, text: '新' }])
  expect(styleAt(book, 0, 3)).toEqual({ italic: true })
  const other = openWorkbook(bytes)
  other.restore(book.draft())
  expect([styleAt(other, 0, 3), other.shown(firstSheetPart, 0, 3).text]).toEqual([{ italic: true }, '新'])
  book.undo()
  expect(book.undo()).toEqual({ part: firstSheetPart, row: 0, column: 0 })
  expect(book.bytes()).toBe(bytes)
  book.redo()
  expect(styleAt(book, 0, 0)).toEqual({ italic: true })
})

// [R148] Cell formats are co-edited too.
it('[R148] a look reaches who writes in it too, and is taken back also once it is in a version', () => {
  const told: CoeditCell[][] = []
  const book = openWorkbook(bytes, (cells) => told.push([...cells]))
  book.look(firstSheetPart, area(0, 0), { look: { bold: true } })
  const [cells = []] = told
  expect(cells.every(([, , written]) => isCellWrite(written))).toBe(true)
  const theirs = openWorkbook(bytes)
  theirs.takeIn(cells)
  const version = theirs.bytes()
  expect(styleAt(openWorkbook(version), 0, 0)).toEqual({ bold: true })
  book.undo()
  const later = openWorkbook(version)
  later.takeIn(told.at(-1) ?? [])
  expect(styleAt(later, 0, 0)).toEqual({})
})

// [R171] Cells have font and size, borders around a range or on one edge; existing ones stay unchanged.
it('[R171] letters have a font and a size of their own, and lines run where they were put; those that are there stay', () => {
  const book = openWorkbook(bytes)
  book.look(firstSheetPart, area(0, 0), { look: { font: '宋体', size: 14 } })
  book.look(firstSheetPart, area(0, 0, 2, 2), { edges: 'tblr' })
  book.look(firstSheetPart, area(1, 1), { edges: 't' })
  const lines = (one: Workbook) => [styleAt(one, 0, 0).borders, styleAt(one, 1, 1).borders, styleAt(one, 2, 2).borders]
  const again = openWorkbook(book.bytes())
  expect([lines(book), lines(again)]).toEqual([
    ['tl', 't', 'br'],
    ['tl', 't', 'br'],
  ])
  expect(styleAt(again, 0, 0)).toMatchObject({ font: '宋体', size: 18.67 })
  expect(partsOf(book.bytes())['xl/styles.xml']).toContain('<font><sz val="14"/><name val="宋体"/></font>')
  again.look(firstSheetPart, area(0, 0), { look: { font: '', size: 11, borders: false } })
  expect(styleAt(openWorkbook(again.bytes()), 0, 0)).toEqual({})
})

it('[R148] what is no look is none', () => {
  expect(isCellFormatting({ bold: true, color: 'FF0000', align: 'left' })).toBe(true)
  for (const one of [
    { bold: 1 },
    { color: 'red' },
    { color: '"/><x' },
    { align: 'up' },
    { size: 0 },
    { size: 12.3 },
    { font: '<x' },
    { borders: 'lx' },
    { depth: 3 },
    null,
    'x',
  ])
    expect(isCellFormatting(one)).toBe(false)
  expect(isCellWrite({ content: { kind: 'empty' }, look: { fill: '<' } })).toBe(false)
})

// [R171] A copied or filled cell takes all formats of its source.
it('[R171] a cell takes on all of how another looks: its style as it stands, and what was put over that; undone, kept, shared', () => {
  const told: CoeditCell[] = []
  const book = openWorkbook(bytes, (cells) => told.push(...cells))
  const styleOf = (made: Uint8Array, ref: string) =>
    new RegExp(`<c r="${ref}"[^>]* s="(\\d+)"`).exec(partsOf(made)[firstSheetPart] ?? '')?.[1]
  book.look(firstSheetPart, area(0, 0), { look: { fill: 'FFE08A' } })
  book.type(firstSheetPart, [{ row: 6, column: 3, text: '7', like: { row: 0, column: 0 } }])
  expect(styleAt(book, 6, 3)).toMatchObject({ fill: '#ffe08a' })
  const draft = openWorkbook(bytes)
  draft.restore(book.draft())
  expect(styleAt(draft, 6, 3)).toMatchObject({ fill: '#ffe08a' })
  // An existing style is reused: no style is added.
  const plain = openWorkbook(bytes)
  plain.type(firstSheetPart, [{ row: 8, column: 8, text: 'x', like: { row: 1, column: 0 } }])
  expect(styleOf(plain.bytes(), 'I9')).toBe(styleOf(bytes, 'A2'))
  expect(partsOf(plain.bytes())['xl/styles.xml']).toBe(partsOf(bytes)['xl/styles.xml'])
  book.undo()
  expect(styleAt(book, 6, 3)).toEqual(styleAt(openWorkbook(bytes), 6, 3))
  const other = openWorkbook(bytes)
  other.takeIn(told)
  expect(styleAt(other, 6, 3)).toEqual(styleAt(openWorkbook(bytes), 6, 3))
  expect(told.every(([, , written]) => isCellWrite(written))).toBe(true)
  // A style number that does not exist changes nothing, also if it comes from another user.
  other.takeIn([[firstSheetPart, 'A1', { content: { kind: 'text', value: 'y' }, base: 60_000 }]])
  expect(styleOf(other.bytes(), 'A1')).toBe(styleOf(bytes, 'A1'))
})
