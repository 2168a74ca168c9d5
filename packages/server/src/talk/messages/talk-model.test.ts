// Random acts of four people in a conversation of two and in a group, beside a model of what each of them must see.
import { randomUUID } from 'node:crypto'
import { unreadCount } from '@cloudoc/domain'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const acts = inject('full') ? 10_000 : 120
const compareEvery = inject('full') ? 250 : 60
const pageRows = 100

interface Said {
  readonly number: number
  readonly from: number
  readonly uuid: string
  value: string
  isRecalled: boolean
  /** Who has reacted, with those who were members then. */
  readonly reactions: Map<number, ReadonlySet<number>>
  /** People by index who may read it, and those to whom its present text is withheld. */
  readonly readers: Set<number>
  readonly withheld: Set<number>
}

interface Chat {
  readonly isGroup: boolean
  readonly conversationId: number
  readonly members: Set<number>
  readonly said: Said[]
  readonly marks: Map<number, { readNumber: number; isMarkedUnread: boolean }>
  readonly muted: Set<number>
  readonly pinned: Set<number>
}

const kinds = [
  'say',
  'say',
  'say',
  'again',
  'edit',
  'recall',
  'react',
  'read',
  'unread',
  'mute',
  'pin',
  'move',
] as const
const act = fc.record({ kind: fc.constantFrom(...kinds), who: fc.nat(3), chat: fc.nat(1), pick: fc.nat(1000) })
type Act = ReturnType<
  typeof fc.sample<{ kind: (typeof kinds)[number]; who: number; chat: number; pick: number }>
>[number]

const words = (n: number): string => `第${n}句话`

/** Does an act on the server and in the model. */
async function play(people: readonly Person[], chat: Chat, { kind, who, pick }: Act, n: number): Promise<void> {
  const { conversationId, members, said } = chat
  const person = people[who] as Person
  const mark = chat.marks.get(who) ?? { readNumber: 0, isMarkedUnread: false }
  const own = said.filter(({ from, isRecalled }) => from === who && !isRecalled)
  const mine = own[pick % Math.max(1, own.length)]
  const seen = said.filter(({ readers, isRecalled }) => readers.has(who) && !isRecalled)
  const one = seen[pick % Math.max(1, seen.length)]
  const isMember = members.has(who)
  if (kind === 'move') {
    // The third and fourth come and go; a conversation of two has nobody to move.
    if (!chat.isGroup || who < 2) return
    if (isMember) {
      await person.call('imExitGroup', { conversationId })
      members.delete(who)
    } else {
      await (people[0] as Person).call('imAddMembers', { conversationId, userIdArray: [person.userId] })
      members.add(who)
    }
  } else if (!isMember) {
    expect(await person.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: 'x' })).toMatch(
      /noPermission|notFound/,
    )
  } else if (kind === 'say') {
    const uuid = randomUUID()
    const { number } = await person.call('imSend', { conversationId, uuid, type: 'text', value: words(n) })
    expect(number).toBeGreaterThan(said.at(-1)?.number ?? 0)
    said.push({
      ...{
        number,
        from: who,
        uuid,
        value: words(n),
        isRecalled: false,
        reactions: new Map<number, ReadonlySet<number>>(),
      },
      ...{ readers: new Set(members), withheld: new Set<number>() },
    })
  } else if (kind === 'again' && mine !== undefined) {
    const again = { conversationId, uuid: mine.uuid, type: 'text', value: '另一句' } as const
    expect(await person.call('imSend', again)).toMatchObject({ number: mine.number, value: mine.value })
  } else if (kind === 'edit' && mine !== undefined) {
    mine.value = words(n)
    await person.call('imEdit', { conversationId, number: mine.number, value: mine.value })
    for (const reader of mine.readers) {
      if (members.has(reader)) mine.withheld.delete(reader)
      else mine.withheld.add(reader)
    }
  } else if (kind === 'recall' && mine !== undefined) {
    await person.call('imRecall', { conversationId, number: mine.number })
    mine.isRecalled = true
  } else if (kind === 'react' && one !== undefined) {
    const on = !one.reactions.has(who)
    await person.call('imReact', { conversationId, number: one.number, emoji: '👍', on })
    if (on) one.reactions.set(who, new Set(members))
    else one.reactions.delete(who)
  } else if (kind === 'read' && one !== undefined) {
    await person.call('imMarkRead', { conversationId, number: one.number })
    chat.marks.set(who, { readNumber: Math.max(mark.readNumber, one.number), isMarkedUnread: false })
  } else if (kind === 'unread') {
    await person.call('imMarkUnread', { conversationId })
    chat.marks.set(who, { ...mark, isMarkedUnread: true })
  } else if (kind === 'mute' || kind === 'pin') {
    const set = kind === 'mute' ? chat.muted : chat.pinned
    const on = !set.has(who)
    if (kind === 'mute') await person.call('imMuteChat', { conversationId, mute: on })
    else await person.call('imTopChat', { conversationId, top: on })
    if (on) set.add(who)
    else set.delete(who)
  }
}

/** Everything that a person reads of a conversation, page by page. */
async function historyOf(person: Person, conversationId: number) {
  const all = []
  for (let before: number | undefined; ; ) {
    const page = await person.call('imHistory', {
      ...{ conversationId, rows: pageRows },
      ...(before !== undefined && { before }),
    })
    all.unshift(...page.list)
    if (!page.older) return all.filter(({ data }) => data.type !== 'notify')
    before = page.list[0]?.number
  }
}

async function compare(people: readonly Person[], chats: readonly Chat[]): Promise<void> {
  for (const [who, person] of people.entries()) {
    const { list } = await person.call('imChatList', { rows: 500 })
    for (const chat of chats) {
      const shown = list.find(({ conversationId }) => conversationId === chat.conversationId)
      const visible = chat.said.filter(({ readers }) => readers.has(who))
      if (shown === undefined) {
        expect(visible).toEqual([])
        continue
      }
      const read = await historyOf(person, chat.conversationId)
      const countOf = ({ isRecalled, reactions }: Said): number =>
        isRecalled ? 0 : [...reactions.values()].filter((witnesses) => witnesses.has(who)).length
      expect(
        read.map(({ number, value, recall, reactions }) => [number, value, recall, reactions[0]?.count ?? 0]),
      ).toEqual(
        visible.map((message) => [
          message.number,
          message.isRecalled || message.withheld.has(who) ? '' : message.value,
          message.isRecalled,
          countOf(message),
        ]),
      )
      const counted = visible.map(({ number, from, isRecalled }) => ({
        ...{ number, from, recall: isRecalled, type: 'text' as const },
      }))
      const mark = chat.marks.get(who) ?? { readNumber: 0, isMarkedUnread: false }
      expect(shown.unread).toBe(Math.min(100, unreadCount(counted, who, mark)))
      expect([shown.mute, shown.top]).toEqual([chat.muted.has(who), chat.pinned.has(who)])
      const last = visible.at(-1)
      if (last === undefined) continue
      const { list: found } = await person.call('imSearch', {
        keyword: last.value,
        conversationId: chat.conversationId,
      })
      const isFound = !last.isRecalled && !last.withheld.has(who)
      expect(found.some(({ message }) => message.number === last.number)).toBe(isFound)
    }
  }
}

test('[R293] [R296] [R399] of random acts everybody sees exactly what a model says, in one order', async () => {
  const people: Person[] = []
  for (const name of ['m0', 'm1', 'm2', 'm3']) people.push(await world.person(name))
  const [zero, one, two] = people as [Person, Person, Person, Person]
  const pair = await zero.call('imOpenChat', { userId: one.userId })
  const group = await zero.call('imCreateGroup', { name: '模型群', userIdArray: [one.userId, two.userId] })
  const chatOf = (conversationId: number, isGroup: boolean, members: readonly number[]): Chat => ({
    ...{ conversationId, isGroup, members: new Set(members), said: [], marks: new Map() },
    ...{ muted: new Set<number>(), pinned: new Set<number>() },
  })
  const chats = [chatOf(pair.conversationId, false, [0, 1]), chatOf(group.conversationId, true, [0, 1, 2])] as const
  const seed = 20_261_128
  for (const [n, next] of fc.sample(act, { numRuns: acts, seed }).entries()) {
    await play(people, chats[next.chat === 0 ? 0 : 1], next, n)
    if (n % compareEvery === compareEvery - 1) await compare(people, chats)
  }
})
