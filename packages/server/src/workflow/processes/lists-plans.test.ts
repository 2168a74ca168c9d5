// The lists and counts of workflows read as many pages when somebody has ten times as many archived processes (in full, a
// hundred times), with thousands that run and wait for them.
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { readingOf } from '../../../bench/plans.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { named, publish, straight, taskNode } from '../../../test/workflows.ts'

const many = inject('full') ? 1_000_000 : 100_000
const running = inject('full') ? 10_000 : 2_000

/** Gives somebody archived processes by the thousand: copies of one that has ended. Ten have a rare word. */
async function archive(world: World, person: Person, templateId: number, count: number): Promise<void> {
  const { processId } = await person.call('createProcess', { templateId, title: '样本' })
  await person.call('launchProcess', { processId })
  const { revision } = await person.call('getProcess', { processId })
  await person.call('withdrawProcess', { processId, revision })
  await sql`
    with made as (
      insert into process (template_id, template_version, launcher_id, title, search_text, form, comments, chosen,
        status, state, created_at, launched_at, ended_at, people)
      select template_id, template_version, launcher_id, 'p' || n, 'p' || n
          || case when n % ${count / 10} = 0 then ' 罕见词' else '' end || case when n % 2 = 0 then ' 常用词' else '' end,
        form, comments, chosen, 'passed', state, created_at + n, launched_at + n, ended_at + n, people
      from process, generate_series(1, ${count}) n where id = ${processId} returning id, ended_at
    )
    insert into process_player (process_id, account_id, launched, handled, status, arrived_at, ended_at)
    select id, ${person.userId}, true, id % 2 = 0, 'passed', ended_at, ended_at from made`.execute(world.app.db)
  await sql`analyze process`.execute(world.app.db)
  await sql`analyze process_player`.execute(world.app.db)
  await sql`analyze process_task`.execute(world.app.db)
}

/** Gives somebody running processes by the thousand that they launched and that wait for them: copies of one. */
async function run(world: World, person: Person, templateId: number, count: number): Promise<void> {
  const { processId } = await person.call('createProcess', { templateId, title: '样本' })
  await person.call('launchProcess', { processId })
  await sql`
    with made as (
      insert into process (template_id, template_version, launcher_id, title, search_text, form, comments, chosen,
        status, state, created_at, launched_at, people)
      select template_id, template_version, launcher_id, 'r' || n, 'r' || n, form, comments, chosen, 'running', state,
        created_at + n, launched_at + n, people
      from process, generate_series(1, ${count}) n where id = ${processId} returning id, launched_at
    ), players as (
      insert into process_player (process_id, account_id, launched, handled, status, arrived_at)
      select id, ${person.userId}, true, id % 2 = 0, 'running', launched_at from made
    )
    insert into process_task (process_id, task_id, account_id, rev, node, mode, arrived_at)
    select id, 1, ${person.userId}, 1, 'one', 'decide', launched_at from made`.execute(world.app.db)
}

test('first pages, counts and searches of lists cost the same with many archived processes', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const [few, lots] = [await world.person('few'), await world.person('lots')]
  const templateId = await publish(admin, '样本', straight([taskNode('one', [named(admin)])]))
  for (const person of [few, lots]) await run(world, person, templateId, running)
  // A million rows are inserted without the index of searches, which is made afterwards: that takes a tenth of the time.
  const { rows } = await sql<{ made: string }>`
    select pg_get_indexdef('process_found'::regclass) as made`.execute(world.app.db)
  await sql`drop index process_found`.execute(world.app.db)
  await archive(world, few, templateId, 10_000)
  await archive(world, lots, templateId, many)
  await sql.raw(rows[0]?.made ?? '').execute(world.app.db)
  const client = new pg.Client(world.database)
  await client.connect()
  const figures: string[] = []
  for (const list of ['archived', 'creation', 'pending', 'circulating'] as const) {
    for (const call of ['getProcessList', 'getProcessCount'] as const) {
      const pages = async (person: Person) =>
        readingOf(client, { name: `${call} ${list}`, run: () => person.call(call, { list }) })
      const [small, big] = [await pages(few), await pages(lots)]
      figures.push(`| ${call} ${list} | ${small.buffers} | ${big.buffers} |`)
      expect(big.buffers, `${call} ${list}: ${big.outline}`).toBeLessThan(small.buffers * 1.5 + 60)
      const whole = big.nodes.filter(
        (node) =>
          node['Node Type'] === 'Seq Scan' && ['process', 'process_player'].includes(node['Relation Name'] ?? ''),
      )
      expect(whole, big.outline).toEqual([])
    }
  }
  // By words of one, two and three characters: those that ten processes of each have, that none has, that only running
  // ones have, and that half of them have.
  const words = ['罕', '罕见', '罕见词', '无', '无有', '无此词', 'r', 'r1', 'r11', '常', '常用', '常用词']
  for (const keyword of words) {
    const find = (person: Person) => person.call('getProcessList', { list: 'archived', keyword })
    const pages = async (person: Person) => readingOf(client, { name: `search ${keyword}`, run: () => find(person) })
    const [small, big] = [await pages(few), await pages(lots)]
    figures.push(`| search ${keyword} | ${small.buffers} | ${big.buffers} |`)
    const hits = keyword.startsWith('罕') ? 10 : keyword.startsWith('常') ? 1000 : 0
    expect((await find(lots)).total, keyword).toBe(hits)
    const matches = await sql<{ n: number }>`
      select count(*)::int as n from process where people && array[${lots.userId}]::bigint[]
        and search_text like ${`%${keyword}%`}`.execute(world.app.db)
    // Those that match are looked up one by one, up to 10,000; a list that has more ends with the page.
    const most = small.buffers * 1.5 + 60 + 5 * Math.min(10_000, matches.rows[0]?.n ?? 0)
    expect(big.buffers, `${keyword}: ${big.outline}`).toBeLessThan(most)
  }
  if (inject('full')) process.stdout.write(`${figures.join('\n')}\n`)
  await client.end()
}, 1_500_000)
