import { codes, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'

describe('accounts', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld()
    admin = await world.admin()
  })
  const account = (more: object) => ({ account: 'anna', accountName: '安娜', password, groupId: 0, ...more })

  test('[R347] createAccount makes a person who can sign in, with a library of their own', async () => {
    const { groupId } = await world.group('市场部')
    const { userId } = await admin.call('createAccount', account({ groupId, secretLevel: 2 }))
    const info = {
      userId,
      account: 'anna',
      accountName: '安娜',
      groupId,
      groupName: '市场部',
      secretLevel: 2,
      state: 'normal',
      isAdmin: false,
    }
    expect(await admin.call('getUserInfo', { accountId: userId })).toEqual(info)
    const anna = await world.signIn('anna')
    const { list } = await anna.call('getRootFolderSetting', {})
    expect(list.map(({ fName, kind }) => [fName, kind])).toEqual(
      expect.arrayContaining([
        ['安娜', 'personal'],
        ['市场部', 'department'],
      ]),
    )
  })

  test('[R347] a name that is taken, in whatever case or width, is -5; of several at once one account is made', async () => {
    for (const taken of ['ADMIN', 'ａｄｍｉｎ', ' admin '])
      expect(await admin.refusal('createAccount', account({ account: taken }))).toBe('alreadyExists')
    const wires = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        admin.wire('createAccount', account({ account: i % 2 === 0 ? 'ben' : 'BEN' })),
      ),
    )
    expect(wires.map(({ result }) => result).sort((a, b) => b - a)).toEqual([-1, -5, -5, -5, -5, -5])
    const { rows } =
      await sql`select 1 from library l join account a on a.id = l.owner_id where a.account_key = 'ben'`.execute(
        world.app.db,
      )
    expect(rows).toHaveLength(1)
  })

  test('createAccount refuses what breaks a rule, each with its code, and makes nothing', async () => {
    const before = await admin.call('getAllAccount', {})
    for (const bad of ['', '-a', 'a b', 'a/b', '🙂', 'a\u202eb', "a';--"])
      expect(await admin.refusal('createAccount', account({ account: bad })), bad).toBe('illegalName')
    for (const bad of ['', 'a/b', '.', '\u200b'])
      expect(await admin.refusal('createAccount', account({ account: 'carl', accountName: bad })), bad).toBe(
        'illegalName',
      )
    for (const bad of ['', 'short#1', 'nouppercase#1', 'NoSpecial11'])
      expect(await admin.refusal('createAccount', account({ account: 'carl', password: bad })), bad).toBe(
        'passwordRequirements',
      )
    expect(await admin.refusal('createAccount', account({ account: ' Carl@2026 ', password: 'Carl@2026' }))).toBe(
      'sameAsAccount',
    )
    for (const groupId of [987_654, -1])
      expect(await admin.refusal('createAccount', account({ account: 'carl', groupId }))).toBe('notFound')
    expect(await admin.call('getAllAccount', {})).toEqual(before)
  })

  // [R385] The own account is -57 and an administrator -58; licences, devices and sensitive files have their own
  // sentences.
  test('[R385] nobody changes the state of the own account (-57) or of an administrator (-58), or of nobody (-3)', async () => {
    const { userId } = await admin.call('createAccount', account({ account: 'second' }))
    await sql`update account set is_admin = true where id = ${userId}`.execute(world.app.db)
    const set = (id: number) => admin.wire('setAccountState', { userId: id, state: 'frozen' })
    expect(await set(admin.userId)).toMatchObject({ status: 200, result: -57 })
    expect(await set(userId)).toMatchObject({ status: 200, result: -58 })
    expect(await set(987_654)).toMatchObject({ status: 200, result: -3 })
    expect(await admin.call('getUserInfo', { accountId: userId })).toMatchObject({ state: 'normal' })
  })

  test('getAllAccount pages through everybody in order of names, none twice', async () => {
    for (const accountName of ['张三', '李四', '王五', '阿强'])
      await admin.call('createAccount', account({ account: `p-${accountName}`, accountName }))
    const whole = await admin.call('getAllAccount', { rows: 1000 })
    expect(whole.total).toBe(whole.list.length)
    const paged = []
    for (let from = 0; from < whole.total; from += 3)
      paged.push(...(await admin.call('getAllAccount', { from, rows: 3 })).list)
    expect(paged).toEqual(whole.list)
    const order = whole.list
      .map(({ accountName }) => accountName)
      .filter((name) => ['张三', '李四', '王五', '阿强'].includes(name))
    expect(order).toEqual(['阿强', '李四', '王五', '张三'])
  })
})

describe('departments and roles', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld()
    admin = await world.admin()
  })

  test('[R347] departments have a library, nest, and are unique among siblings, however many are made at once', async () => {
    const { groupId } = await admin.call('createGroup', { groupName: '研发部', parentId: 0 })
    const info = await admin.call('getGroupInfo', { groupId })
    expect(info).toMatchObject({ groupName: '研发部' })
    expect(info.libraryId).toBeGreaterThan(0)
    const company = await admin.call('getGroupInfo', { groupId: 0 })
    expect(info.parentId).toBe(company.groupId)
    const wires = await Promise.all(
      Array.from({ length: 5 }, () => admin.wire('createGroup', { groupName: '前端组', parentId: groupId })),
    )
    expect(wires.map(({ result }) => result).sort((a, b) => b - a)).toEqual([-1, -5, -5, -5, -5])
    expect(await admin.refusal('createGroup', { groupName: ' 研发部 ', parentId: 0 })).toBe('alreadyExists')
    await admin.call('createGroup', { groupName: '研发部', parentId: groupId })
    expect(await admin.refusal('createGroup', { groupName: '', parentId: 0 })).toBe('illegalName')
    expect(await admin.refusal('createGroup', { groupName: '甲', parentId: 987_654 })).toBe('notFound')
    expect(await admin.refusal('getGroupInfo', { groupId: 987_654 })).toBe('notFound')
    const { list } = await admin.call('getSubItemList', { parentType: 'group', parentId: groupId })
    expect(list.map(({ type, name }) => [type, name])).toEqual([
      ['group', '前端组'],
      ['group', '研发部'],
    ])
  })

  test('rights of a department reach the people of every department below it, forty levels down', async () => {
    const top = await admin.call('createGroup', { groupName: '集团', parentId: 0 })
    let parentId = top.groupId
    for (let level = 1; level <= 40; level += 1)
      parentId = (await admin.call('createGroup', { groupName: `第${level}层`, parentId })).groupId
    const deep = await world.person('deep', { groupId: parentId })
    const beside = await world.person('beside')
    const { folderId } = await admin.call('folderCreate', { parentId: admin.library, folderName: '集团文件' })
    await admin.shares({ folderId }, [{ to: { groupId: top.groupId }, rights: rightsGroup.download }])
    expect(await deep.call('getFolderInfo', { folderId })).toMatchObject({ fName: '集团文件' })
    expect(await beside.refusal('getFolderInfo', { folderId })).toBe('notFound')
    const { list } = await admin.call('getSubItemList', { parentType: 'group', parentId })
    expect(list).toEqual([{ type: 'user', id: deep.userId, name: 'deep', account: 'deep', groupName: '第40层' }])
  })

  test('a role counts for rights from the very next request on, on every process', async () => {
    const other = await openWorld({ peer: world, elected: false, deaf: true })
    const anna = await world.person('anna')
    const { roleId } = await admin.call('createRole', { roleName: '审核员' })
    expect(await admin.refusal('createRole', { roleName: '审核员' })).toBe('alreadyExists')
    const { folderId } = await admin.call('folderCreate', { parentId: admin.library, folderName: '待审' })
    await admin.shares({ folderId }, [{ to: { roleId }, rights: rightsGroup.download }])
    const asks = (at: World) => at.wire('getFolderInfo', { folderId }, anna.token)
    for (const at of [world, other]) expect(await asks(at)).toMatchObject({ code: 'notFound' })
    await admin.call('changePeople', { userIds: [anna.userId], addRoleId: roleId })
    for (const at of [other, world]) expect(await asks(at)).toMatchObject({ code: 'success' })
    await admin.call('changePeople', { userIds: [anna.userId], addRoleId: roleId })
    const { list } = await admin.call('getSubItemList', { parentType: 'role', parentId: roleId })
    expect(list.map(({ id }) => id)).toEqual([anna.userId])
    expect(await admin.call('getRoleList', {})).toMatchObject({ list: [{ roleId, roleName: '审核员' }] })
    expect(await admin.refusal('changePeople', { userIds: [anna.userId], addRoleId: 987_654 })).toBe('notFound')
    expect(await admin.call('changePeople', { userIds: [987_654], addRoleId: roleId })).toMatchObject({
      list: [{ userId: 987_654, result: codes.notFound.code }],
    })
  })
})

test('searchItem2 finds people, departments and roles by part of the name, account, pinyin and initials, literally', async () => {
  const world = await openWorld()
  const admin = await world.admin()
  const { groupId } = await admin.call('createGroup', { groupName: '重庆分公司', parentId: 0 })
  await admin.call('createRole', { roleName: '重点项目经理' })
  for (const [account, accountName] of [
    ['zhongwei', '钟伟'],
    ['cq001', '单晓晨'],
    ['p_100', '李%明'],
  ] as const)
    await admin.call('createAccount', { account, accountName, password, groupId })
  const find = async (keyword: string, searchType: 'all' | 'user' | 'group' | 'role' = 'all') =>
    (await admin.call('searchItem2', { searchType, keyword })).list.map(({ name }) => name)
  expect(await find('庆分')).toEqual(['重庆分公司'])
  expect(await find('chongqing')).toEqual(['重庆分公司'])
  expect(await find('CQF')).toEqual(['重庆分公司'])
  expect(await find('cq')).toEqual(['重庆分公司', '单晓晨'])
  expect(await find('zhong')).toEqual(['重点项目经理', '钟伟'])
  expect(await find('zhong', 'user')).toEqual(['钟伟'])
  expect(await find('zhong', 'role')).toEqual(['重点项目经理'])
  expect(await find('zdxm')).toEqual(['重点项目经理'])
  expect(await find('%')).toEqual(['李%明'])
  expect(await find('p_1')).toEqual(['李%明'])
  expect(await find('_')).toEqual(['李%明'])
  expect(await find("' or true --")).toEqual([])
  expect((await admin.call('searchItem2', { searchType: 'all', keyword: '', rows: 2 })).list).toHaveLength(2)
  expect((await admin.call('searchItem2', { searchType: 'user', keyword: 'zhongwei' })).list).toEqual([
    { type: 'user', id: expect.any(Number) as number, name: '钟伟', account: 'zhongwei', groupName: '重庆分公司' },
  ])
})
