import { expect, test } from 'vitest'
import { coversReceiver, type ExchangeTerms, levelsWithoutApprover, matchExchange, obstacleIn } from './exchange.ts'

const rule = (more: Partial<ExchangeTerms> = {}): ExchangeTerms => ({
  ...{ targetServerCode: 'rd', itemIds: [], exts: [], maxLevel: 2, maxFiles: 0, maxBytes: 0, receivers: [] },
  levels: [0, 1, 2].map((level) => ({ level, isFree: true, rounds: [] })),
  ...more,
})
const file = { id: 7, path: [1, 5, 7], ext: 'dwg', level: 1, bytes: 100 }
const person = { account: 'zhou', name: '周航', groups: ['给排水组', '研发中心'] }
const wanted = { targetServerCode: 'rd', files: [file], receivers: [person], mostFiles: 50 }
const codeOf = (rules: readonly ExchangeTerms[], more: Partial<typeof wanted> = {}) => {
  const found = matchExchange(rules, { ...wanted, ...more })
  return 'refusal' in found ? found.refusal.code : rules.indexOf(found.rule)
}

test('[R261] the first rule that permits the whole exchange is used', () => {
  expect(codeOf([rule({ itemIds: [99] }), rule({ itemIds: [5], exts: ['dwg'] }), rule()])).toBe(1)
})

// prettier-ignore
test.each([
  ['nothing is sent to the target by this person', [], 'senderNotInRule'],
  ['rules are for other targets', [rule({ targetServerCode: 'sz' })], 'senderNotInRule'],
  ['another place', [rule({ itemIds: [99] })], 'exchangeOutsideRules'],
  ['another kind of file', [rule({ exts: ['pdf'] })], 'exchangeOutsideRules'],
  ['a higher level', [rule({ maxLevel: 0 })], 'exchangeOutsideRules'],
  ['too large', [rule({ maxBytes: 99 })], 'exchangeOutsideRules'],
  ['a stranger', [rule({ receivers: ['工艺组'] })], 'receiverNotInRule'],
  ['a level of which nothing is said', [rule({ levels: [] })], 'levelWithoutApprover'],
  ['a level without rounds', [rule({ levels: [{ level: 1, isFree: false, rounds: [] }] })], 'levelWithoutApprover'],
  ['the rule that permits most says why', [rule({ exts: ['pdf'] }), rule({ receivers: ['x'] })], 'receiverNotInRule'],
] as const)('[R261] refused: %s', (_, rules, code) => {
  expect(codeOf(rules)).toBe(code)
})

// prettier-ignore
test.each([
  [{ itemIds: [99] }, 'place'],
  [{ exts: ['pdf'] }, 'kind'],
  [{ maxLevel: 0 }, 'level'],
  [{ maxBytes: 99 }, 'bytes'],
  [{ receivers: ['工艺组'] }, 'receiver'],
  [{ levels: [] }, 'approver'],
  [{}, undefined],
] as const)('[R261] of %o is said what does not fit: %s', (more, obstacle) => {
  expect(obstacleIn(rule(more), wanted)).toBe(obstacle)
})

test('[R258] [R261] at most as many files as the rule and the installation permit, and at least one', () => {
  expect(codeOf([rule()], { files: [] })).toBe('noFilesInFolder')
  expect(codeOf([rule()], { mostFiles: 0 })).toBe('exchangeFileCount')
  expect(codeOf([rule({ maxFiles: 1 })], { files: [file, file] })).toBe('exchangeFileCount')
  expect(codeOf([rule({ maxFiles: 2 })], { files: [file, file] })).toBe(0)
})

test('a receiver is named by account, name or department', () => {
  for (const name of ['zhou', '周航', '研发中心']) expect(coversReceiver({ receivers: [name] }, person)).toBe(true)
  expect(coversReceiver({ receivers: ['zhou2'] }, person)).toBe(false)
})

test('every level up to the highest needs approvers, or that none are needed', () => {
  const superior = { by: 'superior', ids: [], needs: 'any' } as const
  expect(
    levelsWithoutApprover(
      rule({
        levels: [
          { level: 0, isFree: true, rounds: [] },
          { level: 2, isFree: false, rounds: [superior] },
        ],
      }),
    ),
  ).toEqual([1])
})
