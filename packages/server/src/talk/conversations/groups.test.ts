// Groups: who may do what, by role; what was refused has changed nothing.
import { randomUUID } from 'node:crypto'
import { type CallName, isFrame } from '@cloudoc/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
type Role = 'owner' | 'manager' | 'member' | 'left' | 'stranger'
const roles: readonly Role[] = ['owner', 'manager', 'member', 'left', 'stranger']

interface Group {
  readonly conversationId: number
  readonly people: Record<Role, Person>
  readonly other: Person
  readonly outside: Person
}

async function newGroup(): Promise<Group> {
  const person = (name: string) => world.person(name)
  const people = {
    owner: await person('owner'),
    manager: await person('manager'),
    member: await person('member'),
    left: await person('left'),
    stranger: await person('stranger'),
  }
  const [other, outside] = [await person('other'), await person('outside')]
  const { owner, manager, member, left } = people
  const inside = [manager, member, left, other].map(({ userId }) => userId)
  const { conversationId } = await owner.call('imCreateGroup', { name: '项目群', userIdArray: inside })
  await owner.call('imSetRole', { conversationId, userId: manager.userId, role: 'manager' })
  await left.call('imExitGroup', { conversationId })
  return { conversationId, people, other, outside }
}

/** Everything that is stored of a group. */
async function stateOf({ conversationId }: Group): Promise<unknown> {
  const { rows } = await sql`
    select to_jsonb(c) as chat,
      (select jsonb_agg(m order by m.account_id) from talk_member m where m.conversation_id = c.id) as members,
      (select jsonb_agg(s order by s.account_id, s.after_position) from talk_stay s where s.conversation_id = c.id) as stays,
      (select jsonb_agg(i order by i.account_id) from talk_invitation i where i.conversation_id = c.id) as invitations,
      (select jsonb_agg(m order by m.number) from talk_message m where m.conversation_id = c.id) as messages
    from talk_conversation c where c.id = ${conversationId}`.execute(world.app.db)
  return rows
}

type Outcome = 'success' | 'notFound' | 'noPermission'
interface Act {
  readonly name: string
  readonly call: CallName
  readonly input: (group: Group) => Record<string, unknown>
  readonly answers: Record<Role, Outcome>
}

const denied = { left: 'noPermission', stranger: 'notFound' } as const
const leaders = { owner: 'success', manager: 'success', member: 'noPermission', ...denied } as const
const everybody = { ...leaders, member: 'success' } as const
const ownerOnly = { ...leaders, manager: 'noPermission' } as const
const update = (name: string, change: Record<string, unknown>): Act => ({
  name,
  call: 'imUpdateGroup',
  input: () => change,
  answers: leaders,
})
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const acts: readonly Act[] = [
  update('rename', { name: '新名' }),
  update('announce', { announcement: '周五交稿' }),
  update('change the picture', { picture }),
  update('mute everybody', { allMuted: true }),
  update('let invitations wait for approval', { approvesInvites: true }),
  update('show the history to new members', { showsHistory: true }),
  update('let only leaders mention everybody', { leadersMentionAll: true }),
  {
    name: 'add a member',
    call: 'imAddMembers',
    input: ({ outside }) => ({ userIdArray: [outside.userId] }),
    answers: everybody,
  },
  {
    name: 'remove a member',
    call: 'imRemoveMembers',
    input: ({ other }) => ({ userIdArray: [other.userId] }),
    answers: leaders,
  },
  {
    name: 'make a manager',
    call: 'imSetRole',
    input: ({ other }) => ({ userId: other.userId, role: 'manager' }),
    answers: ownerOnly,
  },
  {
    name: 'hand the group over',
    call: 'imSetRole',
    input: ({ other }) => ({ userId: other.userId, role: 'owner' }),
    answers: ownerOnly,
  },
  { name: 'exit', call: 'imExitGroup', input: () => ({}), answers: { ...everybody, owner: 'noPermission' } },
  { name: 'dissolve', call: 'imDissolveGroup', input: () => ({}), answers: ownerOnly },
  { name: 'read the announcement', call: 'imReadAnnouncement', input: () => ({}), answers: everybody },
  {
    name: 'write',
    call: 'imSend',
    input: () => ({ uuid: randomUUID(), type: 'text', value: '你好' }),
    answers: everybody,
  },
  {
    name: 'type',
    call: 'imTyping',
    input: () => ({ open: true, typing: true }),
    answers: everybody,
  },
]

// [R293] Roles in groups: owner, managers and members do what is theirs, former members and strangers nothing.
describe.each(acts)('[R293] $name', ({ call, input, answers }) => {
  test('each role is answered as the table says, and a refusal changes nothing', async () => {
    for (const role of roles) {
      const group = await newGroup()
      const before = await stateOf(group)
      const { code } = await group.people[role].wire(call, {
        conversationId: group.conversationId,
        ...input(group),
      })
      expect(code, role).toBe(answers[role])
      const after = await stateOf(group)
      if (answers[role] !== 'success') expect(after, role).toEqual(before)
      else if (call !== 'imTyping') expect(after, role).not.toEqual(before)
    }
  })
})

const say = (person: Person, conversationId: number, mentions: { userId: number; name: string }[] = []) =>
  person.wire('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '@所有人 你好', mentions })
const all = [{ userId: 0, name: '所有人' }]

test('while everybody is muted, owner and managers write; members only afterwards', async () => {
  const { conversationId, people } = await newGroup()
  await people.owner.call('imUpdateGroup', { conversationId, allMuted: true })
  expect((await say(people.member, conversationId)).code).toBe('noPermission')
  for (const role of ['owner', 'manager'] as const)
    expect((await say(people[role], conversationId)).code).toBe('success')
  await people.manager.call('imUpdateGroup', { conversationId, allMuted: false })
  expect((await say(people.member, conversationId)).code).toBe('success')
})

test('where the group asks for it, whom a member invites waits for a leader, who lets in or refuses', async () => {
  const group = await newGroup()
  const { conversationId, people, outside } = group
  const { stranger, member, manager, owner } = people
  await owner.call('imUpdateGroup', { conversationId, approvesInvites: true })
  const invited = await member.call('imAddMembers', { conversationId, userIdArray: [outside.userId, stranger.userId] })
  expect(invited.list.map(({ outcome }) => outcome)).toEqual(['asked', 'asked'])
  expect(await outside.refusal('imHistory', { conversationId })).toBe('notFound')
  const decide = { conversationId, userId: outside.userId, approve: true }
  expect((await member.call('imGroupMembers', { conversationId })).waiting).toEqual([])
  const before = await stateOf(group)
  expect(await member.refusal('imDecideInvitation', decide)).toBe('noPermission')
  expect(await outside.refusal('imDecideInvitation', decide)).toBe('notFound')
  expect(await stateOf(group)).toEqual(before)
  const { waiting } = await manager.call('imGroupMembers', { conversationId })
  expect(new Set(waiting.map(({ userId }) => userId))).toEqual(new Set([outside.userId, stranger.userId]))
  await manager.call('imDecideInvitation', decide)
  expect(await manager.refusal('imDecideInvitation', decide)).toBe('alreadyHandled')
  await owner.call('imDecideInvitation', { conversationId, userId: stranger.userId, approve: false })
  expect((await say(outside, conversationId)).code).toBe('success')
  expect(await stranger.refusal('imHistory', { conversationId })).toBe('notFound')
  // A manager lets in whom they invite themselves.
  const direct = await manager.call('imAddMembers', { conversationId, userIdArray: [stranger.userId] })
  expect(direct.list[0]?.outcome).toBe('added')
})

test('a manager removes members, not managers or the owner; the owner everybody', async () => {
  const group = await newGroup()
  const { conversationId, people, other } = group
  await people.owner.call('imSetRole', { conversationId, userId: other.userId, role: 'manager' })
  const before = await stateOf(group)
  for (const person of [people.owner, other])
    expect(await people.manager.refusal('imRemoveMembers', { conversationId, userIdArray: [person.userId] })).toBe(
      'noPermission',
    )
  expect(
    await people.manager.refusal('imRemoveMembers', { conversationId, userIdArray: [people.stranger.userId] }),
  ).toBe('notFound')
  expect(await stateOf(group)).toEqual(before)
  await people.owner.call('imRemoveMembers', { conversationId, userIdArray: [other.userId] })
  expect((await say(other, conversationId)).code).toBe('noPermission')
})

test('who took the group over is its owner; the former one is a manager and may leave', async () => {
  const { conversationId, people, other } = await newGroup()
  await people.owner.call('imSetRole', { conversationId, userId: other.userId, role: 'owner' })
  expect(await people.owner.refusal('imDissolveGroup', { conversationId })).toBe('noPermission')
  await people.owner.call('imExitGroup', { conversationId })
  const { list } = await other.call('imGroupMembers', { conversationId })
  expect(list.filter(({ role }) => role === 'owner').map(({ userId }) => userId)).toEqual([other.userId])
})

test('a dissolved group is read by those who were members, and written by nobody', async () => {
  const { conversationId, people } = await newGroup()
  await say(people.member, conversationId)
  await people.owner.call('imDissolveGroup', { conversationId })
  for (const role of ['owner', 'manager', 'member'] as const) {
    expect((await say(people[role], conversationId)).code).toBe('noPermission')
    const { list } = await people[role].call('imHistory', { conversationId })
    expect(list.map(({ data }) => data.what).at(-1)).toBe('dissolved')
  }
  expect(await people.owner.refusal('imUpdateGroup', { conversationId, name: 'x' })).toBe('noPermission')
})

// [R293] Who may mention everybody is a setting of the group, which the server enforces.
test('[R293] where only leaders mention everybody, a member is refused, also by editing; leaders are not', async () => {
  const group = await newGroup()
  const { conversationId, people } = group
  const { owner, manager, member } = people
  const mentioned = await say(member, conversationId, all)
  expect(mentioned.code).toBe('success')
  const plain = await member.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '你好' })
  await owner.call('imUpdateGroup', { conversationId, leadersMentionAll: true })
  expect(await member.call('imGetChat', { conversationId })).toMatchObject({ leadersMentionAll: true })
  const before = await stateOf(group)
  expect((await say(member, conversationId, all)).code).toBe('noPermission')
  const edit = { conversationId, value: '@所有人', mentions: all }
  expect(await member.refusal('imEdit', { ...edit, number: plain.number })).toBe('noPermission')
  expect(await stateOf(group)).toEqual(before)
  for (const person of [owner, manager]) expect((await say(person, conversationId, all)).code).toBe('success')
  // One person is mentioned by everybody, and what mentioned all before may be corrected.
  expect((await say(member, conversationId, [{ userId: owner.userId, name: 'owner' }])).code).toBe('success')
  const { number } = mentioned.data as { number: number }
  expect((await member.wire('imEdit', { ...edit, number })).code).toBe('success')
  await manager.call('imUpdateGroup', { conversationId, leadersMentionAll: false })
  expect((await say(member, conversationId, all)).code).toBe('success')
})

test('a draft is kept for its writer alone, on every device, until it is emptied or the person leaves', async () => {
  const { conversationId, people } = await newGroup()
  const { member, other } = { ...people, other: people.manager }
  await member.call('imSaveDraft', { conversationId, draft: '还没写完' })
  const device = await world.signIn(member.account)
  expect(await device.call('imGetChat', { conversationId })).toMatchObject({ draft: '还没写完' })
  expect(await other.call('imGetChat', { conversationId })).toMatchObject({ draft: '', draftTime: null })
  // Signed in anew, the person goes on there.
  await device.call('imSaveDraft', { conversationId, draft: '' })
  expect(await device.call('imGetChat', { conversationId })).toMatchObject({ draft: '', draftTime: null })
  await device.call('imSaveDraft', { conversationId, draft: '再写' })
  await device.call('imExitGroup', { conversationId })
  expect(await device.call('imGetChat', { conversationId })).toMatchObject({ draft: '' })
})

test('who types is told to the members who have the conversation open, and to nobody else', async () => {
  const { conversationId, people } = await newGroup()
  const { owner, manager, member } = people
  const [seen, closed] = [await owner.listen(), await manager.listen()]
  await owner.call('imTyping', { conversationId, open: true, typing: false })
  await member.call('imTyping', { conversationId, open: true, typing: true })
  await seen.next(
    (frame) => isFrame(frame, 'talkTyping') && frame.data.people.some(({ userId }) => userId === member.userId),
  )
  await member.call('imTyping', { conversationId, open: false, typing: false })
  await seen.next(
    (frame) => isFrame(frame, 'talkTyping') && frame.data.people.every(({ userId }) => userId !== member.userId),
  )
  // What follows on the same connection comes after what it was not told.
  await member.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '写完了' })
  await closed.next((frame) => isFrame(frame, 'messageReceived') && frame.data.value === '写完了')
  expect(closed.frames.filter((frame) => isFrame(frame, 'talkTyping'))).toEqual([])
})

test('the company sets who makes groups, and for how long a message can be recalled', async () => {
  let time = Date.now()
  const own = await openWorld({ now: () => time })
  const [admin, anna, ben] = [await own.admin(), await own.person('anna'), await own.person('ben')]
  const create = { name: '群', userIdArray: [ben.userId] }
  const { conversationId } = await anna.call('imCreateGroup', create)
  await admin.call('setServerSetting', { im_groups_by_all: false, im_recall_minutes: 2 })
  expect(await anna.refusal('imCreateGroup', create)).toBe('noPermission')
  expect((await admin.call('imCreateGroup', create)).name).toBe('群')
  const text = { conversationId, type: 'text', value: '写错了' } as const
  const [first, second] = [
    await anna.call('imSend', { ...text, uuid: randomUUID() }),
    await anna.call('imSend', { ...text, uuid: randomUUID() }),
  ]
  time += 60_000
  expect((await anna.call('imRecall', { conversationId, number: first.number })).recall).toBe(true)
  time += 61_000
  expect(await anna.refusal('imRecall', { conversationId, number: second.number })).toBe('noPermission')
})
