import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitGroups, type Group, ListLayout } from './list-layout.ts'

const group = (key: string, count: number): Group => ({ fType: 1, key, count })
const sizes = { lineHeight: 36, headHeight: 30, padding: 8 }

/** Returns all lines in order. */
const all = (layout: ListLayout) => Array.from({ length: layout.lines }, (_, i) => layout.line(i))

describe('where rows stand', () => {
  test('every row stands in one line, lines follow each other without a gap, and each is found by row and by height', () => {
    const cases = fc.record({
      counts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      perLine: fc.integer({ min: 1, max: 7 }),
      grouped: fc.boolean(),
      // The number of folder groups, and their layout.
      folderGroups: fc.integer({ min: 0, max: 3 }),
      foldersPerLine: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(cases, ({ counts, perLine, grouped, folderGroups, foldersPerLine }) => {
        const total = counts.reduce((sum, count) => sum + count, 0)
        const groups = grouped
          ? counts.map((count, i): Group => ({ fType: i < folderGroups ? 2 : 1, key: String(i), count }))
          : undefined
        const folders = { perLine: foldersPerLine, lineHeight: 20 }
        const layout = new ListLayout({ total, perLine, groups, folders, ...sizes })
        let top = sizes.padding
        let row = 0
        for (const line of all(layout)) {
          expect(line.top).toBe(top)
          expect(layout.lineAt(top)).toBe(line.index)
          expect(layout.lineAt(top + line.height - 1)).toBe(line.index)
          top += line.height
          if (line.isHead) continue
          expect(line.from).toBe(row)
          const isFolders = line.group?.fType === 2
          expect(line.to - line.from).toBeLessThanOrEqual(isFolders ? foldersPerLine : perLine)
          expect(line.height).toBe(isFolders ? 20 : sizes.lineHeight)
          for (row = line.from; row < line.to; row++) expect(layout.lineOf(row)).toBe(line.index)
        }
        expect(row).toBe(total)
        expect(layout.height).toBe(top)
        expect(layout.lineAt(top)).toBe(layout.lines)
      }),
    )
  })

  test('a step leads as far across in the next line of rows, over heads, and stops at the ends', () => {
    const layout = new ListLayout({ total: 9, perLine: 3, groups: [group('a', 4), group('b', 5)], ...sizes })
    // a: 0 1 2 | 3    b: 4 5 6 | 7 8
    expect(layout.step(1, 1)).toBe(3)
    expect(layout.step(3, 1)).toBe(4)
    expect(layout.step(6, 1)).toBe(8)
    expect(layout.step(5, -1)).toBe(3)
    expect(layout.step(1, -1)).toBe(1)
    expect(layout.step(8, 5)).toBe(8)
    expect(layout.ofGroup('1 b')).toMatchObject({ from: 4, to: 9 })
  })

  test('an empty list has no line', () => {
    const layout = new ListLayout({ total: 0, perLine: 1, groups: undefined, ...sizes, padding: 0 })
    expect([layout.lines, layout.height, layout.lineAt(0)]).toEqual([0, 0, 0])
  })

  test('groups that were counted a moment before sum up to the rows that there are', () => {
    const groups = [group('a', 4), group('b', 5)]
    expect(fitGroups(groups, 12)).toEqual([group('a', 4), group('b', 8)])
    expect(fitGroups(groups, 6)).toEqual([group('a', 4), group('b', 2)])
    expect(fitGroups(groups, 3)).toEqual([group('a', 3)])
  })
})
