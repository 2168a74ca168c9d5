// Contact groups, notices of unread messages, and the pages of the calls of chat.
import { randomUUID } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const say = (person: Person, conversationId: number, value: string) =>
  person.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value })

// [R300] Contact groups have a unique, non-empty name of at most 60 characters, are private, and can be saved, deleted,
// and given and taken accounts.
test('[R300] a contact group has a name that is used once, not empty, at most 60 long, and is its owner’s alone', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const save = (name: string, more = {}) => anna.wire('saveContactGroup', { name, ...more })
  const { contactGroupId } = await anna.call('saveContactGroup', { name: '法务', userIdArray: [ben.userId] })
  expect((await save(' 法务 ')).code).toBe('alreadyExists')
  for (const name of ['', '  ', '字'.repeat(limits.longestContactGroup + 1)])
    expect((await save(name)).code, JSON.stringify(name)).toBe('badRequest')
  expect((await save('字'.repeat(limits.longestContactGroup))).code).toBe('success')
  await anna.call('deleteContactGroupAccounts', { contactGroupId, userIdArray: [ben.userId] })
  expect((await anna.call('getContactGroups', {})).list[0]).toMatchObject({ name: '法务', members: [] })
  await anna.call('addContactGroupAccounts', { contactGroupId, userIdArray: [ben.userId, ben.userId, 987_654_321] })
  expect((await anna.call('getContactGroups', {})).list[0]?.members).toEqual([
    { userId: ben.userId, name: ben.account },
  ])
  // The same name is free for others, and their groups do not exist for them.
  await ben.call('saveContactGroup', { name: '法务' })
  expect(await ben.refusal('deleteContactGroup', { contactGroupId })).toBe('notFound')
  await anna.call('deleteContactGroup', { contactGroupId })
  expect((await anna.call('getContactGroups', {})).list).toHaveLength(1)
})

// [R100] The unread notice of a conversation has its name, length, push and id, counts only unread messages that are not
// recalled, and is settled by reading.
test('[R100] the notice of unread messages counts what is unread and not recalled, and ends by reading', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const first = await say(anna, conversationId, '一')
  await say(anna, conversationId, '二')
  await anna.call('imRecall', { conversationId, number: first.number })
  const last = await say(anna, conversationId, '三')
  const live = await ben.listen()
  const told = await live.next((frame) => isFrame(frame, 'unreadMessages') && frame.data.length === 2)
  expect(told).toMatchObject({
    data: { name: anna.account, length: 2, push: 'USER', id: anna.userId, conversationId, serverId: 0 },
  })
  await ben.call('imMarkRead', { conversationId, number: last.number })
  expect(await ben.call('imChatList', {})).toMatchObject({ unread: 0, list: [{ unread: 0 }] })
  await world.app.settle()
  const { groups } = await ben.call('getNotices', {})
  expect(groups.filter(({ group, list }) => group === 'instantMessage' && list.length > 0)).toEqual([])
})

// [R299] The calls of chat exist below their own base path; a page of history has 30 messages, one of shares 100.
test('[R299] a page of history has 30 messages in both directions, a page of shares 100', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  for (let n = 1; n <= 35; n += 1) await say(anna, conversationId, `第${n}句`)
  const newest = await ben.call('imHistory', { conversationId })
  expect([newest.list.length, newest.older, newest.newer]).toEqual([30, true, false])
  const older = await ben.call('imHistory', { conversationId, before: newest.list[0]?.number ?? 0 })
  expect([older.list.map(({ value }) => value), older.older]).toEqual([
    ['第1句', '第2句', '第3句', '第4句', '第5句'],
    false,
  ])
  const on = await ben.call('imHistory', { conversationId, after: older.list[0]?.number ?? 0 })
  expect([on.list.length, on.list[0]?.value, on.newer]).toEqual([30, '第2句', true])
  for (let n = 1; n <= 101; n += 1)
    await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'link', url: `https://example.com/${n}` })
  const shares = await ben.call('imShares', { conversationId, kind: 'link' })
  expect([shares.list.length, shares.more, shares.list[0]?.data.url]).toEqual([100, true, 'https://example.com/101'])
})
