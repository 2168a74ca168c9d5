// What the search for people and departments reads, in a company and in one many times larger.
import { sql } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import { type HotPath, type Reading, readingOf } from '../bench/plans.ts'
import { longTest } from './full.ts'
import { openWorld } from './harness.ts'

const people = 50_000
const atOnce = 10_000
const families = Array.from('王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗')
const given = Array.from('伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉红建文玲斌')

/** Five people have the name that is searched for, in a company of any size. */
const nameOf = (n: number): string => {
  const rest = `${given[Math.floor(n / 20) % 30]}${given[Math.floor(n / 600) % 30]}`
  return n < 500 && n % 100 === 0 ? `欧阳${rest}` : `${families[n % 20]}${rest}`
}
/** One department per ten people, in divisions of fifty. */
const wayOf = (n: number): string => {
  const department = Math.floor(n / 10)
  const name = department < 50 && department % 10 === 0 ? '法务' : '工程'
  return `${Math.floor(department / 50)}号事业部 / ${name}${department}组`
}

/** Measures the first requests of the pages and pickers, in a company of `count` people. */
async function readings(count: number): Promise<Map<string, Reading>> {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  for (let at = 0; at < count; at += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - at) }, (_, n) => at + n)
    const rows = numbers.map((n) => [nameOf(n), `user${n}`, wayOf(n), '', '', '', '', '', ''])
    const newGroups = [...new Set(numbers.map(wayOf))]
    expect(await admin.call('importPeople', { rows, newGroups })).toMatchObject({ done: true })
  }
  await sql`vacuum analyze account, org_group, library, item, membership`.execute(world.app.db)
  const { list } = await admin.call('getDepartments', { keyword: '工程7组' })
  const groupId = list[0]?.groupId ?? expect.fail('no department')
  const paths: HotPath[] = [
    { name: 'table of people', run: () => admin.call('getPeople', {}) },
    { name: 'table of people by department', run: () => admin.call('getPeople', { groupId }) },
    { name: 'table of people by two characters', run: () => admin.call('getPeople', { keyword: '欧阳', rows: 5 }) },
    { name: 'departments below one', run: () => admin.call('getDepartments', { parentId: list[0]?.parentId }) },
    { name: 'departments by two characters', run: () => admin.call('getDepartments', { keyword: '法务' }) },
    {
      name: 'picker of departments by two characters',
      run: () => admin.call('searchItem2', { searchType: 'group', keyword: '法务', rows: 5 }),
    },
    {
      name: 'picker by two words, one of a department',
      run: () => admin.call('searchItem2', { searchType: 'user', keyword: '欧阳 法务', rows: 5 }),
    },
    {
      name: 'picker by two characters',
      run: () => admin.call('searchItem2', { searchType: 'user', keyword: '欧阳', rows: 5 }),
    },
    {
      name: 'picker by department',
      run: () => admin.call('getSubItemList', { parentType: 'group', parentId: groupId, rows: 30 }),
    },
  ]
  const client = new pg.Client(world.database)
  await client.connect()
  const found = new Map<string, Reading>()
  // A new connection reads the system catalogue once. That does not count for any path.
  for (const path of paths) await readingOf(client, path)
  for (const path of paths) found.set(path.name, await readingOf(client, path))
  await client.end()
  return found
}

// [R347] The table of people, the tree and the pickers read as much among 50,000 people as among 500.
longTest(
  '[R347] people and departments are found among 50,000 by at most 1.5 times the pages that it takes among 500',
  { timeout: 600_000 },
  async () => {
    const few = await readings(500)
    for (const [name, { buffers, rows = 0, outline }] of await readings(people)) {
      const before = few.get(name) ?? expect.fail(name)
      expect(rows, name).toBe(before.rows)
      // Sub-departments are counted in an index that is one page deeper in the larger company.
      const most = 1.5 * before.buffers + (name === 'departments below one' ? rows : 0)
      expect(buffers, `${name}: ${before.buffers}, then ${buffers} by ${outline}`).toBeLessThanOrEqual(most)
    }
  },
)
