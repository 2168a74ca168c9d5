// Administrative powers (decisions E1). test/catalogue.test.ts checks for each call that all other callers are refused.
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { createSettings, saveSettings } from '../../core/settings.ts'
import { assertPowersSeparated } from './administrators.ts'

const world = sharedWorld()
let admin: Person
beforeAll(async () => {
  admin = await world.admin()
})

/** Two departments, one below the other, delegated to a user. */
async function delegated(tasks: readonly ('people' | 'departments' | 'quota')[]) {
  const name = `市场${(parts += 1)}`
  const { groupId: top } = await world.group(name)
  const { groupId: below } = await world.group('华东', top)
  const keeper = await world.person('keeper')
  const one = await world.person('one', { groupId: below })
  await admin.call('setDelegation', { userId: keeper.userId, groupIds: [top], tasks: [...tasks] })
  return { name, top, below, keeper, one }
}
let parts = 0

test('[R349] each power is in other hands: given and taken at once in open sessions, on another process too, and nobody has two', async () => {
  const beside = await openWorld({ peer: world, elected: false, deaf: true })
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const there = anna.at(beside)
  expect(await there.refusal('getAuditList', {})).toBe('noPermission')
  await admin.call('setPowerHolders', { power: 'audit', userIds: [anna.userId] })
  expect(await there.call('getUserPermissionInfo', {})).toMatchObject({ powers: ['audit'], isAdmin: false })
  // An auditor reads the actions of others, and cannot change anything else.
  expect((await there.wire('getAuditList', {})).code).toBe('success')
  expect(await there.refusal('createGroup', { groupName: 'x', parentId: 0 })).toBe('noPermission')
  expect(await there.refusal('setPowerHolders', { power: 'system', userIds: [] })).toBe('noPermission')
  expect(await admin.refusal('setPowerHolders', { power: 'security', userIds: [anna.userId] })).toBe('noPermission')
  expect(await admin.refusal('setPowerHolders', { power: 'system', userIds: [admin.userId] })).toBe('noPermission')
  expect(await admin.refusal('setDelegation', { userId: anna.userId, groupIds: [0], tasks: ['people'] })).toBe(
    'noPermission',
  )
  await admin.call('setPowerHolders', { power: 'system', userIds: [ben.userId] })
  const told = await ben.call('getAdministrators', {})
  expect(told.first.map(({ account }) => account)).toEqual(['admin'])
  expect(told.separated.map(({ power, people }) => [power, people.map(({ account }) => account)])).toEqual([
    ['system', [ben.account]],
    ['security', []],
    ['audit', [anna.account]],
  ])
  await admin.call('setPowerHolders', { power: 'audit', userIds: [] })
  expect(await there.refusal('getAuditList', {})).toBe('noPermission')
  await admin.call('setPowerHolders', { power: 'system', userIds: [] })
})

// [R349] The three administrator roles are held by different people, granted and revoked in open sessions; nobody
// disables or takes over an administrator's account (-58).
test('[R349] nobody shuts out or takes over an account that administers something (-58), until that is taken back', async () => {
  const guard = await world.person('guard')
  const { keeper, one } = await delegated(['people'])
  await admin.call('setPowerHolders', { power: 'security', userIds: [guard.userId] })
  for (const { userId } of [guard, keeper]) {
    const wires = [
      await admin.wire('setAccountState', { userId, state: 'frozen' }),
      await admin.wire('modifyAccount', { userId, email: 'mine@example.com' }),
      await admin.wire('modifyAccount', { userId, expireTime: 1 }),
    ]
    expect(wires.map(({ result }) => result)).toEqual(wires.map(() => codes.adminAccount.code))
    expect((await admin.call('changePeople', { userIds: [userId], state: 'frozen' })).list).toMatchObject([
      { result: -58 },
    ])
    expect((await admin.call('createPasswordLinks', { userIds: [userId] })).list).toMatchObject([
      { result: -58, linkCode: '' },
    ])
  }
  expect((await admin.call('modifyAccount', { userId: guard.userId, title: '主任' })) satisfies object).toEqual({})
  await admin.call('setPowerHolders', { power: 'security', userIds: [] })
  await admin.call('setAccountState', { userId: guard.userId, state: 'frozen' })
  // An account that cannot sign in gets no power.
  expect(await admin.refusal('setPowerHolders', { power: 'audit', userIds: [guard.userId] })).toBe('noPermission')
  expect(await keeper.refusal('setAccountState', { userId: keeper.userId, state: 'frozen' })).toBe('ownAccount')
  expect((await one.wire('getUserPermissionInfo', {})).code).toBe('success')
})

// [R347] A department administrator sees and changes only the department's people, on the screen and at the wire.
test('[R347] who administers a department sees and changes its people alone', async () => {
  const { name, top, below, keeper, one } = await delegated(['people'])
  const other = await world.person('other')
  expect((await keeper.call('getUserPermissionInfo', {})).powers).toEqual(['department'])
  const tops = await keeper.call('getDepartments', {})
  expect(tops.list).toMatchObject([{ groupId: top, groupName: name, below: 1 }])
  expect((await keeper.call('getDepartments', { keyword: '质' })).list).toEqual([])
  expect((await keeper.call('getPeople', {})).list.map(({ userId }) => userId)).toEqual([one.userId])
  expect(await keeper.call('countPeople', {})).toEqual({ total: 1 })
  expect(
    await keeper.refusal('getPeople', { groupId: (await admin.call('getGroupInfo', { groupId: 0 })).groupId }),
  ).toBe('notFound')
  expect(await keeper.refusal('getPerson', { userId: other.userId })).toBe('notFound')
  await keeper.call('modifyAccount', { userId: one.userId, title: '专员', groupId: top })
  expect(await keeper.refusal('modifyAccount', { userId: one.userId, groupId: 0 })).toBe('notFound')
  // A delegated administrator cannot grant what reaches beyond the department.
  const beyond = [{ secretLevel: 3 }, { roleIds: [] }, { otherGroupIds: [] }, { quota: 0 }]
  for (const change of beyond)
    expect(await keeper.refusal('modifyAccount', { userId: one.userId, ...change })).toBe('noPermission')
  const { list } = await keeper.call('changePeople', {
    userIds: [one.userId, other.userId, keeper.userId],
    state: 'frozen',
  })
  expect(list.map(({ name: told, result }) => [told === '', result])).toEqual([
    [false, -1],
    [true, -3],
    [true, -3],
  ])
  expect((await keeper.call('changePeople', { userIds: [one.userId], state: 'disabled' })).list[0]?.result).toBe(-4)
  const { userId } = await keeper.call('createAccount', { account: 'fresh', accountName: '新', groupId: below })
  expect((await keeper.call('createPasswordLinks', { userIds: [userId] })).list[0]?.result).toBe(-1)
  const fresh = { account: 'fresh2', accountName: '新' }
  expect(await keeper.refusal('createAccount', { ...fresh, groupId: 0 })).toBe('notFound')
  expect(await keeper.refusal('createAccount', { ...fresh, groupId: below, secretLevel: 1 })).toBe('noPermission')
  expect(await keeper.refusal('createAccount', { ...fresh, groupId: below, quota: 0 })).toBe('noPermission')
  expect(await keeper.refusal('createGroup', { groupName: '新', parentId: top })).toBe('noPermission')
  await admin.call('setDelegation', { userId: keeper.userId, groupIds: [], tasks: [] })
  expect(await keeper.refusal('getPeople', {})).toBe('noPermission')
})

test('[R347] who administers departments makes, names and moves those below theirs, and none else', async () => {
  const { top, below, keeper, one } = await delegated(['departments', 'quota'])
  const { groupId: elsewhere } = await world.group('别处')
  const { groupId } = await keeper.call('createGroup', { groupName: '华南', parentId: top })
  await keeper.call('moveGroup', { groupId, parentId: below })
  await keeper.call('renameGroup', { groupId, groupName: '华南组' })
  expect((await keeper.call('getDepartment', { groupId })).parentId).toBe(below)
  expect(await keeper.refusal('moveGroup', { groupId, parentId: elsewhere })).toBe('notFound')
  expect(await keeper.refusal('moveGroup', { groupId: elsewhere, parentId: top })).toBe('notFound')
  expect(await keeper.refusal('createGroup', { groupName: 'x', parentId: 0 })).toBe('notFound')
  expect(await keeper.refusal('renameGroup', { groupId: elsewhere, groupName: 'x' })).toBe('notFound')
  expect(await keeper.refusal('mergeGroup', { groupId, intoId: below })).toBe('noPermission')
  expect(await keeper.refusal('setGroupManagers', { groupId, userIds: [keeper.userId] })).toBe('noPermission')
  await keeper.call('modifyAccount', { userId: one.userId, quota: 1024 })
  expect(await keeper.refusal('modifyAccount', { userId: one.userId, title: 'x' })).toBe('noPermission')
  expect((await keeper.call('getDepartments', { parentId: top })).list.map((one) => one.groupId)).toEqual([below])
})

test('several powers in one account only where the company lets it', async () => {
  const anna = await world.person('anna')
  await admin.call('setPowerHolders', { power: 'audit', userIds: [anna.userId] })
  expect(await admin.refusal('setPowerHolders', { power: 'system', userIds: [anna.userId] })).toBe('noPermission')
  await admin.call('setSafeStrategy', { combined_powers: true })
  await admin.call('setPowerHolders', { power: 'system', userIds: [anna.userId] })
  expect((await anna.call('getUserPermissionInfo', {})).powers.toSorted()).toEqual(['audit', 'system'])
  expect(await admin.call('getAdministrators', {})).toMatchObject({ combined: true })
  const { code, msg } = await admin.wire('setSafeStrategy', { combined_powers: false })
  expect([code, msg.includes('anna')]).toEqual(['settingsContradict', true])
  await admin.call('setPowerHolders', { power: 'system', userIds: [] })
  await admin.call('setSafeStrategy', { combined_powers: false })
  await admin.call('setPowerHolders', { power: 'audit', userIds: [] })
})

test('an appointment that waited while the powers were separated again is refused', async () => {
  const anna = await world.person('anna')
  const { db } = world.app
  await admin.call('setSafeStrategy', { combined_powers: true })
  await admin.call('setPowerHolders', { power: 'audit', userIds: [anna.userId] })
  let appointing: ReturnType<Person['wire']> | undefined
  await db.transaction().execute(async (tx) => {
    await assertPowersSeparated(tx)
    appointing = admin.wire('setPowerHolders', { power: 'system', userIds: [anna.userId] })
    const waiting = sql<{ n: number }>`
      select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`
    await expect.poll(async () => (await waiting.execute(db)).rows[0]?.n).toBeGreaterThan(0)
    await saveSettings(tx, { ...(await createSettings(tx).current()), combined_powers: false })
  })
  expect((await appointing)?.code).toBe('noPermission')
  await admin.call('setPowerHolders', { power: 'audit', userIds: [] })
})

describe('the first administrator gives up the three powers', () => {
  let own: World
  let first: Person
  beforeAll(async () => {
    own = await openWorld({ elected: false })
    first = await own.admin()
  })

  test('only when each has somebody who can sign in; then two administrators change the holders', async () => {
    const [sys, sec, aud, next] = await Promise.all(['sys', 'sec', 'aud', 'next'].map((name) => own.person(name)))
    if (!sys || !sec || !aud || !next) throw new Error('nobody')
    await first.call('setPowerHolders', { power: 'system', userIds: [sys.userId] })
    await first.call('setPowerHolders', { power: 'security', userIds: [sec.userId] })
    expect(await first.refusal('giveUpPowers', {})).toBe('powersNotHeld')
    await first.call('setPowerHolders', { power: 'audit', userIds: [aud.userId] })
    expect(await sys.refusal('proposePowerHolders', { power: 'audit', userIds: [next.userId] })).toBe('noPermission')
    await first.call('giveUpPowers', {})
    // In the open session too.
    expect(await first.call('getUserPermissionInfo', {})).toMatchObject({ isAdmin: false, powers: [] })
    expect(await first.refusal('getAuditList', {})).toBe('noPermission')
    expect(await first.refusal('getAdministrators', {})).toBe('noPermission')
    expect((await sys.call('getAdministrators', {})).first).toEqual([])
    expect(await sec.refusal('setPowerHolders', { power: 'audit', userIds: [] })).toBe('noPermission')

    // Nobody proposes themselves, decides about their own proposal or about themselves.
    expect(await sys.refusal('proposePowerHolders', { power: 'audit', userIds: [sys.userId] })).toBe('noPermission')
    const { proposalId } = await sys.call('proposePowerHolders', { power: 'audit', userIds: [next.userId] })
    expect(await sys.refusal('decidePowerProposal', { proposalId, agree: true })).toBe('noPermission')
    expect(await aud.refusal('decidePowerProposal', { proposalId, agree: true })).toBe('noPermission')
    expect((await sec.call('getAdministrators', {})).proposals).toMatchObject([
      { proposalId, power: 'audit', proposerId: sys.userId, people: [{ userId: next.userId }], mayDecide: true },
    ])
    expect((await aud.call('getAdministrators', {})).proposals).toMatchObject([{ mayDecide: false }])
    await sec.call('decidePowerProposal', { proposalId, agree: true })
    expect((await next.call('getUserPermissionInfo', {})).powers).toEqual(['audit'])
    expect((await aud.call('getUserPermissionInfo', {})).powers).toEqual([])
    expect(await sec.refusal('decidePowerProposal', { proposalId, agree: true })).toBe('notFound')

    // Refusing changes nothing, and a power never remains with somebody who has never signed in.
    const { userId } = await sys.call('createAccount', { account: 'absent', accountName: '未登录', groupId: 0 })
    const absent = await sys.call('proposePowerHolders', { power: 'audit', userIds: [userId] })
    expect(await sec.refusal('decidePowerProposal', { ...absent, agree: true })).toBe('powersNotHeld')
    await sec.call('decidePowerProposal', { ...absent, agree: false })
    const after = await sys.call('getAdministrators', {})
    expect(after.proposals).toEqual([])
    expect(after.separated.find(({ power }) => power === 'audit')?.people.map(({ userId: id }) => id)).toEqual([
      next.userId,
    ])
    const { rows } = await sql<{ call: string }>`select call from audit`.execute(own.app.db)
    const calls = rows.map(({ call }) => call)
    for (const call of ['giveUpPowers', 'proposePowerHolders', 'decidePowerProposal']) expect(calls).toContain(call)
  })
})
