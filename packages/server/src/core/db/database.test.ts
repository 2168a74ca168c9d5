/*
 * How the statements of a transaction are sent: those of one moment together, in order, and no possible write before
 * BEGIN is acknowledged.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Fault, failStatements, withoutTime } from '../../../test/faults.ts'
import { openWorld } from '../../../test/harness.ts'
import { openOtherPostgres, urlOf } from '../../../test/stock-postgres.ts'
import { openDatabase } from './database.ts'
import { hurtingSettings } from './fitness.ts'
import type { DatabaseTarget } from './target.ts'

afterEach(() => void vi.restoreAllMocks())

/**
 * Returns, in order, what a transaction sends and what has been answered. Follows the transaction that starts with
 * `first`, because others run in the background.
 */
function follow(first: string): () => readonly string[] | undefined {
  const transactions: string[][] = []
  const current = new Map<pg.Client, string[]>()
  const inherited = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text: string; callback?: (...answer: unknown[]) => void }]
    const text = withoutTime(typeof query === 'string' ? query : query.text)
    if (text === 'begin') {
      const begun: string[] = []
      transactions.push(begun)
      current.set(this, begun)
    }
    const seen = current.get(this)
    if (text === 'commit') current.delete(this)
    seen?.push(text)
    if (seen !== undefined && typeof query !== 'string' && query.callback !== undefined) {
      const { callback } = query
      query.callback = (...answer) => {
        seen.push(`answer of ${text}`)
        callback(...answer)
      }
    }
    return Reflect.apply(inherited, this, args) as never
  })
  return () => transactions.find((seen) => seen[1] === first)
}

test('statements of one moment in a transaction are all sent before one is answered', async () => {
  const { app } = await openWorld({ elected: false })
  const followed = follow('select 1')
  const locking = "select value from stamp where name = 'event' for no key update"
  await app.db.transaction().execute(async (tx) => {
    await Promise.all([sql`select 1`.execute(tx), sql.raw(locking).execute(tx), sql`select 3`.execute(tx)])
    await Promise.all([sql`select 4`.execute(tx), sql`select 5`.execute(tx)])
  })
  const seen = followed() ?? []
  const first = ['select 1', locking, 'select 3']
  expect(seen.slice(0, 7)).toEqual(['begin', ...first, ...first.map((text) => `answer of ${text}`)])
  expect(seen.slice(7)).toEqual(['select 4', 'select 5', 'answer of select 4', 'answer of select 5', 'commit'])
})

test('what reads after a write of the same moment sees it, though the write waits for the beginning', async () => {
  const { app } = await openWorld({ elected: false })
  const value = await app.db.transaction().execute(async (tx) => {
    const [, , { rows }] = await Promise.all([
      sql`select 1`.execute(tx),
      sql`update stamp set value = value + 7 where name = 'event'`.execute(tx),
      sql<{ value: number }>`select value from stamp where name = 'event'`.execute(tx),
    ])
    return rows[0]?.value
  })
  const { rows } = await sql<{ value: number }>`select value from stamp where name = 'event'`.execute(app.db)
  expect(value).toBe(rows[0]?.value)
})

test('where a transaction cannot begin, nothing that it would write is written', async () => {
  const world = await openWorld({ elected: false })
  const { app } = world
  const fault = new Fault()
  failStatements(world, fault, 'refused', 'begin')
  fault.arm(1)
  const writing = app.db
    .transaction()
    .execute((tx) =>
      Promise.all([
        sql`select 1`.execute(tx),
        sql`insert into stamp (name, value) values ('one', 1)`.execute(tx),
        sql`with made as (insert into stamp (name, value) values ('two', 2)) select 1`.execute(tx),
      ]),
    )
  await expect(writing).rejects.toThrow()
  fault.disarm()
  await expect
    .poll(() => sql`select 1 from stamp where name in ('one', 'two')`.execute(app.db).then(({ rows }) => rows, String))
    .toEqual([])
})

test('statements that left behind one that fails are told why, so that whoever hears first knows whether to try again', async () => {
  const { app } = await openWorld({ elected: false })
  const codeOf = (reason: unknown): string => String((reason as { code?: unknown }).code)
  const reasons = await app.db
    .transaction()
    .execute(async (tx) => {
      const all = await Promise.allSettled([
        sql`select 1 / (select 0)`.execute(tx),
        // The first statement fails together with its preparation, so PostgreSQL does not know the second one.
        sql`select 2`.execute(tx),
        sql`select 2`.execute(tx),
        sql`update stamp set value = 0 where name = 'event'`.execute(tx),
      ])
      throw new Error(all.map((one) => (one.status === 'rejected' ? codeOf(one.reason) : 'done')).join())
    })
    .catch((error: Error) => error.message)
  expect(reasons).toBe('22012,22012,22012,22012')
  const own = await Promise.all(
    Array.from({ length: 3 }, () => sql`select 'x'::text::int`.execute(app.db).catch(codeOf)),
  )
  expect(own).toEqual(['22P02', '22P02', '22P02'])
})

test('a process that stood still has not waited for a connection meanwhile', async () => {
  const database = openDatabase(inject('cluster'), 1, { connectWithinMs: 200 })
  const [taken, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = database.db.connection().execute(async () => {
    taken.resolve()
    await given.promise
  })
  await taken.promise
  const second = sql<{ one: number }>`select 1 as one`.execute(database.db)
  const from = performance.now()
  while (performance.now() - from < 1500);
  // The timers that are due fire before the connection is given back.
  await new Promise((resolve) => setTimeout(resolve, 20))
  given.resolve()
  await first
  expect((await second).rows).toEqual([{ one: 1 }])
  await database.close()
})

test('a session of an outside PostgreSQL is as it has to be, whatever its defaults are, and what will hurt is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-outside-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const postgres = await openOtherPostgres(folder, { jit: 'on', shared_buffers: '16MB', max_connections: '20' })
  onTestFinished(() => postgres.stop())
  const seen = async (target: DatabaseTarget) => {
    const database = openDatabase(target, 2)
    try {
      const { rows } = await sql<object>`
        select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
          current_setting('default_transaction_isolation') as isolation`.execute(database.db)
      return { ...rows[0], hurting: await hurtingSettings(database.db) }
    } finally {
      await database.close()
    }
  }
  const client = new pg.Client(postgres.target)
  await client.connect()
  await client.query(`alter database postgres set statement_timeout = '5s'`)
  await client.query(`alter role cloudoc set default_transaction_isolation = 'serializable'`)
  await client.end()
  expect(await seen({ url: urlOf(postgres.target) })).toEqual({
    jit: 'off',
    statement: '0',
    isolation: 'read committed',
    hurting: [
      'shared_buffers of 16 MB are less than 64 MB',
      '17 connections are fewer than the 25 that a server and a backup need',
    ],
  })
  const [first = ''] = (await seen(postgres.target)).hurting
  expect(first).toContain('jit = on')
})
