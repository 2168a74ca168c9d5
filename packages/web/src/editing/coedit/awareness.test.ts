import { expect, test } from 'vitest'
import { memberColours } from './awareness.ts'

test('two members whose numbers would give the same color have different ones, the same for everybody', () => {
  const members = [16, 8, 3].map((client) => ({ client }))
  const colours = memberColours(members)
  expect(new Set(colours.values()).size).toBe(3)
  expect(memberColours(members.toReversed())).toEqual(colours)
  // More members than colors share them.
  expect(memberColours(Array.from({ length: 20 }, (_, client) => ({ client }))).size).toBe(20)
})
