import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  effectiveRights,
  grantedRights,
  mayWithhold,
  type RightsEntry,
  type RightsLevel,
  rightsOf as rightsIn,
  rightsStateAt,
  rightsStateBelow,
  type Subjects,
  type SubjectType,
  topRightsState,
} from './effective-rights.ts'
import { closeRights, hasRight, Right, rights } from './rights.ts'

const U = { userId: 1, groupIds: new Set([10]), roleIds: new Set([20]) } satisfies Subjects
const colleague = { userId: 2, groupIds: new Set([10]), roleIds: new Set<number>() } satisfies Subjects
const now = 1_000_000
const tomorrow = now + 86_400_000
const noPrint = { printRights: false, isManager: false }

function entry(who: 'U' | 'D' | 'R', mask: number, more: Partial<RightsEntry> = {}): RightsEntry {
  const subject = { U: ['user', 1], D: ['group', 10], R: ['role', 20] } as const
  const [subjectType, subjectId] = subject[who]
  return { subjectType, subjectId, rights: mask, kind: 'independent', expireTime: null, ...more }
}

function level(itemId: number, entries: readonly RightsEntry[] = [], inherit = true): RightsLevel {
  return { itemId, inherit, restricted: false, createdBy: 1, entries }
}

const [L, F, x] = [100, 200, 300]

function rightsOf(levels: readonly RightsLevel[], who: Subjects = U, options = {}): number {
  return effectiveRights(levels, who, { ...noPrint, now, ...options }).rights
}

describe('the worked examples of the decisions', () => {
  test('1: what the department has on the library holds for the file below', () => {
    const levels = [level(L, [entry('D', 6)]), level(F), level(x)]
    const { rights, reasons } = effectiveRights(levels, U, { ...noPrint, now })
    expect(rights).toBe(6)
    expect(reasons).toEqual([{ step: 'entry', entry: { ...entry('D', 6), sourceId: L } }])
  })

  test('2: an own entry unites with what the department has', () => {
    const levels = [level(L, [entry('D', 6)]), level(F), level(x, [entry('U', 510)])]
    expect(rightsOf(levels)).toBe(510)
    expect(rightsOf(levels, colleague)).toBe(6)
  })

  test('3: an own entry replaces the inherited one of the same subject', () => {
    const levels = [level(L, [entry('U', 510)]), level(F, [entry('U', 6)]), level(x)]
    expect(rightsOf(levels.slice(0, 2))).toBe(6)
    expect(rightsOf(levels)).toBe(6)
  })

  test('4: with inheritance off only own entries count', () => {
    const levels = [level(L, [entry('D', 510)]), level(F, [entry('U', 6)], false), level(x)]
    expect(rightsOf(levels)).toBe(6)
    expect(rightsOf(levels, colleague)).toBe(0)
  })

  test('5: a deny wins in the union', () => {
    expect(rightsOf([level(L, [entry('D', 510), entry('U', 1)])])).toBe(1)
  })

  test('6: an application entry adds until it expires', () => {
    const approved = entry('U', 270, { kind: 'application', expireTime: tomorrow })
    const levels = [level(L, [entry('D', 6)]), level(F), level(x, [approved])]
    expect(rightsOf(levels)).toBe(270)
    expect(rightsOf(levels, colleague)).toBe(6)
    expect(rightsOf(levels, U, { now: tomorrow - 1 })).toBe(270)
    expect(rightsOf(levels, U, { now: tomorrow })).toBe(6)
  })

  test('7: a file can be seen in a folder that cannot', () => {
    const levels = [level(L, [entry('D', 6)]), level(F, [], false), level(x, [entry('U', 6)])]
    expect(rightsOf(levels.slice(0, 2))).toBe(0)
    expect(rightsOf(levels)).toBe(6)
  })

  test('8: a manager has the full bit, whatever the entries say (the secret level is for the gates)', () => {
    const levels = [level(L, [entry('U', 1)])]
    const { rights, reasons } = effectiveRights(levels, U, { printRights: false, isManager: true, now })
    expect(rights).toBe(2048)
    expect(reasons.at(-1)).toEqual({ step: 'manager' })
  })

  test('9: download brings display, preview and print', () => {
    const levels = [level(L, [entry('D', 270)])]
    expect(rightsOf(levels, U, { printRights: true })).toBe(1294)
    expect(rightsOf(levels)).toBe(270)
    const { reasons } = effectiveRights(levels, U, { printRights: true, isManager: false, now })
    expect(reasons.at(-1)).toEqual({ step: 'dependencies', added: Right.print })
  })

  test('10: a read-only folder takes no right away (it is for the gates)', () => {
    expect(rightsOf([level(L, [entry('D', 510)]), level(F)])).toBe(510)
  })
})

describe('entries at a level', () => {
  // [R140] Inherited, independent and application entries, with optional expiry.
  test('[R140] an own entry does not replace the inherited application entry of its subject', () => {
    const levels = [level(L, [entry('U', 270, { kind: 'application' })]), level(F, [entry('U', 6)])]
    expect(rightsOf(levels)).toBe(270)
  })

  test('[R140] an application entry replaces nothing and does not close inheritance', () => {
    const levels = [level(L, [entry('U', 510), entry('D', 6)]), level(F, [entry('U', 6, { kind: 'application' })])]
    expect(rightsOf(levels)).toBe(510)
    expect(rightsOf(levels, colleague)).toBe(6)
  })

  test('[R140] an application entry on a folder holds for what is in it', () => {
    const levels = [level(L), level(F, [entry('U', 6, { kind: 'application' })]), level(x)]
    expect(rightsOf(levels)).toBe(6)
  })

  test('[R140] an expired own entry leaves the inherited one in force', () => {
    const levels = [level(L, [entry('U', 510)]), level(F, [entry('U', 1, { expireTime: now })])]
    expect(rightsOf(levels)).toBe(510)
  })

  test('a level that says nothing answers the very list of its parent', () => {
    const parent = rightsStateAt([level(L, [entry('D', 6)])], now)
    expect(rightsStateBelow(parent, level(F), now).inForce).toBe(parent.inForce)
  })

  test('an entry never gives the full bit', () => {
    expect(rightsOf([level(L, [entry('U', 2048 + 6)])])).toBe(6)
  })

  test('a user, a department and a role of one number are three subjects', () => {
    const who: Subjects = { userId: 7, groupIds: new Set([8]), roleIds: new Set([9]) }
    const others: [SubjectType, number][] = [
      ['group', 7],
      ['role', 7],
      ['user', 8],
      ['role', 8],
      ['user', 9],
      ['group', 9],
    ]
    const entries = others.map(([subjectType, subjectId]) => ({ ...entry('U', 510), subjectType, subjectId }))
    expect(rightsOf([level(L, entries)], who)).toBe(0)
  })

  test('a deny through a department names the entry that it overrides beside itself', () => {
    const { reasons } = effectiveRights([level(L, [entry('U', 510), entry('D', 1)])], U, { ...noPrint, now })
    expect(reasons.map(({ step }) => step)).toEqual(['entry', 'deny'])
  })
})

const anySubject: fc.Arbitrary<Pick<RightsEntry, 'subjectType' | 'subjectId'>> = fc.record({
  subjectType: fc.constantFrom<SubjectType>('user', 'group', 'role'),
  subjectId: fc.constantFrom(1, 2, 10, 20),
})
const selectable = Object.values(Right).filter((bit) => bit !== Right.full && bit !== Right.deny)
const anyAllow = fc.subarray(selectable).map((bits) => bits.reduce((mask, bit) => mask | bit, 0))
const anyEntry: fc.Arbitrary<RightsEntry> = fc
  .record({
    subject: anySubject,
    rights: fc.oneof({ weight: 6, arbitrary: anyAllow }, { weight: 1, arbitrary: fc.constant<number>(Right.deny) }),
    kind: fc.constantFrom('independent' as const, 'application' as const),
    expireTime: fc.constantFrom(null, now - 1, now, now + 1),
  })
  .map(({ subject, ...rest }) => ({ ...subject, ...rest }))
const anyLevels: fc.Arbitrary<readonly RightsLevel[]> = fc
  .array(fc.record({ inherit: fc.boolean(), entries: fc.array(anyEntry, { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((levels) => levels.map((l, itemId) => ({ ...level(itemId), ...l })))
const anyWho: fc.Arbitrary<Subjects> = fc.record({
  userId: fc.constantFrom(1, 2),
  groupIds: fc.subarray([1, 10, 20]).map((ids) => new Set(ids)),
  roleIds: fc.subarray([2, 10, 20]).map((ids) => new Set(ids)),
})
const anyOptions = fc.record({
  printRights: fc.boolean(),
  isManager: fc.boolean(),
  now: fc.constant(now),
})

/**
 * Independent implementation of the same rule for comparison: evaluates subject by subject, from the item up the tree.
 */
function naive(levels: readonly RightsLevel[], who: Subjects, printRights: boolean): number {
  const fromTop = levels.findLastIndex((l) => !l.inherit)
  const upwards = levels.slice(Math.max(fromTop, 0)).reverse()
  const subjects: [SubjectType, number][] = [
    ['user', who.userId],
    ...[...who.groupIds].map((id): [SubjectType, number] => ['group', id]),
    ...[...who.roleIds].map((id): [SubjectType, number] => ['role', id]),
  ]
  let union = 0
  for (const [type, id] of subjects) {
    let nearestFound = false
    for (const { entries } of upwards) {
      let independentHere = false
      for (const e of entries) {
        if (e.subjectType !== type || e.subjectId !== id) continue
        if (e.expireTime !== null && e.expireTime <= now) continue
        if (e.kind === 'application') union |= e.rights
        else if (!nearestFound) {
          union |= e.rights
          independentHere = true
        }
      }
      nearestFound ||= independentHere
    }
  }
  return union % 2 === 1 ? Right.deny : closeRights(rights(union), { printRights })
}

describe('properties of the evaluation', () => {
  test('folding down the tree says the same as looking up from the item', () => {
    fc.assert(
      fc.property(anyLevels, anyWho, anyOptions, (levels, who, options) => {
        const expected = options.isManager ? Right.full : naive(levels, who, options.printRights)
        expect(effectiveRights(levels, who, options).rights).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('one step from what is in force at the parent says the same as the whole way', () => {
    fc.assert(
      fc.property(anyLevels, anyWho, anyOptions, (levels, who, options) => {
        const state = levels.reduce((up, l) => rightsStateBelow(up, l, now), topRightsState)
        expect(state).toEqual(rightsStateAt(levels, now))
        expect(rightsIn(state, who, options)).toEqual(effectiveRights(levels, who, options))
      }),
    )
  })

  test('whoever sees a folder sees what inherits in it, unless own entries may withhold it', () => {
    fc.assert(
      fc.property(
        anyLevels,
        fc.array(anyEntry, { maxLength: 4 }),
        anyWho,
        anyOptions,
        (above, entries, who, options) => {
          fc.pre(!mayWithhold(entries) && hasRight(effectiveRights(above, who, options).rights, 'display'))
          const below = effectiveRights([...above, level(x, entries)], who, options)
          expect(hasRight(below.rights, 'display')).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('the order of the entries does not matter', () => {
    fc.assert(
      fc.property(anyLevels, anyWho, anyOptions, (levels, who, options) => {
        const reversed = levels.map((l) => ({ ...l, entries: [...l.entries].reverse() }))
        expect(effectiveRights(reversed, who, options).rights).toBe(effectiveRights(levels, who, options).rights)
      }),
    )
  })

  test('an expired entry equals an absent one', () => {
    fc.assert(
      fc.property(anyLevels, anyWho, anyOptions, (levels, who, options) => {
        const alive = (e: RightsEntry): boolean => e.expireTime === null || e.expireTime > now
        const without = levels.map((l) => ({ ...l, entries: l.entries.filter(alive) }))
        expect(effectiveRights(levels, who, options)).toEqual(effectiveRights(without, who, options))
      }),
    )
  })

  test('adding an allow takes nothing away, except from the subject whose inherited entry it replaces', () => {
    fc.assert(
      fc.property(anyLevels, anyEntry, anyAllow, fc.nat(), anyWho, anyOptions, (levels, e, allow, at, who, options) => {
        const index = at % levels.length
        const added: RightsEntry = { ...e, rights: allow }
        const sameSubject = (o: RightsEntry): boolean =>
          o.subjectType === added.subjectType && o.subjectId === added.subjectId && o.kind === 'independent'
        fc.pre(added.kind === 'application' || !levels.slice(0, index).some((l) => l.entries.some(sameSubject)))
        const before = effectiveRights(levels, who, options).rights
        const after = effectiveRights(
          levels.map((l, i) => (i === index ? { ...l, entries: [...l.entries, added] } : l)),
          who,
          options,
        ).rights
        expect(after & before).toBe(before)
      }),
    )
  })

  test('a deny that is in force for somebody leaves them no right at all, unless they manage', () => {
    fc.assert(
      fc.property(anyLevels, anyWho, fc.boolean(), (levels, who, isManager) => {
        const deny: RightsEntry = { ...entry('U', Right.deny), subjectId: who.userId }
        const last = levels.length - 1
        const denied = levels.map((l, i) => (i === last ? { ...l, entries: [...l.entries, deny] } : l))
        const { rights: mask } = effectiveRights(denied, who, { printRights: false, isManager, now })
        expect(hasRight(mask, 'display')).toBe(isManager)
        expect(mask).toBe(isManager ? Right.full : Right.deny)
      }),
    )
  })
})

describe('what a change gives', () => {
  const anEntry = fc.record({
    subjectType: fc.constantFrom<SubjectType>('user', 'group', 'role'),
    subjectId: fc.constantFrom(1, 10, 20),
    rights: fc.integer({ min: 0, max: 2047 }),
    kind: fc.constantFrom('independent' as const, 'application' as const),
    expireTime: fc.constant(null),
    sourceId: fc.constant(x),
  })
  const inForce = fc.array(anEntry, { maxLength: 5 })
  const somebody = fc
    .tuple(fc.constantFrom(1, 2), fc.subarray([10]), fc.subarray([20]))
    .map(([userId, groups, roles]): Subjects => ({ userId, groupIds: new Set(groups), roleIds: new Set(roles) }))

  test('is at least what anybody gains by it, and nothing where nothing changes', () => {
    fc.assert(
      fc.property(inForce, inForce, somebody, fc.boolean(), (before, after, who, printRights) => {
        const options = { printRights, isManager: false }
        const had = rightsIn({ ...topRightsState, inForce: before }, who, options).rights
        const has = rightsIn({ ...topRightsState, inForce: after }, who, options).rights
        const gained = has & ~had & ~Right.deny
        expect(gained & ~grantedRights(before, after, options)).toBe(0)
        expect(grantedRights(after, after, options)).toBe(0)
      }),
      { numRuns: 2000 },
    )
  })

  test('is all that is in force where a deny ends', () => {
    const denied = [entry('D', 1), entry('U', 510)].map((one) => ({ ...one, sourceId: x }))
    expect(grantedRights(denied, denied.slice(1), noPrint)).toBe(510)
  })
})
