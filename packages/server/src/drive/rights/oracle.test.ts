/*
 * Tests the evaluator against an oracle. Removing an entry that the evaluator names as a cause must change the result.
 * Faults injected into the evaluator must all be detected.
 */
import { type EntryInForce, explainRights, Right, type RightsEntry, rightsOf, rightsStateAt } from '@cloudoc/domain'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { oracle, type Question } from '../../../test/rights-oracle.ts'

const cases = inject('full') ? 20_000 : 600
const now = 1000
const seed = 20_261_124

const bits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1048576]
/** Few subjects, so that entries often share one. Denies are rare. */
const anyEntry: fc.Arbitrary<RightsEntry> = fc.record({
  subjectType: fc.constantFrom('user', 'group', 'role'),
  subjectId: fc.constantFrom(1, 2, 3),
  rights: fc.oneof(
    { weight: 5, arbitrary: fc.subarray(bits.slice(1)).map((some) => some.reduce((mask, bit) => mask | bit, 0)) },
    { weight: 3, arbitrary: fc.constantFrom(6, 270, 510, 1022) },
    { weight: 1, arbitrary: fc.constantFrom(1, 7) },
  ),
  kind: fc.constantFrom('independent', 'independent', 'application'),
  expireTime: fc.constantFrom(null, null, now - 1, now, now + 1),
})
const once = (entries: RightsEntry[]): RightsEntry[] => [
  ...new Map(entries.map((entry) => [`${entry.subjectType} ${entry.subjectId} ${entry.kind}`, entry])).values(),
]
const anyQuestion: fc.Arbitrary<Question> = fc.record({
  levels: fc
    .array(
      fc.record({
        inherit: fc.constantFrom(true, true, true, false),
        restricted: fc.constantFrom(false, false, false, true),
        createdBy: fc.constantFrom(1, 1, 2),
        entries: fc.array(anyEntry, { maxLength: 4 }),
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((list) => list.map((level, i) => ({ ...level, itemId: i + 100, entries: once(level.entries) }))),
  userId: fc.constant(1),
  groups: fc.subarray([1, 2, 3]),
  roles: fc.subarray([1, 2]),
  printRights: fc.boolean(),
  isManager: fc.constantFrom(false, false, false, true),
})

const whoOf = ({ userId, groups, roles }: Question) => ({ userId, groupIds: new Set(groups), roleIds: new Set(roles) })
const ours = (question: Question, at = now) => explainRights(question.levels, whoOf(question), { ...question, now: at })

const each = (question: Question, change: (entry: RightsEntry) => RightsEntry): Question => ({
  ...question,
  levels: question.levels.map((level) => ({ ...level, entries: level.entries.map(change) })),
})

/** Faults injected into the evaluator. */
const faults: Readonly<Record<string, (question: Question) => number>> = {
  'expired entries count': (q) => ours(each(q, (entry) => ({ ...entry, expireTime: null }))).rights,
  'an entry counts at the moment it ends': (q) => ours(q, now - 1).rights,
  'what ends later has ended': (q) => ours(q, now + 1).rights,
  'closed inheritance is open': (q) =>
    ours({ ...q, levels: q.levels.map((level) => ({ ...level, inherit: true })) }).rights,
  'nothing is inherited': (q) => ours({ ...q, levels: q.levels.slice(-1) }).rights,
  'a deny does not win': (q) => ours(each(q, (entry) => ({ ...entry, rights: entry.rights & ~Right.deny }))).rights,
  'an own entry does not replace': (q) => ours(each(q, (entry) => ({ ...entry, kind: 'application' }))).rights,
  'an application replaces': (q) => ours(each(q, (entry) => ({ ...entry, kind: 'independent' }))).rights,
  'departments do not count': (q) => ours({ ...q, groups: [] }).rights,
  'roles do not count': (q) => ours({ ...q, roles: [] }).rights,
  'a restricted folder shows everything': (q) =>
    ours({ ...q, levels: q.levels.map((level) => ({ ...level, restricted: false })) }).rights,
  'a restricted folder hides own items too': (q) =>
    ours({ ...q, levels: q.levels.map((level) => ({ ...level, createdBy: 2 })) }).rights,
  'managers are nobody': (q) => ours({ ...q, isManager: false }).rights,
  'print is never needed': (q) => ours({ ...q, printRights: false }).rights,
}

describe('the evaluator and an oracle of its own', () => {
  // [R209] Own entries replace inherited ones of their subject; an inherited entry becomes an own entry or ends the
  // inheritance, after a question; approved requests add entries.
  test(`[R135] [R136] [R140] [R209] agree in ${cases} cases, and what is named as the cause is one`, () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const { rights, reasons } = ours(question)
        expect(rights).toBe(oracle(question, now))
        if (question.isManager) {
          expect(reasons.at(-1)).toEqual({ step: 'manager' })
          return
        }
        if (reasons.at(-1)?.step === 'restricted') {
          expect(rights).toBe(0)
          return
        }
        const named = reasons.flatMap((reason) =>
          reason.step === 'entry' || reason.step === 'deny' ? [reason.entry] : [],
        )
        const isNamed = (entry: EntryInForce): boolean =>
          named.some(
            (one) =>
              one.sourceId === entry.sourceId &&
              one.kind === entry.kind &&
              one.subjectType === entry.subjectType &&
              one.subjectId === entry.subjectId,
          )
        const state = rightsStateAt(question.levels, now)
        // Without the named entries no rights are left; without a named deny the result differs.
        const others = state.inForce.filter((entry) => !isNamed(entry))
        expect(rightsOf({ ...state, inForce: others }, whoOf(question), question).rights).toBe(0)
        if (rights === Right.deny) {
          const undenied = state.inForce.filter((entry) => !isNamed(entry) || (entry.rights & Right.deny) === 0)
          expect(rightsOf({ ...state, inForce: undenied }, whoOf(question), question).rights).not.toBe(Right.deny)
        }
        // Every entry reported as ignored was effective above, or would be if it had not expired.
        for (const reason of reasons)
          if (reason.step === 'expired') expect(reason.entry.expireTime).toBeLessThanOrEqual(now)
      }),
      { numRuns: cases, seed },
    )
  })

  test.each(Object.entries(faults))('a fault is found: %s', (_name, faulty) => {
    const found = fc.check(
      fc.property(anyQuestion, (question) => faulty(question) === oracle(question, now)),
      { numRuns: cases, seed, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
  })
})
