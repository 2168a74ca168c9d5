import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
let admin: Person
let anna: Person
let ben: Person
let groupId: number
let roleId: number

beforeAll(async () => {
  admin = await world.admin()
  ;({ groupId } = await world.group('名录部'))
  anna = await world.person('anna', { groupId })
  ben = await world.person('ben')
  ;({ roleId } = await admin.call('createRole', { roleName: '名录角色' }))
  await admin.call('modifyAccount', { userId: anna.userId, accountName: '安名录', title: '顾问', secretLevel: 3 })
  await admin.call('setRoleMembers', { roleId, userIds: [], groupIds: [groupId], titles: [] })
})

describe('the directory', () => {
  test('[R347] [R348] everybody finds and lists people, departments and roles; who has them by department counts', async () => {
    const person = { type: 'user', id: anna.userId, name: '安名录', account: anna.account, groupName: '名录部' }
    const found = { ...person, title: '顾问' }
    for (const keyword of ['安名', '安名錄', 'anming', 'aml', anna.account])
      expect((await ben.call('searchItem2', { searchType: 'user', keyword })).list, keyword).toContainEqual(found)
    expect(
      (await ben.call('searchItem2', { searchType: 'all', keyword: '名录' })).list.map(({ type }) => type),
    ).toEqual(['group', 'role', 'user'])
    expect((await ben.call('getSubItemList', { parentType: 'group', parentId: groupId })).list).toEqual([found])
    expect((await ben.call('getSubItemList', { parentType: 'role', parentId: roleId })).list).toEqual([found])
    expect((await ben.call('getRoleList', {})).list).toContainEqual({ roleId, roleName: '名录角色' })
    expect((await ben.call('getGroupInfo', { groupId })).groupName).toBe('名录部')
    expect(await ben.refusal('getSubItemList', { parentType: 'role', parentId: 987_654 })).toBe('notFound')
  })

  // [R233] People below the level are left out of people pickers, also of that of signers.
  test('[R233] people below a secret level are left out where they are chosen for something secret', async () => {
    const { groupId: secret } = await world.group('涉密部')
    const low = await world.person('secretlow', { groupId: secret })
    const high = await world.person('secrethigh', { groupId: secret, secretLevel: 3 })
    const asker = await world.person('asker', { secretLevel: 2 })
    const ids = async (who: Person, secretLevel: number): Promise<Set<number>> => {
      const search = { searchType: 'user' as const, keyword: 'secret', secretLevel }
      const [found, listed] = [
        await who.call('searchItem2', search),
        await who.call('getSubItemList', { parentType: 'group', parentId: secret, secretLevel }),
      ]
      const shown = new Set(listed.list.map(({ id }) => id))
      expect(new Set(found.list.map(({ id }) => id))).toEqual(shown)
      return shown
    }
    expect(await ids(asker, 0)).toEqual(new Set([low.userId, high.userId]))
    expect(await ids(asker, 2)).toEqual(new Set([high.userId]))
    // A user without a secret level cannot use the filter to find out who has one.
    expect(await ids(ben, 2)).toEqual(new Set([low.userId, high.userId]))
  })

  test('[R347] of several words each finds the person or the department, and one at least the person', async () => {
    const { groupId: sales } = await world.group('销售十七部')
    const chen = await world.person('chen', { groupId: sales })
    await admin.call('modifyAccount', { userId: chen.userId, accountName: '陈名录' })
    const find = async (keyword: string) =>
      (await ben.call('searchItem2', { searchType: 'user', keyword })).list.map(({ name }) => name)
    expect(await find('销售十七 陈')).toEqual(['陈名录'])
    expect(await find('chen 十七')).toEqual(['陈名录'])
    expect(await find('销售十七 安')).toEqual([])
    expect(await find('销售十七 部')).toEqual([])
  })

  // [R347] Everybody searches and lists people and departments by name, account, pinyin, initials and department;
  // level, state and leavers are for administrators only.
  test('[R347] level, state and who has left are for administrators alone', async () => {
    const known = { userId: anna.userId, account: anna.account, accountName: '安名录', groupId, groupName: '名录部' }
    expect(await ben.call('getUserInfo', { accountId: anna.userId })).toEqual(known)
    expect(await admin.call('getUserInfo', { accountId: anna.userId })).toEqual({
      ...known,
      secretLevel: 3,
      state: 'normal',
      isAdmin: false,
    })
    const gone = await world.person('gone', { groupId })
    await admin.call('setAccountState', { userId: gone.userId, state: 'disabled' })
    expect(await ben.refusal('getUserInfo', { accountId: gone.userId })).toBe('notFound')
    expect((await admin.call('getUserInfo', { accountId: gone.userId })).state).toBe('disabled')
    for (const person of [ben, admin]) {
      const { list } = await person.call('searchItem2', { searchType: 'user', keyword: gone.account })
      expect(list).toEqual([])
    }
    const { list, total } = await ben.call('getAllAccount', { rows: 1000 })
    expect(list.length).toBe(total)
    expect(list.some(({ userId }) => userId === gone.userId)).toBe(false)
    expect(list.every((person) => !('secretLevel' in person) && !('state' in person))).toBe(true)
    expect((await ben.call('getGroupInfo', { groupId })).libraryId).toBe(0)
  })

  test('a department of many is listed in parts, departments first, nothing twice', async () => {
    const { groupId: above } = await world.group('分页部')
    const inside = await world.group('分页一组', above)
    const people = []
    for (const name of ['pa', 'pb', 'pc']) people.push(await world.person(name, { groupId: above }))
    const whole = (await ben.call('getSubItemList', { parentType: 'group', parentId: above })).list
    expect(whole.map(({ id }) => id)).toEqual([inside.groupId, ...people.map(({ userId }) => userId)])
    const parts = []
    for (let from = 0; from < whole.length; from += 2)
      parts.push(...(await ben.call('getSubItemList', { parentType: 'group', parentId: above, from, rows: 2 })).list)
    expect(parts).toEqual(whole)
  })
})
