// What opening a conversation, jumping to a date and searching read, among ten times the messages.
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { type Reading, readingOf } from '../../../bench/plans.ts'
import { openWorld } from '../../../test/harness.ts'

const messages = inject('full') ? 1_000_000 : 30_000
const dayMs = 24 * 60 * 60_000
const start = Date.UTC(2026, 0, 1)
/** Messages are a minute apart. */
const apartMs = 60_000

/** A world in which anna and ben have one long conversation, beside as long a one that is not theirs. */
async function talkative(count: number) {
  const world = await openWorld({ elected: false })
  const [anna, ben, cara, dan] = [
    await world.person('anna'),
    await world.person('ben'),
    await world.person('cara'),
    await world.person('dan'),
  ]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const other = await cara.call('imOpenChat', { userId: dan.userId })
  const client = new pg.Client(world.database)
  await client.connect()
  for (const [id, sender] of [
    [conversationId, ben.userId],
    [other.conversationId, cara.userId],
  ])
    await client.query(
      `insert into talk_message (conversation_id, number, changed, uuid, sender_id, type, value, grams, created_at)
       select $1, n, n, gen_random_uuid(), $2, 'text',
         case when n % 1000 = 7 then '氤氲' when n % 3 = 0 then '采购合同' else '好的收到' end,
         case when n % 1000 = 7 then array['氤', '氲', '氤氲']
           when n % 3 = 0 then array['采', '购', '合', '同', '采购', '购合', '合同']
           else array['好', '的', '收', '到', '好的', '的收', '收到'] end, $3::bigint + n::bigint * ${apartMs}
       from generate_series(1, $4::int / 2) n`,
      [id, sender, start, count],
    )
  await client.query(`update talk_conversation set position = $1::int / 2, last_number = $1::int / 2`, [count])
  await client.query('vacuum analyze talk_message')
  return { world, anna, ben, conversationId, client }
}

async function readings(count: number): Promise<Map<string, Reading>> {
  const { anna, ben, conversationId, client } = await talkative(count)
  const middle = start + (count / 4) * apartMs
  const paths = {
    'the list of conversations': () => anna.call('imChatList', { rows: 100 }),
    'opening a conversation': () => anna.call('imHistory', { conversationId }),
    'an older page': () => anna.call('imHistory', { conversationId, before: Math.floor(count / 4) }),
    'around a message': () => anna.call('imHistory', { conversationId, around: Math.floor(count / 4) }),
    'jumping to a date': () => anna.call('imHistory', { conversationId, date: middle }),
    'the days of a month': () =>
      anna.call('imDays', {
        conversationId,
        days: Array.from({ length: 8 }, (_, n) => middle + n * dayMs).join(','),
      }),
    'searching a rare word': () => anna.call('imSearch', { keyword: '氤氲' }),
    'searching a common word': () => anna.call('imSearch', { keyword: '合同' }),
    'searching a common word in one conversation': () => anna.call('imSearch', { keyword: '采购合同', conversationId }),
    'searching the words of one person': () => anna.call('imSearch', { keyword: '采购合同', userId: ben.userId }),
    'searching without a word': () => anna.call('imSearch', { keyword: '', userId: ben.userId, kind: 'text' }),
    'searching a word in no message': () => anna.call('imSearch', { keyword: '不存在的词语' }),
    'the number of unread messages': () => anna.call('imGetChat', { conversationId }),
  }
  const found = new Map<string, Reading>()
  for (const [name, run] of Object.entries(paths)) found.set(name, await readingOf(client, { name, run }))
  await client.end()
  return found
}

/** Pages that a path reads at most, and how much more among ten times the messages. */
const bound = 3000
const growth = 2
/** Small readings vary by some pages. */
const slack = 150

test('opening, jumping to a date and searching read a bounded number of pages, among ten times the messages', async () => {
  const small = await readings(messages / 10)
  const big = await readings(messages)
  const table = [...big].map(([name, { buffers }]) => [name, small.get(name)?.buffers ?? 0, buffers] as const)
  // The figures of the full suite are those of docs/plans.md.
  if (inject('full')) process.stdout.write(`${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`)
  for (const [name, few, many] of table) {
    expect(many, name).toBeLessThanOrEqual(bound)
    // A search reads its hits, of which there are more.
    if (!name.startsWith('searching')) expect(many, name).toBeLessThanOrEqual(few * growth + slack)
  }
})
