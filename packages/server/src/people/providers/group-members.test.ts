// Members of large groups as Active Directory answers them: in ranges of 1,500. No server that tests can start does.
import { type Client, type Entry, NoSuchObjectError } from 'ldapts'
import { describe, expect, test } from 'vitest'
import { dnKey, membersOf } from './directory.ts'

const base = 'DC=huaxin,DC=example'
const rangeSize = 1500
const person = (n: number): string => `CN=p${n},OU=人,${base}`
const group = (name: string): string => `CN=${name},OU=组,${base}`

/** Answers searches for one entry as Active Directory does. */
class Domain {
  readonly groups = new Map<string, string[]>()
  searches = 0
  /** Called after each range that was answered. */
  onRange: (group: string) => void = () => undefined

  readonly client = {
    search: (dn: string, { attributes = [] }: { attributes?: string[] } = {}) => {
      this.searches += 1
      const members = this.groups.get(dn)
      if (members === undefined) return Promise.reject(new NoSuchObjectError())
      const asked = attributes
        .map((name) => /^member;range=(\d+)-\*$/.exec(name)?.[1])
        .find((from) => from !== undefined)
      const from = Number(asked ?? 0)
      const values = members.slice(from, from + rangeSize)
      const isLast = from + rangeSize >= members.length
      const isRanged = asked !== undefined || members.length > rangeSize
      const last = isLast ? '*' : String(from + rangeSize - 1)
      const entry: Entry = { dn, objectClass: ['top', 'group'], member: isRanged ? [] : values }
      if (isRanged) entry[`member;range=${from}-${last}`] = values
      if (isRanged) this.onRange(dn)
      return Promise.resolve({ searchEntries: [entry], searchReferences: [] })
    },
    searchPaginated: async function* () {},
  } as unknown as Client

  /** How many people `membersOf` finds. */
  async count(dn: string, people: number): Promise<number> {
    const known = new Set(Array.from({ length: people }, (_, n) => dnKey(person(n))))
    return (await membersOf(this.client, base, dn, known)).members.size
  }
}

const people = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => person(from + n))

describe('members of a group in ranges', () => {
  for (const count of [0, 1, 1499, 1500, 1501, 5001, 20_000])
    test(`a group of ${count} has ${count}, also as a group in a group`, async () => {
      const domain = new Domain()
      domain.groups.set(group('all'), people(count))
      domain.groups.set(group('outer'), [group('all')])
      expect(await domain.count(group('all'), 20_000)).toBe(count)
      domain.searches = 0
      expect(await domain.count(group('outer'), 20_000)).toBe(count)
      // People whom the run has read already are not asked for one by one.
      expect(domain.searches).toBe(1 + Math.max(1, Math.ceil(count / rangeSize)))
    })

  test('a group that changes between two ranges keeps those who were in it all the time', async () => {
    const domain = new Domain()
    const members = people(3200)
    domain.groups.set(group('all'), members)
    let isFirst = true
    domain.onRange = () => {
      if (isFirst) members.push(person(9000))
      isFirst = false
    }
    expect(await domain.count(group('all'), 20_000)).toBe(3201)
  })

  test('a group that is removed between two ranges is unknown, not small', async () => {
    const domain = new Domain()
    domain.groups.set(group('all'), people(3200))
    domain.onRange = () => void domain.groups.delete(group('all'))
    await expect(domain.count(group('all'), 20_000)).rejects.toThrow()
  })

  test('a named group that is not there is a failure', async () => {
    await expect(new Domain().count(group('gone'), 1)).rejects.toMatchObject({ kind: 'base' })
  })
})

test.each([
  ['CN=李\\, 雷,OU=人,DC=huaxin', 'cn=李\\2c 雷, ou=人, dc=HUAXIN'],
  ['CN=a\\+b\\#c\\"d,DC=huaxin', 'cn=a\\2bb\\23c\\22d,dc=huaxin'],
  ['CN=\\E6\\9D\\8E,DC=huaxin', 'CN=李,DC=huaxin'],
  ['CN=trailing\\20,DC=huaxin', 'CN=trailing\\ ,DC=huaxin'],
  ['CN=𠮷,DC=huaxin', 'CN=\\F0\\A0\\AE\\B7,DC=huaxin'],
])('the names %s and %s are one', (one, other) => {
  expect(dnKey(one)).toBe(dnKey(other))
  expect(dnKey(one)).not.toBe(dnKey('CN=another,DC=huaxin'))
})
