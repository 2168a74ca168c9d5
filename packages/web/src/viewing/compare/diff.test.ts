import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareLines, diffSteps, tokensIn } from './diff.ts'

describe('what differs between two versions', () => {
  it('is a script that leads from one list to the other, and no longer than it has to be', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 })
    fc.assert(
      fc.property(words, words, (a, b) => {
        const steps = diffSteps(a, b)
        expect(steps.filter(({ kind }) => kind !== 'ins').map((step) => a[step.a])).toEqual(a)
        expect(steps.filter(({ kind }) => kind !== 'del').map((step) => b[step.b])).toEqual(b)
        for (const step of steps) if (step.kind === 'same') expect(a[step.a]).toBe(b[step.b])
        expect(steps.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(a, b))
      }),
    )
  })

  it('stands line beside line, with the words that changed', () => {
    const lines = compareLines(
      ['4.1 不变', '4.2 付款周期为 60 个自然日', '5.2 返点以现金方式'],
      ['4.1 不变', '4.2 付款周期为 45 个自然日', '新的一段'],
    )
    expect(lines.map(({ kind }) => kind)).toEqual(['same', 'change', 'remove', 'add'])
    const changed = (side: 'left' | 'right') => lines[1]?.[side]?.pieces.filter((piece) => piece.changed)
    expect([changed('left'), changed('right')]).toEqual([
      [{ text: '60', changed: true }],
      [{ text: '45', changed: true }],
    ])
  })

  it('of texts that have nothing in common is that one took the place of the other', () => {
    const [a, b] = [Array.from({ length: 3000 }, (_, n) => `a${n}`), Array.from({ length: 3000 }, (_, n) => `b${n}`)]
    expect(compareLines(a, b).filter(({ kind }) => kind === 'same')).toEqual([])
  })

  it('is told by words, and in Chinese by characters', () => {
    expect(tokensIn('付款 45 days')).toEqual(['付', '款', ' ', '45', ' ', 'days'])
  })
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const one of a) {
    const next = [0]
    for (const [n, other] of b.entries())
      next.push(one === other ? (row[n] ?? 0) + 1 : Math.max(next[n] ?? 0, row[n + 1] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}
