// Claims as providers send them: lists, texts, nested, too many, and not at all.
import { expect, test } from 'vitest'
import { valuesFor, valuesOfClaims } from './mapping-plan.ts'

const groupsOf = (claims: object, name = 'groups', absentIsNone = false) =>
  valuesFor({ absentIsNone }, valuesOfClaims({ sub: 'u', ...claims }), name)
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `group ${n}`)

test.each([0, 1, 200, 201, 5000])('a list of %i groups has so many', (count) => {
  expect(groupsOf({ groups: many(count) })).toEqual(many(count))
})

test('a text is a list of one, and a nested list is named with dots', () => {
  expect(groupsOf({ groups: 'managers' })).toEqual(['managers'])
  expect(groupsOf({ realm_access: { roles: many(201) } }, 'realm_access.roles')).toHaveLength(201)
  expect(groupsOf({ resource_access: { cloudoc: { roles: ['a'] } } }, 'resource_access.cloudoc.roles')).toEqual(['a'])
})

test('what is absent, kept back or cannot be read is unknown; an absent claim may be set to mean none', () => {
  const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://idp.example' } } }
  for (const claims of [{}, { groups: null }, { hasgroups: true }, overage, { groups: ['a', { id: 1 }] }])
    expect(groupsOf(claims), JSON.stringify(claims)).toBeUndefined()
  expect(groupsOf({}, 'groups', true)).toEqual([])
  for (const claims of [{ hasgroups: true }, overage, { groups: ['a', { id: 1 }] }])
    expect(groupsOf(claims, 'groups', true), JSON.stringify(claims)).toBeUndefined()
})

test('names of objects that every object has are no claims', () => {
  expect(groupsOf({}, 'constructor', true)).toEqual([])
  expect(groupsOf({ __proto__x: 'a' }, '__proto__')).toBeUndefined()
})
