// Merged forwards: what their readers see of messages that were recalled, edited or deleted since.
import { randomUUID } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { removeOldMessages } from './files.ts'

const world = sharedWorld()

async function forwarded(own = world) {
  const [anna, ben, cara] = [await own.person('anna'), await own.person('ben'), await own.person('cara')]
  const group = await anna.call('imCreateGroup', { name: '方案', userIdArray: [ben.userId] })
  const from = group.conversationId
  const say = (person: Person, value: string) =>
    person.call('imSend', { conversationId: from, uuid: randomUUID(), type: 'text', value })
  const [kept, edited, recalled] = [
    await say(anna, '保留的话'),
    await say(anna, '标记原话'),
    await say(anna, '标记收回'),
  ]
  const { conversationId } = await ben.call('imOpenChat', { userId: cara.userId })
  const numbers = [kept, edited, recalled].map(({ number }) => number)
  const { list } = await ben.call('imForward', { conversationId, from, numbers, merged: true, uuid: randomUUID() })
  const linesOf = async (person: Person, chat = conversationId) =>
    ((await person.call('imHistory', { conversationId: chat })).list.at(-1)?.data.records ?? []).map(
      ({ value, state }) => [value, state],
    )
  return { anna, ben, cara, from, conversationId, kept, edited, recalled, linesOf, number: list[0]?.number ?? 0 }
}

// [R293] A merged forward shows to people outside the group what was forwarded, as long as it stands there unchanged.
test('[R293] a merged forward shows no words that were recalled or edited since, live and when read, and stores none', async () => {
  const { anna, ben, cara, from, conversationId, edited, recalled, linesOf, number } = await forwarded()
  expect(await linesOf(cara)).toEqual([
    ['保留的话', undefined],
    ['标记原话', undefined],
    ['标记收回', undefined],
  ])
  const live = await cara.listen()
  await anna.call('imEdit', { conversationId: from, number: edited.number, value: '标记新话' })
  await anna.call('imRecall', { conversationId: from, number: recalled.number })
  const after = [
    ['保留的话', undefined],
    ['', 'edited'],
    ['', 'recalled'],
  ]
  const pushed = await live.next(
    (frame) =>
      isFrame(frame, 'messageReceived') &&
      frame.data.number === number &&
      frame.data.data.records?.[2]?.state === 'recalled',
  )
  expect(pushed).toMatchObject({ data: { data: { records: [{ value: '保留的话' }, { value: '' }, { value: '' }] } } })
  for (const person of [ben, cara]) expect(await linesOf(person)).toEqual(after)
  // Nothing new was said to the readers of the forward.
  expect((await cara.call('imGetChat', { conversationId })).unread).toBe(1)
  // Forwarded again, it shows the same.
  const dan = await world.person('dan')
  const to = (await cara.call('imOpenChat', { userId: dan.userId })).conversationId
  const again = { conversationId: to, from: conversationId, numbers: [number], uuid: randomUUID() }
  await cara.call('imForward', again)
  expect(await linesOf(dan, to)).toEqual(after)
  const { rows } = await sql<{ text: string }>`
    select data::text || value || grams::text as text from talk_message where conversation_id in (${conversationId}, ${to})`.execute(
    world.app.db,
  )
  expect(rows.map(({ text }) => text).join()).not.toMatch(/标记|保留/)
})

test('a merged forward ends with the messages that the company deletes when their time is over', async () => {
  const own = await openWorld()
  const { ben, cara, linesOf } = await forwarded(own)
  await removeOldMessages(own.app.db, 'group', Date.now() + 60_000)
  for (const person of [ben, cara])
    expect(await linesOf(person)).toEqual([
      ['', 'gone'],
      ['', 'gone'],
      ['', 'gone'],
    ])
})
