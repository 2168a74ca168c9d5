import { codes, rightsGroup } from '@cloudoc/domain'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, password, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
let admin: Person
beforeAll(async () => {
  admin = await world.admin()
})

const other = 'Other#2027'
/** Wrong passwords in these tests must not be throttled. */
const patience = () => world.app.db.deleteFrom('throttle').execute()
afterEach(patience)

describe('the list of people', () => {
  // [R347] People by department, state, role and words, changed one or many at once; departments created, renamed,
  // ordered, moved and merged.
  test('[R347] pages from any position in the order of names, and is narrowed by department, state, role and words', async () => {
    const { groupId } = await world.group('列表部')
    const { groupId: inside } = await world.group('列表部一组', groupId)
    const names = ['周航', '王敏', '田欣', '李思远', '林夏']
    const ids: number[] = []
    for (const [n, accountName] of names.entries()) {
      const { userId } = await admin.call('createAccount', {
        account: `list-${n}`,
        accountName,
        password,
        groupId: n === 4 ? inside : groupId,
        title: '工程师',
      })
      ids.push(userId)
    }
    const find = async (more: object): Promise<string[]> => {
      const input = { groupId, ...more }
      const { list } = await admin.call('getPeople', input)
      expect(await admin.call('countPeople', input)).toEqual({ total: list.length })
      return list.map(({ accountName }) => accountName)
    }
    const all = ['李思远', '林夏', '田欣', '王敏', '周航']
    expect(await find({})).toEqual(all)
    expect((await admin.call('getPeople', { groupId, from: 2, rows: 2 })).list.map((row) => row.accountName)).toEqual(
      all.slice(2, 4),
    )
    expect(await find({ below: false })).toEqual(all.filter((name) => name !== '林夏'))
    for (const [keyword, found] of [
      ['思', ['李思远']],
      ['lx', ['林夏']],
      ['tian', ['田欣']],
      ['list-3', ['李思远']],
      ['wm', ['王敏']],
      ['%', []],
    ] as const)
      expect(await find({ keyword }), keyword).toEqual(found)
    await admin.call('changePeople', { userIds: [ids[0] ?? 0], state: 'frozen' })
    expect(await find({ state: 'frozen' })).toEqual(['周航'])
    const { roleId } = await admin.call('createRole', { roleName: '列表角色' })
    await admin.call('changePeople', { userIds: [ids[1] ?? 0], addRoleId: roleId })
    expect(await find({ roleId })).toEqual(['王敏'])
    await admin.call('changePeople', { userIds: [ids[2] ?? 0], state: 'disabled' })
    expect(await find({})).toEqual(all.filter((name) => name !== '田欣'))
    expect(await find({ state: 'disabled' })).toEqual(['田欣'])
  })

  test('somebody of several departments is in the list of each, has the rights of each, and counts once above them', async () => {
    const { groupId: above } = await world.group('合办')
    const { groupId: one } = await world.group('合办一', above)
    const { groupId: two, library } = await world.group('合办二', above)
    const anna = await world.person('anna', { groupId: one })
    expect(await anna.refusal('getFolderInfo', { folderId: library })).toBe('notFound')
    await admin.call('modifyAccount', { userId: anna.userId, otherGroupIds: [two, one, two] })
    expect(await anna.call('getFolderInfo', { folderId: library })).toMatchObject({ fName: '合办二' })
    for (const groupId of [one, two])
      expect((await admin.call('getPeople', { groupId })).list.map(({ userId }) => userId)).toEqual([anna.userId])
    const { list } = await admin.call('countDepartments', { groupIds: [above, one, two] })
    expect(list.map(({ people }) => people)).toEqual([1, 1, 1])
    await admin.call('modifyAccount', { userId: anna.userId, otherGroupIds: [] })
    expect(await anna.refusal('getFolderInfo', { folderId: library })).toBe('notFound')
  })
})

describe('a person', () => {
  test('[R347] is changed in any part; what is taken or cannot be is refused, and nothing of it is kept', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { groupId } = await world.group('改动部')
    const { roleId } = await admin.call('createRole', { roleName: '改动角色' })
    await admin.call('modifyAccount', {
      userId: anna.userId,
      accountName: '安娜',
      account: `${anna.account}.new`,
      title: ' 经理 ',
      email: 'anna@example.com',
      phone: '138',
      groupId,
      roleIds: [roleId],
      secretLevel: 2,
      quota: 1000,
    })
    expect(await admin.call('getPerson', { userId: anna.userId })).toMatchObject({
      accountName: '安娜',
      account: `${anna.account}.new`,
      title: '经理',
      groupPath: '公司 / 改动部',
      roles: [{ roleId, roleName: '改动角色' }],
      secretLevel: 2,
      quota: 1000,
    })
    expect(await anna.call('getFolderInfo', { folderId: anna.library })).toMatchObject({ fName: '安娜' })
    const before = await admin.call('getPerson', { userId: anna.userId })
    const refused = (more: object) => admin.refusal('modifyAccount', { userId: anna.userId, title: 'x', ...more })
    expect(await refused({ account: ben.account.toUpperCase() })).toBe('alreadyExists')
    expect(await refused({ account: 'a b' })).toBe('illegalName')
    expect(await refused({ groupId: 987_654 })).toBe('notFound')
    expect(await refused({ roleIds: [987_654] })).toBe('notFound')
    expect(await admin.refusal('modifyAccount', { userId: 987_654, title: 'x' })).toBe('notFound')
    expect(await admin.call('getPerson', { userId: anna.userId })).toEqual(before)
  })

  test('[R047] [R349] many are changed at once, with an answer for each; nobody shuts out themselves or the administrator', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const second = await world.person('second')
    await world.app.db.updateTable('account').set({ is_admin: true }).where('id', '=', second.userId).execute()
    const userIds = [anna.userId, admin.userId, second.userId, 987_654, ben.userId]
    const { list } = await admin.call('changePeople', { userIds, state: 'frozen' })
    expect(list.map(({ userId, result }) => [userId, result])).toEqual([
      [anna.userId, codes.success.code],
      [admin.userId, codes.ownAccount.code],
      [second.userId, codes.adminAccount.code],
      [987_654, codes.notFound.code],
      [ben.userId, codes.success.code],
    ])
    expect(await anna.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
    expect(await world.wire('login3', { userName: ben.account, password, clientType: 7 })).toMatchObject({
      code: 'accountFrozen',
    })
    await admin.call('changePeople', { userIds: [anna.userId], state: 'restricted' })
    expect(await world.wire('login3', { userName: anna.account, password, clientType: 7 })).toMatchObject({
      code: 'accountRestricted',
    })
    await admin.call('changePeople', { userIds: [anna.userId, ben.userId], state: 'normal' })
    await world.signIn(anna.account)
    expect(await admin.refusal('getMyAccountInfo', {}).catch(() => 'goes on')).toBe('goes on')
  })

  test('[R047] whoever typed too many wrong passwords is let in again by unlocking', async () => {
    const anna = await world.person('anna')
    const key = `account:${anna.account}`
    await world.app.db.insertInto('throttle').values({ key, failures: 10, since: Date.now() }).execute()
    expect(await world.wire('login3', { userName: anna.account, password, clientType: 7 })).toMatchObject({
      code: 'accountLocked',
    })
    expect((await admin.call('getPerson', { userId: anna.userId })).failures).toMatchObject({ count: 10 })
    await admin.call('changePeople', { userIds: [anna.userId], unlock: true })
    await world.signIn(anna.account)
  })

  // [R047] Accounts are frozen
  // (-141), locked and unlocked (-47) and restricted (-66), one or many at once with an answer for each, and frozen
  // after their last day.
  test('[R047] an account is frozen from its last day on, also in a session that is open, and goes on when it is given more time', async () => {
    let now = Date.now()
    const timed = await openWorld({ now: () => now })
    const boss = await timed.admin()
    const anna = await timed.person('anna')
    await boss.call('modifyAccount', { userId: anna.userId, expireTime: now + 1000 })
    await anna.call('getMyAccountInfo', {})
    now += 1000
    expect(await anna.refusal('getMyAccountInfo', {})).toBe('accountFrozen')
    expect(await timed.wire('login3', { userName: 'anna', password, clientType: 7 })).toMatchObject({
      code: 'accountFrozen',
    })
    await boss.call('modifyAccount', { userId: anna.userId, expireTime: null })
    await anna.call('getMyAccountInfo', {})
  })

  // [R349] Nobody disables their own account (-57) or the administrator's (-58); the number of accounts is limited
  // (-91).
  test('[R349] no more accounts come in than the limit lets, however many are made at once; those who left do not count', async () => {
    const small = await openWorld()
    const boss = await small.admin()
    await boss.call('setAccountLimit', { accountLimit: 3 })
    const wires = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        boss.wire('createAccount', { account: `p${n}`, accountName: `p${n}`, password, groupId: 0 }),
      ),
    )
    expect(wires.map(({ code }) => String(code)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'accountCountExceeded'),
      'success',
      'success',
    ])
    const { list } = await boss.call('getPeople', {})
    const gone = list.find(({ isAdmin }) => !isAdmin)?.userId ?? 0
    await boss.call('changePeople', { userIds: [gone], state: 'disabled' })
    await boss.call('createAccount', { account: 'next', accountName: 'next', password, groupId: 0 })
    expect(await boss.refusal('changePeople', { userIds: [gone], state: 'normal' })).toBe('accountCountExceeded')
  })

  test('[R034] a session of somebody is ended by the administrator, which its page is told by push 5', async () => {
    const anna = await world.person('anna')
    const channel = await anna.listen()
    const { sessions } = await admin.call('getPerson', { userId: anna.userId })
    expect(sessions).toHaveLength(1)
    const sessionId = sessions[0]?.sessionId ?? 0
    expect(await admin.refusal('endPersonSession', { userId: admin.userId, sessionId })).toBe('notFound')
    await admin.call('endPersonSession', { userId: anna.userId, sessionId })
    await channel.next((frame) => 'pushType' in frame && frame.pushType === 5)
    await channel.closed
    expect(await anna.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
  })

  // [R047] A device is wiped (-50): it deletes its stored data at its next request and says so.
  test('[R047] a wiped device hears -50 on every process until it says that it has forgotten, and is a stranger then', async () => {
    const beside = await openWorld({ peer: world, elected: false, deaf: true })
    const anna = await world.person('anna')
    await anna.at(beside).call('getMyAccountInfo', {})
    const [session] = (await admin.call('getPerson', { userId: anna.userId })).sessions
    await admin.call('endPersonSession', { userId: anna.userId, sessionId: session?.sessionId ?? 0, wipe: true })
    for (const at of [beside, world]) expect(await anna.at(at).refusal('getMyAccountInfo', {})).toBe('deviceWiped')
    expect((await admin.call('getPerson', { userId: anna.userId })).sessions).toMatchObject([{ wiped: true }])
    await anna.call('confirmWipe', {})
    expect(await anna.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
    // A session that was not ordered to wipe is not ended by the confirmation.
    const again = await world.signIn(anna.account)
    await again.call('confirmWipe', {})
    await again.call('getMyAccountInfo', {})
  })
})

describe('a code that sets a password', () => {
  // [R024] The administrator issues a code with which a person sets a password, once.
  test('[R024] works once, for one person, in any writing; the latest alone, and ends every session of theirs', async () => {
    const anna = await world.person('anna')
    const [first] = (await admin.call('createPasswordLinks', { userIds: [anna.userId] })).list
    const [second] = (await admin.call('createPasswordLinks', { userIds: [anna.userId] })).list
    const typed = (second?.linkCode ?? '').toLowerCase().replace(/(.{4})/g, '$1-')
    const read = (linkCode: string) => world.wire('getPasswordLink', { linkCode })
    const set = (linkCode: string, newPassword: string) => world.wire('setPasswordByLink', { linkCode, newPassword })
    expect(await read(first?.linkCode ?? '')).toMatchObject({ code: 'notFound' })
    expect(await read(typed)).toMatchObject({ data: { account: anna.account } })
    expect(await set(typed, 'short')).toMatchObject({ code: 'passwordRequirements' })
    const both = await Promise.all([set(typed, other), set(typed, other)])
    expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['notFound', 'success'])
    expect(await anna.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
    await world.signIn(anna.account, 6, other)
    expect(await world.wire('login3', { userName: anna.account, password, clientType: 7 })).toMatchObject({
      code: 'wrongPassword',
    })
    expect(await set(typed, other)).toMatchObject({ code: 'notFound' })
  })

  test('[R024] lets somebody in who has no password yet, and is made neither for the administrator nor for oneself', async () => {
    const { userId } = await admin.call('createAccount', { account: 'waiting', accountName: '等待', groupId: 0 })
    expect((await admin.call('getPeople', { state: 'waiting' })).list.map((row) => row.userId)).toContain(userId)
    for (const guess of ['', password])
      expect(await world.wire('login3', { userName: 'waiting', password: guess, clientType: 7 })).toMatchObject({
        code: 'wrongPassword',
      })
    await patience()
    const { list } = await admin.call('createPasswordLinks', { userIds: [admin.userId, userId, 987_654] })
    expect(list.map(({ result, linkCode }) => [result, linkCode.length])).toEqual([
      [codes.ownAccount.code, 0],
      [codes.success.code, 16],
      [codes.notFound.code, 0],
    ])
    const linkCode = list[1]?.linkCode ?? ''
    expect(await world.wire('setPasswordByLink', { linkCode, newPassword: other })).toMatchObject({ code: 'success' })
    await world.signIn('waiting', 6, other)
    expect((await admin.call('getPerson', { userId })).waiting).toBe(false)
  })
})

describe('the tree of departments', () => {
  const names = async (parentId: number) =>
    (await admin.call('getDepartments', { parentId })).list.map(({ groupName }) => groupName)

  test('[R347] a department is renamed with its library, found with its way, and keeps names unique', async () => {
    const { groupId: above } = await world.group('树')
    const { groupId, library } = await world.group('旧名', above)
    await world.group('另一个', above)
    await admin.call('renameGroup', { groupId, groupName: '新名' })
    expect(await names(above)).toEqual(['另一个', '新名'])
    expect((await admin.call('getFolderInfo', { folderId: library })).fName).toBe('新名')
    expect(await admin.refusal('renameGroup', { groupId, groupName: '另一个' })).toBe('alreadyExists')
    const { list } = await admin.call('getDepartments', { keyword: 'xinming' })
    expect(list).toMatchObject([{ groupId, path: '公司 / 树 / 新名' }])
    // Search by two characters uses an index of its own: it finds new names at once and old ones no longer.
    expect((await admin.call('getDepartments', { keyword: '新名' })).list).toMatchObject([{ groupId }])
    expect((await admin.call('searchItem2', { searchType: 'group', keyword: '旧名' })).list).toEqual([])
  })

  test('a move says before whom it concerns and what they lose and gain, binds in open sessions, and is taken back to its place', async () => {
    const { groupId: one, library } = await world.group('甲部')
    const { groupId: two } = await world.group('乙部')
    const { groupId: team } = await world.group('二组', one)
    const { groupId: after } = await world.group('一组', one)
    const anna = await world.person('anna', { groupId: team })
    expect(await anna.call('getFolderInfo', { folderId: library })).toMatchObject({ fName: '甲部' })
    expect(await admin.call('getGroupEffect', { groupId: team, parentId: two })).toEqual({
      people: 1,
      loses: ['甲部'],
      gains: ['乙部'],
    })
    const before = await admin.call('moveGroup', { groupId: team, parentId: two })
    expect(before).toEqual({ parentId: one, beforeId: after })
    expect(await anna.refusal('getFolderInfo', { folderId: library })).toBe('notFound')
    await admin.call('moveGroup', { groupId: team, ...before })
    expect(await names(one)).toEqual(['二组', '一组'])
    expect(await anna.call('getFolderInfo', { folderId: library })).toMatchObject({ fName: '甲部' })
    await admin.call('moveGroup', { groupId: after, parentId: one, beforeId: team })
    expect(await names(one)).toEqual(['一组', '二组'])
    expect(await admin.refusal('moveGroup', { groupId: one, parentId: team })).toBe('moveIntoSubfolder')
    expect(await admin.refusal('moveGroup', { groupId: 0, parentId: team })).toBe('notFound')
  })

  test('of two moves that make a circle together one is refused, whenever they come', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { groupId: one } = await world.group(`环${n}甲`)
      const { groupId: two } = await world.group(`环${n}乙`)
      const { groupId: inOne } = await world.group('甲下', one)
      const { groupId: inTwo } = await world.group('乙下', two)
      const wires = await Promise.all([
        admin.wire('moveGroup', { groupId: one, parentId: inTwo }),
        admin.wire('moveGroup', { groupId: two, parentId: inOne }),
      ])
      expect(wires.map(({ code }) => String(code)).toSorted()).toEqual(['moveIntoSubfolder', 'success'])
    }
  })

  test('merged, its people, departments, rights and library are those of the other one', async () => {
    const { groupId: one, library } = await world.group('并入前')
    const { groupId: two } = await world.group('并入后')
    const { groupId: team } = await world.group('随行组', one)
    const anna = await world.person('anna', { groupId: one })
    const ben = await world.person('ben', { groupId: two })
    const folder = await admin.folder(admin.library, '给部门的')
    await admin.shares({ folderId: folder }, [{ to: { groupId: one }, rights: rightsGroup.download }])
    expect(await ben.refusal('getFolderInfo', { folderId: folder })).toBe('notFound')
    expect(await admin.call('mergeGroup', { groupId: one, intoId: two })).toEqual({ people: 1 })
    for (const person of [anna, ben]) {
      expect(await person.call('getFolderInfo', { folderId: folder })).toMatchObject({ fName: '给部门的' })
      expect(await person.call('getFolderInfo', { folderId: library })).toMatchObject({ fName: '并入前' })
    }
    expect(await admin.refusal('getDepartment', { groupId: one })).toBe('notFound')
    expect(await names(two)).toEqual(['随行组'])
    expect(await admin.call('getPerson', { userId: anna.userId })).toMatchObject({ groupId: two })
    expect(await admin.refusal('mergeGroup', { groupId: two, intoId: team })).toBe('moveIntoSubfolder')
  })

  test('who leads a department manages its library, from the next call on and no longer', async () => {
    const { groupId, library } = await world.group('有主管')
    const anna = await world.person('anna')
    expect(await anna.refusal('getFolderInfo', { folderId: library })).toBe('notFound')
    await admin.call('setGroupManagers', { groupId, userIds: [anna.userId] })
    await anna.folder(library, '主管建的')
    expect((await admin.call('getDepartment', { groupId })).managers).toMatchObject([{ userId: anna.userId }])
    expect(await admin.refusal('setGroupManagers', { groupId, userIds: [987_654] })).toBe('notFound')
    await admin.call('setGroupManagers', { groupId, userIds: [] })
    expect(await anna.refusal('getFolderInfo', { folderId: library })).toBe('notFound')
  })
})

describe('a role', () => {
  // [R348] Roles are given by name, by department with its subdepartments, and by
  // position, effective at once.
  test('[R348] is had by name, by department with those below, and by position; it counts in sessions that are open, and goes with what it was given', async () => {
    const { groupId } = await world.group('角色部')
    const { groupId: below } = await world.group('角色组', groupId)
    const named = await world.person('named')
    const ofGroup = await world.person('ofGroup', { groupId: below })
    const inPosition = await world.person('inPosition')
    const nobody = await world.person('nobody')
    const { roleId } = await admin.call('createRole', { roleName: '外聘' })
    const folderId = await admin.folder(admin.library, '给角色的')
    await admin.shares({ folderId }, [{ to: { roleId }, rights: rightsGroup.download }])
    const members = { roleId, userIds: [named.userId], groupIds: [groupId], titles: [' 律师 '] }
    expect(await admin.call('setRoleMembers', members)).toEqual({ people: 2 })
    const sees = async (person: Person) => (await person.wire('getFolderInfo', { folderId })).code
    expect([await sees(named), await sees(ofGroup), await sees(inPosition)]).toEqual(['success', 'success', 'notFound'])
    await admin.call('modifyAccount', { userId: inPosition.userId, title: '律师' })
    expect([await sees(inPosition), await sees(nobody)]).toEqual(['success', 'notFound'])
    const { list } = await admin.call('getPeople', { roleId })
    expect(new Set(list.map(({ userId }) => userId))).toEqual(
      new Set([named.userId, ofGroup.userId, inPosition.userId]),
    )
    expect(await admin.call('getRole', { roleId })).toMatchObject({
      groups: [{ path: '公司 / 角色部' }],
      titles: ['律师'],
    })
    expect(await admin.refusal('setRoleMembers', { ...members, userIds: [987_654] })).toBe('notFound')
    await admin.call('setRoleMembers', { ...members, groupIds: [], titles: [] })
    expect([await sees(named), await sees(ofGroup), await sees(inPosition)]).toEqual([
      'success',
      'notFound',
      'notFound',
    ])
    const { roleId: second } = await admin.call('createRole', { roleName: '内聘' })
    expect(await admin.refusal('renameRole', { roleId: second, roleName: '外聘' })).toBe('alreadyExists')
    await admin.call('deleteRole', { roleId })
    expect(await sees(named)).toBe('notFound')
    expect((await admin.call('getShareList', { folderId })).entries).toEqual([])
    expect(await admin.refusal('getRole', { roleId })).toBe('notFound')
  })
})
