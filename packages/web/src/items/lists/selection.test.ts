import { describe, expect, test } from 'vitest'
import { FolderList } from './folder-list.ts'
import {
  afterEdit,
  afterRemoval,
  clearSelection,
  clickRow,
  countOf,
  invertSelection,
  isSelected,
  moveFocus,
  nothingSelected,
  type Order,
  selectAll,
  selectOnly,
  selectSpan,
  toggleRow,
} from './selection.ts'

function orderOf(keys: readonly (string | undefined)[]): Order {
  return {
    length: keys.length,
    keyAt: (index) => keys[index],
    indexOf: (key) => keys.indexOf(key),
    has: (key) => keys.includes(key),
  }
}
const order = orderOf(['a', 'b', 'c', 'd', 'e'])
const chosen = (selection: { keys: ReadonlySet<string> }): string => [...selection.keys].sort().join('')

describe('selection of rows', () => {
  test('a click selects one row, Ctrl adds and takes out, Shift selects the range from the anchor', () => {
    const one = clickRow(nothingSelected, order, 1)
    expect(chosen(one)).toBe('b')
    const two = clickRow(one, order, 3, { toggle: true })
    expect(chosen(two)).toBe('bd')
    expect(chosen(clickRow(two, order, 1, { toggle: true }))).toBe('d')
    expect(chosen(clickRow(one, order, 4, { extend: true }))).toBe('bcde')
    expect(chosen(clickRow(two, order, 4, { extend: true, toggle: true }))).toBe('bde')
  })

  test('Shift with arrows grows and shrinks around the anchor, Ctrl moves the keyboard alone', () => {
    const start = clickRow(nothingSelected, order, 2)
    const grown = moveFocus(start, order, 4, { extend: true })
    expect(chosen(grown)).toBe('cde')
    expect(chosen(moveFocus(grown, order, 1, { extend: true }))).toBe('bc')
    const aside = moveFocus(start, order, 0, { toggle: true })
    expect(chosen(aside)).toBe('c')
    expect(aside.focus).toBe('a')
  })

  test('an arrow stops at either end of the list', () => {
    expect(moveFocus(nothingSelected, order, -3).focus).toBe('a')
    expect(moveFocus(nothingSelected, order, 99).focus).toBe('e')
  })

  test('a range follows the order of the moment, so sorting between two clicks changes what lies between', () => {
    const first = clickRow(nothingSelected, order, 0)
    const sorted = orderOf(['e', 'd', 'a', 'c', 'b'])
    expect(chosen(clickRow(first, sorted, 4, { extend: true }))).toBe('abc')
  })

  test('all, none and the inverse', () => {
    const all = selectAll(nothingSelected, order)
    expect(chosen(all)).toBe('abcde')
    expect(chosen(clearSelection(all))).toBe('')
    expect(chosen(invertSelection(selectOnly(['a', 'c']), order))).toBe('bde')
  })

  test('rows that are not loaded are selected by position and counted, and become known as they come', () => {
    const list = new FolderList(
      { page: async () => undefined, item: async () => undefined, search: async () => [] },
      { sort: 'name', order: 'asc' },
    )
    const sparse = orderOf(['a', undefined, undefined, undefined, 'e', undefined])
    const all = selectAll(nothingSelected, sparse)
    expect(countOf(all)).toBe(6)
    expect(isSelected(all, undefined, 3)).toBe(true)
    const some = toggleRow(all, 'e')
    expect(countOf(some)).toBe(5)
    expect(countOf(invertSelection(some, sparse))).toBe(1)
    const filled = afterEdit(some, { kind: 'fill', from: 2, keys: ['c', 'd', 'e'] }, list)
    expect(chosen(filled)).toBe('acd')
    expect(filled.spans).toEqual([
      { from: 1, to: 2 },
      { from: 5, to: 6 },
    ])
    const shifted = afterEdit(filled, { kind: 'splice', at: 3, removed: 0, added: 1 }, list)
    expect(isSelected(shifted, undefined, 6)).toBe(true)
    expect(isSelected(shifted, undefined, 5)).toBe(false)
    expect(countOf(shifted)).toBe(5)
  })

  test('what comes into a hole that is selected is not selected with it; where nobody knows, the hole is let go', () => {
    const list = new FolderList(
      { page: async () => undefined, item: async () => undefined, search: async () => [] },
      { sort: 'name', order: 'asc' },
    )
    const sparse = orderOf(['a', undefined, undefined, undefined, 'e'])
    const hole = { from: 1, to: 4 }
    const grown = afterEdit(selectAll(nothingSelected, sparse), { kind: 'hole', hole, by: 1, came: ['new'] }, list)
    expect(countOf(grown)).toBe(5)
    const known = afterEdit(grown, { kind: 'fill', from: 1, keys: ['b', 'new', 'c', 'd'] }, list)
    expect(chosen(known)).toBe('abcde')
    const part = selectSpan(nothingSelected, sparse, { from: 0, to: 3 }, false)
    expect(countOf(part)).toBe(3)
    expect(countOf(afterEdit(part, { kind: 'hole', hole, by: -1, came: [] }, list))).toBe(1)
  })

  test('what left the list is not selected any more, and the keyboard goes to the row that took its place', () => {
    const before = selectOnly(['c', 'd'])
    const after = afterRemoval(before, orderOf(['a', 'b', 'd', 'e']), 2)
    expect(chosen(after)).toBe('d')
    expect(after.focus).toBe('d')
    expect(afterRemoval(selectOnly(['e']), orderOf(['a', 'b']), 4).focus).toBe('b')
  })

  test('a change that takes nothing selected away leaves the selection the same object', () => {
    const selection = selectOnly(['b'])
    expect(afterRemoval(selection, orderOf(['b', 'c']), 1)).toBe(selection)
  })
})
