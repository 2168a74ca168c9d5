// Background work: sums stay correct while they are folded, and only what has expired is removed.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/harness.ts'
import { foldTallies } from '../drive/tree/index.ts'
import { removeExpiredEvents } from './push/feature.ts'

test('sums are folded in part by two processes at once, and each appended row counts once', async () => {
  const world = await openWorld({ elected: false })
  const { db } = world.app
  const anna = await world.person('anna')
  await foldTallies(db)
  await sql`insert into tally (library_id, account_id, folder_id, bytes, children)
    select ${anna.library}, ${anna.userId}, case when n % 2 = 0 then ${anna.library}::bigint end, n, 1
    from generate_series(1, 25000) n`.execute(db)
  const total = async (): Promise<unknown> => {
    const { rows } = await sql`select
      (select coalesce(sum(bytes), 0) from usage_total where account_id = ${anna.userId})
        + (select coalesce(sum(bytes), 0) from tally where account_id = ${anna.userId}) as bytes,
      (select coalesce(sum(children), 0) from child_total where folder_id = ${anna.library})
        + (select coalesce(sum(children), 0) from tally where folder_id = ${anna.library}) as children`.execute(db)
    return rows[0]
  }
  const before = await total()
  for (let folded = 1; folded > 0; ) {
    const both = await Promise.all([foldTallies(db), foldTallies(db)])
    folded = both[0] + both[1]
    expect(await total()).toEqual(before)
  }
  expect(await db.selectFrom('tally').select('id').execute()).toEqual([])
})

test('sums are folded and names indexed while people write on and on', async () => {
  const world = await openWorld()
  const { db } = world.app
  const anna = await world.person('anna')
  let done = false
  let made = 0
  const write = async (): Promise<void> => {
    while (!done) {
      made += 1
      await anna.call('folderCreate', { parentId: anna.library, folderName: `f${made}` })
    }
  }
  const writers = [write(), write(), write(), write()]
  const waiting = async () => {
    const { rows } = await sql<{ sums: number; names: number }>`
      select (select count(*) from tally where folder_id = ${anna.library}) as sums,
        (select count(*) from search_queue) as names`.execute(db)
    return rows[0] ?? { sums: 0, names: 0 }
  }
  // Fewer rows are waiting than a moment ago, although more were written.
  const shrinks = async (what: 'sums' | 'names'): Promise<void> => {
    for (let most = 0; ; ) {
      const now = (await waiting())[what]
      if (now < most) return
      most = now
      const before = made
      await expect.poll(() => made, { timeout: 120_000 }).toBeGreaterThan(before + 5)
    }
  }
  try {
    await shrinks('sums')
    await shrinks('names')
  } finally {
    done = true
    await Promise.all(writers)
  }
})

test('events end after seven days, however many, and those that have no position yet stay', async () => {
  const world = await openWorld({ elected: false })
  const { db } = world.app
  await world.app.settle()
  const { newest } = await db
    .selectFrom('event')
    .select((eb) => eb.fn.max('position').as('newest'))
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const old = now - 7 * 24 * 60 * 60_000 - 1
  await db.deleteFrom('event').execute()
  await sql`insert into event (position, kind, payload, created_at)
    select ${newest ?? 0} + n, 'personal', '{}', case when n <= 12000 then ${old}::bigint else ${now}::bigint end
    from generate_series(1, 12010) n`.execute(db)
  await sql`insert into event (position, kind, payload, created_at) values (null, 'personal', '{}', ${old})`.execute(db)
  while (await removeExpiredEvents(db, now));
  const left = await db.selectFrom('event').select('position').execute()
  expect(left.length).toBe(11)
  expect(left.filter((event) => event.position === null).length).toBe(1)
})
