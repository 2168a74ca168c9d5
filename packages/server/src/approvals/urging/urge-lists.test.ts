// Many receivers of one urge, and many urges of one person: what a call costs does not grow with the years.
import { RemindType } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { readingOf } from '../../../bench/plans.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { sendReminders } from '../reminders/index.ts'
import { remindUrges } from './feature.ts'

const many = inject('full') ? 1_000_000 : 100_000
const hourMs = 60 * 60_000

/** Copies somebody's account by the hundred, into a department. */
async function staff(world: World, like: Person, groupId: number, count: number): Promise<void> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_name = 'account' and column_name not in ('id', 'account', 'account_key', 'group_id')
      and is_generated = 'NEVER'`.execute(world.app.db)
  const columns = sql.raw(rows[0]?.names ?? '')
  await sql`
    insert into account (account, account_key, group_id, ${columns})
    select account || '-' || n, account_key || '-' || n, ${groupId}, ${columns} from account, generate_series(1, ${count}) n
    where id = ${like.userId}`.execute(world.app.db)
}

test('a department of 500 is urged and reminded at once, and one of 501 is refused', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const { groupId } = await world.group('大部门')
  await staff(world, anna, groupId, 500)
  const folderId = await anna.folder(anna.library, '通知')
  await anna.call('shareItems', {
    folderIdArray: [folderId],
    subjects: [{ subjectType: 'group', subjectId: groupId }],
    rights: 6,
  })
  const sent = {
    folderId,
    groupIdArray: [groupId],
    message: '请看',
    repeatHours: 1,
    repeatUntil: Date.now() + 48 * hourMs,
  }
  const { notifyId, receiverCount } = await anna.call('addNotify', sent)
  expect(receiverCount).toBe(500)
  const told = async (remindType: number): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(jsonb_array_length(payload->'accountIds')), 0)::int as n from event
      where kind = 'personal' and payload->>'pushType' = '40'
        and (payload->'data'->>'remindType')::int = ${remindType}`.execute(world.app.db)
    return rows[0]?.n ?? 0
  }
  expect(await told(RemindType.created)).toBe(500)
  await remindUrges({ db: world.app.db, pause: () => Promise.resolve() }, Date.now() + 1.5 * hourMs)
  while ((await sendReminders(world.app.db, Date.now())) > 0);
  expect(await told(RemindType.repeated)).toBe(500)
  const { list, total } = await anna.call('getNotifyReceiverList', { notifyId })
  expect([list.length, total]).toEqual([100, 500])
  expect(list.every(({ urged }) => urged === 2)).toBe(true)
  await world.person('one-more', { groupId })
  expect(await anna.refusal('addNotify', sent)).toBe('tooMany')
})

/** Gives somebody urges that they sent and received, of every state. */
async function urged(world: World, person: Person, itemId: number, count: number): Promise<void> {
  await sql`
    with made as (
      insert into urge (sender_id, item_id, f_type, title, notify_type, message, user_ids, group_ids, role_ids,
        server_ids, state, created_at, ended_at, repeat_hours, receiver_count, handled_count)
      select ${person.userId}, ${itemId}, 2, 'u' || n, 1, 'm', '{}', '{}', '{}', '{}',
        case when n % 1000 = 0 then 'open' when n % 1000 = 1 then 'ended' else 'done' end, n, n, 0, 1, 1
      from generate_series(1, ${count}) n returning id, state
    )
    insert into urge_receiver (urge_id, account_id, is_waiting, handled_at)
    select id, ${person.userId}, state = 'open', case state when 'done' then 1 end from made`.execute(world.app.db)
  await sql`analyze urge`.execute(world.app.db)
  await sql`analyze urge_receiver`.execute(world.app.db)
}

test('lists of urges and their counts read as many pages with a hundred times the urges', async () => {
  const world = await openWorld({ elected: false })
  const [few, lots] = [await world.person('few'), await world.person('lots')]
  await urged(world, few, await few.folder(few.library, 'f'), 10_000)
  await urged(world, lots, await lots.folder(lots.library, 'f'), many)
  // Others who urge: to the database somebody with many urges is one of many.
  const { groupId } = await world.group('其他人')
  await staff(world, few, groupId, 500)
  await sql`
    insert into urge (sender_id, f_type, title, notify_type, message, user_ids, group_ids, role_ids, server_ids, state,
      created_at, ended_at, repeat_hours, receiver_count, handled_count)
    select a.id, 2, 'o', 1, 'm', '{}', '{}', '{}', '{}', 'done', n, n, 0, 0, 0
    from account a, generate_series(1, 20) n where a.group_id = ${groupId}`.execute(world.app.db)
  await sql`analyze urge`.execute(world.app.db)
  const client = new pg.Client(world.database)
  await client.connect()
  const figures: string[] = []
  for (const call of ['getNotifyCreationList', 'getNotifyReviewList'] as const) {
    for (const state of ['all', 'open', 'done', 'ended', 'message'] as const) {
      const pages = async (person: Person) =>
        readingOf(client, { name: `${call} ${state}`, run: () => person.call(call, { state }) })
      const [small, big] = [await pages(few), await pages(lots)]
      figures.push(`| ${call} ${state} | ${small.buffers} | ${big.buffers} |`)
      // Of the rare states the one has more to show and to count: up to a page, and up to a thousand.
      const shown = state === 'open' || state === 'ended' ? 100 * 20 : 0
      expect(big.buffers, `${call} ${state}: ${big.outline}`).toBeLessThan(
        small.buffers * 1.3 + shown + (inject('full') ? 4000 : 0),
      )
      const whole = big.nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && ['urge', 'urge_receiver'].includes(node['Relation Name'] ?? ''),
      )
      expect(whole, big.outline).toEqual([])
    }
  }
  if (inject('full')) process.stdout.write(`${figures.join('\n')}\n`)
  await client.end()
}, 600_000)
