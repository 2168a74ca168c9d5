// Instant messaging as the company governs it: who may write to whom, sensitive texts, retention, exports.
import { randomUUID } from 'node:crypto'
import { newSensitiveRule } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { endLostMemberships } from '../conversations/library-groups.ts'
import { removeExpiredFiles, removeFileRows, removeOldMessages } from '../messages/files.ts'

const world = sharedWorld()
const say = (person: Person, conversationId: number, value: string) =>
  person.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value })
const sayingRefused = (person: Person, conversationId: number, value: string) =>
  person.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'text', value })

// [R352] The chat-ability check answers before a conversation opens, and the company restricts it by department, role and
// person; the online list is kept by push 45.
test('[R352] [R299] a rule between a department and a role refuses opening, writing and inviting, until it is removed', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const { groupId } = await own.group('生产部')
  const [anna, ben, cara] = [
    await own.person('anna', { groupId }),
    await own.person('ben'),
    await own.person('cara', { groupId }),
  ]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  await say(anna, conversationId, '你好')
  const { ruleId } = await admin.call('addTalkRule', {
    ...{ fromType: 'group', fromId: groupId, toType: 'user', toId: ben.userId, bothWays: false, allows: false },
  })
  expect(await anna.call('imChatAbility', { userId: ben.userId })).toEqual({ ability: false, reason: 'rule' })
  expect(await anna.refusal('imOpenChat', { userId: ben.userId })).toBe('noPermission')
  expect(await sayingRefused(anna, conversationId, '还在吗')).toBe('noPermission')
  expect(await anna.call('imGetChat', { conversationId })).toMatchObject({ mayWrite: false })
  // The other way is open, and what was written stays readable.
  await say(ben, conversationId, '在')
  expect((await anna.call('imHistory', { conversationId })).list.map(({ value }) => value)).toEqual(['你好', '在'])
  const group = await anna.call('imCreateGroup', { name: '群', userIdArray: [cara.userId, ben.userId] })
  expect(group.members).toBe(2)
  const added = await anna.call('imAddMembers', { conversationId: group.conversationId, userIdArray: [ben.userId] })
  expect(added.list).toEqual([{ userId: ben.userId, outcome: 'refused' }])
  // An exception wins.
  await admin.call('addTalkRule', {
    ...{ fromType: 'user', fromId: anna.userId, toType: 'user', toId: ben.userId, bothWays: false, allows: true },
  })
  expect(await anna.call('imChatAbility', { userId: ben.userId })).toEqual({ ability: true, reason: '' })
  expect((await admin.call('getTalkRules', {})).list).toMatchObject([
    { fromName: '生产部', toName: ben.account, allows: false },
    { allows: true },
  ])
  await admin.call('removeTalkRule', { ruleId })
  expect(
    await anna.refusal('addTalkRule', {
      ...{ fromType: 'all', fromId: 0, toType: 'all', toId: 0, bothWays: true, allows: false },
    }),
  ).toBe('noPermission')
})

test('[R256] a text in which a rule finds something is refused with -68, sent or edited; a card of a sensitive file too', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const [anna, ben] = [await own.person('anna'), await own.person('ben')]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const before = await say(anna, conversationId, '绝密计划')
  await admin.call('saveSensitiveRule', {
    rule: { ...newSensitiveRule, name: '词', words: ['绝密'], action: 'block' },
  })
  for (const text of ['这是绝密计划', '绝 密', '绝\u200b密', '絕密'.replace('絕', '绝')])
    expect(await sayingRefused(anna, conversationId, text)).toBe('sensitiveFile')
  const fine = await say(anna, conversationId, '普通的话')
  expect(await anna.refusal('imEdit', { conversationId, number: fine.number, value: '绝密' })).toBe('sensitiveFile')
  expect((await ben.call('imHistory', { conversationId })).list.map(({ value }) => value)).toEqual([
    '绝密计划',
    '普通的话',
  ])
  expect(before.number).toBeLessThan(fine.number)
  const [secret, other] = [await anna.upload(anna.library, '密.txt', '绝密'), await anna.folder(anna.library, '资料')]
  const card = { conversationId, type: 'share' } as const
  expect(await anna.refusal('imSend', { ...card, uuid: randomUUID(), fType: 1, fId: secret })).toBe('sensitiveFile')
  await anna.call('imSend', { ...card, uuid: randomUUID(), fType: 2, fId: other })
})

test('an export needs two others, contains what was recalled, and ends after a week', async () => {
  let time = Date.now()
  const own = await openWorld({ now: () => time })
  const admin = await own.admin()
  const [anna, ben, one, two] = [
    await own.person('anna'),
    await own.person('ben'),
    await own.person('one'),
    await own.person('two'),
  ]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const said = await say(anna, conversationId, '撤回前的话')
  await anna.call('imRecall', { conversationId, number: said.number })
  await admin.call('setPowerHolders', { power: 'audit', userIds: [one.userId, two.userId] })
  const { exportId } = await admin.call('askTalkExport', {
    ...{ reason: '调查', userId: ben.userId, fromTime: 0, toTime: time + 1 },
  })
  expect(await admin.refusal('voteTalkExport', { exportId, agrees: true })).toBe('noPermission')
  expect(await admin.refusal('downloadTalkExport', { exportId })).toBe('noPermission')
  await one.call('voteTalkExport', { exportId, agrees: true })
  expect(await one.refusal('voteTalkExport', { exportId, agrees: true })).toBe('alreadyHandled')
  expect(await admin.refusal('downloadTalkExport', { exportId })).toBe('noPermission')
  await two.call('voteTalkExport', { exportId, agrees: true })
  const response = await own.app.http.inject({
    url: `/im/api/admin/export/${exportId}`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(response.body).toContain('撤回前的话')
  expect(await one.refusal('downloadTalkExport', { exportId })).toBe('noPermission')
  time += 8 * 24 * 60 * 60_000
  const later = await own.signIn(one.account)
  expect((await later.call('getTalkExports', {})).list).toMatchObject([{ state: 'ended', votes: [{}, {}] }])
})

test('retention by kind deletes messages, their words and files; those of the other kind stay', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const { db } = world.app
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const group = await anna.call('imCreateGroup', { name: '群', userIdArray: [ben.userId] })
  await say(anna, conversationId, '旧的单聊记号')
  await say(anna, group.conversationId, '旧的群聊记号')
  const before = Date.now() + 1000
  expect(await removeOldMessages(db, 'group', before)).toBeGreaterThan(0)
  const found = await ben.call('imSearch', { keyword: '记号' })
  expect(found.list.map(({ message }) => message.value)).toEqual(['旧的单聊记号'])
  expect((await ben.call('imHistory', { conversationId: group.conversationId })).list).toEqual([])
  expect((await ben.call('imChatList', {})).list).toHaveLength(2)
  await removeExpiredFiles(db, before)
  await removeFileRows(db)
})

test('[R293] a library offers its group by itself: who sees it joins, who no longer sees it is out', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const [anna, ben] = [await own.person('anna'), await own.person('ben')]
  const { libraryId } = await admin.call('createLibrary', {
    name: '项目库',
    kind: 'project',
    managerIds: [admin.userId],
  })
  await admin.shares({ folderId: libraryId }, [{ to: anna, rights: 6 }])
  expect((await anna.call('imLibraryGroups', {})).list).toContainEqual({
    ...{ libraryId, name: '项目库', kind: 'project', conversationId: 0, members: 0, isMember: false },
  })
  const [mine, again] = await Promise.all([
    anna.call('imOpenLibraryGroup', { libraryId }),
    admin.call('imOpenLibraryGroup', { libraryId }),
  ])
  expect(again.conversationId).toBe(mine.conversationId)
  const { conversationId } = mine
  await say(anna, conversationId, '大家好')
  expect(await ben.refusal('imOpenLibraryGroup', { libraryId })).toBe('notFound')
  expect(await anna.refusal('imAddMembers', { conversationId, userIdArray: [ben.userId] })).toBe('noPermission')
  expect(await endLostMemberships({ db: own.app.db, settings: own.app.services.settings, now: Date.now })).toBe(0)
  await admin.shares({ folderId: libraryId }, [])
  expect(await endLostMemberships({ db: own.app.db, settings: own.app.services.settings, now: Date.now })).toBe(1)
  await say(admin, conversationId, '之后')
  expect((await anna.call('imHistory', { conversationId })).list.map(({ value }) => value)).not.toContain('之后')
  expect(await anna.call('imGetChat', { conversationId })).toMatchObject({ isMember: false, mayWrite: false })
})
