// Messages: one order for everybody, sent once, read by those whose membership covers them.
import { randomUUID } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()

const say = (person: Person, conversationId: number, value: string, uuid: string = randomUUID()) =>
  person.call('imSend', { conversationId, uuid, type: 'text', value })
const chatOf = async (one: Person, other: Person) =>
  (await one.call('imOpenChat', { userId: other.userId })).conversationId
const groupOf = async (owner: Person, others: readonly Person[]) =>
  (await owner.call('imCreateGroup', { name: '项目群', userIdArray: others.map(({ userId }) => userId) }))
    .conversationId
const textsOf = async (person: Person, conversationId: number) =>
  (await person.call('imHistory', { conversationId, rows: 100 })).list
    .filter(({ data }) => data.type !== 'notify')
    .map(({ value }) => value)

describe('order and idempotency', () => {
  // [R295] A message goes from ING to DONE when the server confirms it, and its id and time are those of the server; sent
  // again with the same uuid it is the same message.
  test('[R295] the same uuid fifty times at once, on two processes, is one message', async () => {
    const first = await openWorld()
    const second = await openWorld({ peer: first })
    const [anna, ben] = [await first.person('anna'), await first.person('ben')]
    const conversationId = await chatOf(anna, ben)
    const uuid = randomUUID()
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, n) => say(n % 2 === 0 ? anna : anna.at(second), conversationId, '一次', uuid)),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(sent[0]).toMatchObject({ send: 'DONE', uuid, type: 'SEND', number: sent[1]?.number })
    expect(await textsOf(ben, conversationId)).toEqual(['一次'])
  })

  test('[R293] writers on two processes: everybody has every message once, in one order, live and in the history', async () => {
    const first = await openWorld()
    const second = await openWorld({ peer: first })
    const people: Person[] = []
    for (const name of ['anna', 'ben', 'cara', 'dan']) people.push(await first.person(name))
    const [anna] = people as [Person, ...Person[]]
    const conversationId = await groupOf(anna, people.slice(1))
    const live = await Promise.all(people.map((person, n) => (n % 2 === 0 ? person : person.at(second)).listen()))
    await Promise.all(
      people.map(async (person, n) => {
        const at = n % 2 === 0 ? person : person.at(second)
        for (let i = 0; i < 15; i += 1) await say(at, conversationId, `${person.account} ${i}`)
      }),
    )
    const history = (await anna.call('imHistory', { conversationId, rows: 100 })).list
    const numbers = history.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    const last = history.at(-1)?.number
    for (const listener of live) {
      await listener.next((frame) => isFrame(frame, 'messageReceived') && frame.data.number === last)
      const heard = listener.frames.flatMap((frame) =>
        isFrame(frame, 'messageReceived') && frame.data.data.type === 'text' ? [frame.data.value] : [],
      )
      expect(heard).toEqual(history.filter(({ data }) => data.type === 'text').map(({ value }) => value))
    }
    // Each person's own messages stand in the order in which they were sent.
    for (const person of people) {
      const own = history.filter(({ from, data }) => from === person.userId && data.type === 'text')
      expect(own.map(({ value }) => value)).toEqual(Array.from({ length: 15 }, (_, i) => `${person.account} ${i}`))
    }
  })

  // [R311] Push 2 delivers each message, live and after the person was away.
  // [R399] Messages to somebody who is away are there at their next login; history, unread counts, recalls, read status,
  // pins and mutes are the same on another device.
  test('[R311] [R399] who was away gets messages, edits and recalls at the next login, by position', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const conversationId = await chatOf(anna, ben)
    const { epoch, lastIdentity } = await ben.call('getPushPosition', {})
    const one = await say(anna, conversationId, '原文')
    const two = await say(anna, conversationId, '撤回的')
    await anna.call('imEdit', { conversationId, number: one.number, value: '改过' })
    await anna.call('imRecall', { conversationId, number: two.number })
    const live = await ben.listen({ epoch, lastIdentity })
    const recalled = await live.next(
      (frame) => isFrame(frame, 'messageReceived') && frame.data.number === two.number && frame.data.recall,
    )
    expect(JSON.stringify(live.frames)).not.toContain('撤回的')
    expect(JSON.stringify(live.frames)).not.toContain('原文')
    expect(recalled).toMatchObject({ pushType: 2, data: { value: '', type: 'GET', source: 'WS', push: 'USER' } })
    const { list, unread } = await ben.call('imChatList', {})
    expect(list).toMatchObject([{ conversationId, unread: 1, last: { recall: true } }])
    expect(unread).toBe(1)
    await ben.call('imTopChat', { conversationId, top: true })
    await ben.call('imMuteChat', { conversationId, mute: true })
    const again = await world.signIn(ben.account)
    expect((await again.call('imChatList', {})).list).toMatchObject([{ top: true, mute: true, unread: 1 }])
    await again.call('imMarkRead', { conversationId, number: two.number })
    const third = await world.signIn(ben.account)
    expect((await third.call('imChatList', {})).list).toMatchObject([{ unread: 0, readNumber: two.number }])
    const { list: history } = await third.call('imHistory', { conversationId })
    expect(history.map(({ value, recall, read }) => [value, recall, read])).toEqual([
      ['改过', false, true],
      ['', true, true],
    ])
    expect((await (await world.signIn(anna.account)).call('imGetChat', { conversationId })).peerReadNumber).toBe(
      two.number,
    )
  })

  // [R294] Users, friends, groups, messages and recent contacts have the documented fields.
  test('[R294] users, friends, groups, messages and recent contacts have the documented fields', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    await world.app.db.updateTable('account').set({ gender: 0 }).where('id', '=', ben.userId).execute()
    await world.app.db.updateTable('account').set({ gender: 1 }).where('id', '=', anna.userId).execute()
    const conversationId = await chatOf(anna, ben)
    const groupId = await groupOf(anna, [ben])
    const { uuid, timestamp, id, ...sent } = await say(anna, conversationId, '你好')
    expect(uuid).toMatch(/^[\da-f-]{36}$/)
    expect(Math.abs(timestamp - Date.now())).toBeLessThan(60_000)
    expect(id).toBeGreaterThan(0)
    expect(sent).toMatchObject({
      ...{ push: 'USER', from: anna.userId, to: ben.userId, type: 'SEND', send: 'DONE', read: true, recall: false },
      ...{ source: 'WS', fileId: 0, value: '你好', data: { type: 'text' } },
    })
    const live = await ben.listen()
    const chats = async (person: Person) => (await person.call('imChatList', {})).list
    const of = (list: Awaited<ReturnType<typeof chats>>, one: number) => list.find(({ conversationId: c }) => c === one)
    await expect.poll(async () => of(await chats(anna), conversationId)?.status).toBe('ONLINE')
    expect(of(await chats(anna), conversationId)).toMatchObject({
      ...{ push: 'USER', id: ben.userId, name: ben.account, type: 2, avatar: '', mute: false },
      ...{ timestamp, aside: false, top: false },
    })
    await live.close()
    expect(of(await chats(ben), conversationId)).toMatchObject({ id: anna.userId, type: 3, status: 'OFFLINE' })
    expect(of(await chats(ben), groupId)).toMatchObject({
      ...{
        push: 'GROUP',
        id: groupId,
        name: '项目群',
        type: 1,
        avatar: '',
        members: 2,
        founderId: anna.userId,
        mute: false,
      },
    })
    await anna.call('imDeleteChat', { conversationId })
    expect(await anna.call('imGetChat', { conversationId })).toMatchObject({ aside: true })
    await say(ben, conversationId, '再说')
    expect(of(await chats(anna), conversationId)).toMatchObject({ aside: false, unread: 1 })
  })
})

describe('memberships', () => {
  test('[R299] who left reads nothing of later; who joined reads what the group allows; search, pushes and files alike', async () => {
    const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
    const conversationId = await groupOf(anna, [ben])
    const early = await say(anna, conversationId, '早先的秘密')
    await anna.call('imAddMembers', { conversationId, userIdArray: [cara.userId] })
    await say(anna, conversationId, '大家好秘密')
    expect(await textsOf(cara, conversationId)).toEqual(['大家好秘密'])
    await anna.call('imRemoveMembers', { conversationId, userIdArray: [ben.userId] })
    await say(anna, conversationId, '之后的秘密')
    expect(await textsOf(ben, conversationId)).toEqual(['早先的秘密', '大家好秘密'])
    // An edit after the person has left is not theirs to read either.
    await anna.call('imEdit', { conversationId, number: early.number, value: '改成新的秘密' })
    const seen = (await ben.call('imHistory', { conversationId })).list.find(({ number }) => number === early.number)
    expect(seen).toMatchObject({ value: '', withheld: true })
    const found = async (person: Person) =>
      (await person.call('imSearch', { keyword: '秘密' })).list.map(({ message }) => message.value).toReversed()
    expect(await found(ben)).toEqual(['大家好秘密'])
    expect(await found(cara)).toEqual(['大家好秘密', '之后的秘密'])
    expect(await found(anna)).toEqual(['改成新的秘密', '大家好秘密', '之后的秘密'])
    expect(await ben.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: 'x' })).toBe(
      'noPermission',
    )
    const dan = await world.person('dan')
    for (const refused of [
      dan.refusal('imHistory', { conversationId }),
      dan.refusal('imGetChat', { conversationId }),
      dan.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: 'x' }),
    ])
      expect(await refused).toBe('notFound')
    expect((await ben.call('imChatList', {})).list).toMatchObject([{ isMember: false, mayWrite: false }])
  })

  // Of every history of joining, leaving, writing, editing: each person reads exactly what a model allows.
  test('[R299] random histories of memberships: everybody reads exactly what the model allows', async () => {
    const owner = await world.person('owner')
    const people = [await world.person('p0'), await world.person('p1'), await world.person('p2')]
    const act = fc.oneof(
      fc.record({ do: fc.constant('say' as const), who: fc.constant(0) }),
      fc.record({ do: fc.constant('join' as const), who: fc.nat(2) }),
      fc.record({ do: fc.constant('leave' as const), who: fc.nat(2) }),
      fc.record({ do: fc.constantFrom('open' as const, 'close' as const), who: fc.constant(0) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 18 }), async (acts) => {
        const filler = await world.person('filler')
        const conversationId = await groupOf(owner, [filler])
        const reads = people.map(() => new Set<string>())
        const inside = people.map(() => false)
        const all: string[] = []
        let shows = false
        for (const { do: what, who } of acts) {
          const person = people[who] as Person
          if (what === 'say') {
            const text = `第${all.length}句`
            all.push(text)
            await say(owner, conversationId, text)
            for (const [n, set] of reads.entries()) if (inside[n] === true) set.add(text)
          } else if (what === 'join' && inside[who] === false) {
            await owner.call('imAddMembers', { conversationId, userIdArray: [person.userId] })
            inside[who] = true
            if (shows) for (const text of all) reads[who]?.add(text)
          } else if (what === 'leave' && inside[who] === true) {
            await person.call('imExitGroup', { conversationId })
            inside[who] = false
          } else if (what === 'open' || what === 'close') {
            shows = what === 'open'
            await owner.call('imUpdateGroup', { conversationId, showsHistory: shows })
          }
        }
        for (const [n, person] of people.entries()) {
          const known = (await person.call('imChatList', { rows: 500 })).list.some(
            (chat) => chat.conversationId === conversationId,
          )
          const read = known ? await textsOf(person, conversationId) : []
          expect(read).toEqual(all.filter((text) => reads[n]?.has(text)))
          const found = await person.call('imSearch', { keyword: '句', conversationId, rows: 100 })
          expect(found.list.map(({ message }) => message.value).toReversed()).toEqual(read)
        }
      }),
      { numRuns: 6 },
    )
  })
})
