// A CSV file in the grid: cells that were not edited stay unchanged in the file.
import { expect, it } from 'vitest'
import { openTable } from './table-model.ts'

const text = 'name,"amount"\r\n王敏,"1,200.50"\n\r\n"a ""b""", 007,x'

it('[R171] [R198] what is typed changes its field alone, in quotes where it needs them or had them', () => {
  const table = openTable(text, 'csv')
  expect(table.extent()).toEqual({ rows: 4, columns: 3 })
  expect([table.typed(1, 1), table.number(1, 1), table.typed(3, 0)]).toEqual(['1,200.50', 1200.5, 'a "b"'])
  table.type([{ row: 1, column: 1, text: '8' }])
  table.type([{ row: 1, column: 0, text: '王,敏' }])
  expect(table.text()).toBe('name,"amount"\r\n"王,敏","8"\n\r\n"a ""b""", 007,x')
  table.undo()
  table.undo()
  expect(table.text()).toBe(text)
  table.redo()
  expect(table.text()).toBe(text.replace('1,200.50', '8'))
  // Typing the existing value is not a change.
  table.type([{ row: 3, column: 1, text: ' 007' }])
  expect(table.undo()).toBe(1)
  expect(table.text()).toBe(text)
})

it('[R171] what is typed behind the end makes rows and fields, and leaves how the text ends', () => {
  const table = openTable('a,b\nc', 'csv')
  table.type([
    { row: 3, column: 0, text: 'z' },
    { row: 1, column: 2, text: 'n\nl' },
  ])
  expect(table.text()).toBe('a,b\nc,,"n\nl"\n,\nz,')
  table.undo()
  expect(table.text()).toBe('a,b\nc')
  const ended = openTable('a;b\r\n', 'csv')
  ended.type([{ row: 1, column: 1, text: 'x;y' }])
  expect(ended.text()).toBe('a;b\r\n;"x;y"\r\n')
  const empty = openTable('', 'csv')
  empty.type([{ row: 0, column: 1, text: 'x' }])
  expect(empty.text()).toBe(',x\n')
})

it('[R175] a draft is the text, and taking it in is one step', () => {
  const table = openTable(text, 'csv')
  table.restore('q;r,s')
  expect([table.text(), table.typed(0, 0)]).toEqual(['q;r,s', 'q;r'])
  table.undo()
  expect(table.text()).toBe(text)
})
