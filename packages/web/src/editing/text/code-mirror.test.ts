// @vitest-environment happy-dom

import { commonLineEnd, splitLines } from '@cloudoc/domain'
import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinLines } from './code-mirror.ts'

test('[R198] lines that were not touched keep their ends, whatever is typed between them', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', '合', '\n', '\r\n'), maxLength: 12 })
  fc.assert(
    fc.property(
      piece,
      fc.nat(),
      fc.nat(),
      fc.string({ unit: fc.constantFrom('x', '\n'), maxLength: 4 }),
      (text, a, b, insert) => {
        const { lines, ends } = splitLines(text)
        const before = Text.of(lines)
        const [from, to] = [a % (before.length + 1), b % (before.length + 1)].toSorted((x, y) => x - y)
        const changes = ChangeSet.of(
          [{ from: from ?? 0, to: to ?? 0, insert: Text.of(insert.split('\n')) }],
          before.length,
        )
        const joined = joinLines(ends, commonLineEnd(ends), before, changes, changes.apply(before))
        // The exact offsets of the line ends: those before and after the change do not change.
        const at = (n: number): number =>
          n + ends.slice(0, before.lineAt(n).number - 1).filter((end) => end.length === 2).length
        expect(joined.startsWith(text.slice(0, at(from ?? 0)))).toBe(true)
        expect(joined.endsWith(text.slice(at(to ?? 0)))).toBe(true)
      },
    ),
  )
})
