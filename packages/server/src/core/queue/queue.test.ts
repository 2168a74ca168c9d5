// The job queue on a real database, with one and with several processes.
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { literal, type PlanNode, planNodes, recordStatements, type Statement } from '../../../test/explain.ts'
import { longTest } from '../../../test/full.ts'
import { cloneDatabase, openWorld } from '../../../test/harness.ts'
import { deaf, openProcess, type Process, written } from '../../../test/jobs.ts'
import { Pauses } from '../../../test/pauses.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { allFeatures } from '../../installation.ts'
import type { DatabaseTarget } from '../db/target.ts'
import { feature } from '../feature.ts'
import { HopelessJob, type Job, type JobContext, job, usualBackoff } from './job.ts'
import type { JobKind } from './kind.ts'
import { cancel, countJobs, enqueue, enqueueAll, removeEndedJobs } from './rows.ts'

const leaseMs = 20_000
let target: Exclude<DatabaseTarget, { url: string }>
const open: Process[] = []

beforeEach(async () => {
  target = await cloneDatabase()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(kinds: readonly Job[], more: Parameters<typeof openProcess>[2] = {}): Promise<Process> {
  const one = await openProcess(target, kinds, more)
  open.push(one)
  return one
}

function ask<I, R>({ db }: Process, kind: JobKind<I, R>, input: I, more = {}): Promise<string> {
  return db.transaction().execute((tx) => enqueue({ tx, now: Date.now() }, kind, input, more))
}

function stop<I, R>({ db }: Process, kind: JobKind<I, R>, key: string): Promise<boolean> {
  return db.transaction().execute((tx) => cancel({ tx, now: Date.now() }, kind, key))
}

/** A kind that records which process ran it. The test ends its runs. */
class Runs {
  readonly begun: { n: number; context: JobContext; end: (by: string) => void; fail: (error: Error) => void }[] = []
  private readonly waiting: (() => void)[] = []

  kind(name: string, more: Partial<Job<{ n: number }, { by: string }>> = {}): Job<{ n: number }, { by: string }> {
    return job({
      ...written,
      name,
      run: (context, { n }) => {
        const { promise, resolve, reject } = Promise.withResolvers<{ by: string }>()
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error))
        this.begun.push({ n, context, end: (by) => resolve({ by }), fail: reject })
        for (const tell of this.waiting.splice(0)) tell()
        return promise
      },
      ...more,
    })
  }

  /** Resolves when this many runs have started. */
  async reach(count: number): Promise<Runs['begun']> {
    while (this.begun.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve))
    return this.begun
  }
}

const timesWritten = async ({ db }: Process, n: number): Promise<number> => {
  const row = await db.selectFrom('stamp').select('value').where('name', '=', `written ${n}`).executeTakeFirst()
  return row?.value ?? 0
}

const rowsOf = ({ db }: Process) =>
  db.selectFrom('job').select(['kind', 'key', 'state', 'attempts', 'error_code', 'due']).orderBy('id').execute()

const by = (name: string): Job<{ n: number }, { by: string }> =>
  job({ ...written, run: () => Promise.resolve({ by: name }) })

test('a job is there exactly if the change is that asked for it, and begins when that has committed', async () => {
  const runs = new Runs()
  const kind = runs.kind('written')
  const one = await start([kind])
  const undone = one.db.transaction().execute(async (tx) => {
    await enqueue({ tx, now: Date.now() }, kind, { n: 1 })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await rowsOf(one)).toEqual([])
  await one.db.transaction().execute(async (tx) => {
    await enqueue({ tx, now: Date.now() }, kind, { n: 2 })
    // Meanwhile another process enqueues and works: it does not see uncommitted jobs.
    const other = await start([kind])
    await ask(other, kind, { n: 3 })
    await runs.reach(1)
    expect(runs.begun.map(({ n }) => n)).toEqual([3])
  })
  await runs.reach(2)
  expect(runs.begun.map(({ n }) => n)).toEqual([3, 2])
  for (const { end } of runs.begun) end('one')
  expect(await one.queue.waitFor(kind, '2')).toMatchObject({ state: 'done', progress: 1000, result: { by: 'one' } })
})

test('however many ask there is one job, whose result all find, also those who ask later', async () => {
  const runs = new Runs()
  const kind = runs.kind('written')
  const [one, two] = [await start([kind]), await start([kind])]
  await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n % 2 === 0 ? one : two, kind, { n: 7 })))
  await runs.reach(1)
  await ask(two, kind, { n: 7 })
  const waiting = [one, two, one].map(({ queue }) => queue.waitFor(kind, '7'))
  runs.begun[0]?.end('one')
  for (const found of await Promise.all(waiting)) expect(found?.result).toEqual({ by: 'one' })
  await ask(one, kind, { n: 7 })
  expect(await one.queue.find(kind, '7')).toMatchObject({ state: 'done', attempts: 1, result: { by: 'one' } })
  expect(await rowsOf(one)).toHaveLength(1)
  expect(runs.begun).toHaveLength(1)
  expect(await timesWritten(one, 7)).toBe(1)
})

test('what keeps no result is done again when it is asked for after its end', async () => {
  let times = 0
  const kind = job({
    name: 'plain',
    input: z.object({ n: z.number() }),
    key: ({ n }) => String(n),
    attempts: 1,
    concurrency: 1,
    timeoutMs: 1000,
    run() {
      times += 1
      return Promise.resolve()
    },
  })
  const one = await start([kind])
  for (const expected of [1, 2]) {
    await ask(one, kind, { n: 1 })
    expect(await one.queue.waitFor(kind, '1')).toMatchObject({ state: 'done', result: undefined })
    expect(times).toBe(expected)
  }
})

test('two processes share what waits, each no more of a kind than it may', async () => {
  const [mine, theirs] = [new Runs(), new Runs()]
  const one = await start([mine.kind('written')])
  await start([theirs.kind('written')])
  await one.db.transaction().execute((tx) =>
    enqueueAll(
      { tx, now: Date.now() },
      written,
      Array.from({ length: 6 }, (_, n) => ({ n })),
    ),
  )
  await Promise.all([mine.reach(2), theirs.reach(2)])
  const began = () => [...mine.begun, ...theirs.begun].map(({ n }) => n).toSorted((a, b) => a - b)
  expect(new Set(began()).size).toBe(4)
  mine.begun[0]?.end('one')
  await mine.reach(3)
  theirs.begun[0]?.end('two')
  await theirs.reach(3)
  expect(began()).toEqual([0, 1, 2, 3, 4, 5])
  expect((await rowsOf(one)).filter(({ state }) => state === 'running')).toHaveLength(4)
})

test('thousands that wait of one kind hold up no other', async () => {
  const [thumbnails, mails] = [new Runs(), new Runs()]
  const [thumbnail, mail] = [thumbnails.kind('thumbnail'), mails.kind('mail')]
  const one = await start([thumbnail, mail])
  await one.db.transaction().execute((tx) =>
    enqueueAll(
      { tx, now: Date.now() },
      thumbnail,
      Array.from({ length: 3000 }, (_, n) => ({ n })),
    ),
  )
  await thumbnails.reach(2)
  await ask(one, mail, { n: 1 })
  await mails.reach(1)
  expect(thumbnails.begun).toHaveLength(2)
  const counts = await countJobs(one.db, Date.now() + 5000)
  const { oldest = 0, ...found } = counts.find(({ kind }) => kind === 'thumbnail') ?? {}
  expect(found).toEqual({ kind: 'thumbnail', waiting: 2998, running: 2, failed: 0 })
  expect(oldest).toBeGreaterThanOrEqual(5000)
})

test.each([
  [false, [1, 2, 3]],
  [true, [1, 3, 2]],
])(
  'what waits is done in its turn, or, newest first: %s, the last of it before the rest',
  async (newestFirst, order) => {
    const runs = new Runs()
    const kind = runs.kind('written', { concurrency: 1, newestFirst })
    const one = await start([kind])
    await ask(one, kind, { n: 1 })
    await runs.reach(1)
    const at = Date.now()
    for (const n of [2, 3]) await one.db.transaction().execute((tx) => enqueue({ tx, now: at - 10 + n }, kind, { n }))
    for (const n of [1, 2, 3]) (await runs.reach(n))[n - 1]?.end('done')
    expect(runs.begun.map(({ n }) => n)).toEqual(order)
  },
)

test('what somebody waits for is done before what nobody does, also where it waits already', async () => {
  const runs = new Runs()
  const kind = runs.kind('written', { concurrency: 1 })
  const one = await start([kind])
  await ask(one, kind, { n: 1 })
  await runs.reach(1)
  for (const n of [2, 3]) await ask(one, kind, { n })
  for (const n of [3, 4]) await ask(one, kind, { n }, { leadMs: 60_000 })
  for (const n of [1, 2, 3, 4]) (await runs.reach(n))[n - 1]?.end('done')
  expect(runs.begun.map(({ n }) => n)).toEqual([1, 3, 4, 2])
})

test('what a killed process had begun is taken by another when its lease is over, and written once', async () => {
  const worker = new ServerProcess(
    [JSON.stringify(target)],
    {},
    join(import.meta.dirname, '../../../test/queue-worker.ts'),
  )
  const asking = await start([])
  await ask(asking, written, { n: 1 })
  await worker.says(/began 1/)
  worker.child.kill('SIGKILL')
  await worker.exited
  // Nobody takes the job before its lease expires.
  let ahead = 0
  const one = await start([by('one')], { now: () => Date.now() + ahead, pollEveryMs: 20 })
  await ask(one, written, { n: 2 })
  await one.queue.waitFor(written, '2')
  expect(await one.queue.find(written, '1')).toMatchObject({ state: 'running', attempts: 1 })
  ahead = leaseMs
  expect(await one.queue.waitFor(written, '1')).toMatchObject({ state: 'done', attempts: 2, result: { by: 'one' } })
  expect(await timesWritten(one, 1)).toBe(1)
})

test('whose lease is over writes nothing any more, and is told', async () => {
  const pauses = new Pauses()
  const held = pauses.hold('job written ran')
  const slow = await start([by('the slow one')], { pause: pauses.at })
  await ask(slow, written, { n: 1 })
  await held.reached
  const runs = new Runs()
  // The only slot is occupied, so the second job is left to the slow process.
  const next = await start([runs.kind('written', { concurrency: 1 })], { now: () => Date.now() + leaseMs + 1000 })
  await runs.reach(1)
  expect(await next.queue.find(written, '1')).toMatchObject({ attempts: 2, error: { code: 'lost' } })
  // The slow run finishes first, and changes neither the job nor its result.
  held.release()
  await ask(slow, written, { n: 2 })
  await slow.queue.waitFor(written, '2')
  expect(await next.queue.find(written, '1')).toMatchObject({ state: 'running', result: undefined })
  expect(await timesWritten(next, 1)).toBe(0)
  runs.begun[0]?.end('the next one')
  expect(await next.queue.waitFor(written, '1')).toMatchObject({ result: { by: 'the next one' } })
  expect(await timesWritten(next, 1)).toBe(1)
})

test('a process that was held up for longer than its lease goes on with one of the two that it has then', async () => {
  const runs = new Runs()
  let ahead = 0
  const one = await start([runs.kind('written')], { now: () => Date.now() + ahead, pollEveryMs: 20 })
  await ask(one, written, { n: 1 })
  await runs.reach(1)
  ahead = leaseMs + 1000
  const [before, after] = await runs.reach(2)
  expect(before?.context.signal.aborted).toBe(true)
  expect(after?.context).toMatchObject({ attempt: 2 })
  expect(await stop(one, written, '1')).toBe(true)
  await expect.poll(() => after?.context.signal.aborted).toBe(true)
})

test('who runs a job keeps it for as long as that takes', async () => {
  const runs = new Runs()
  let ahead = 0
  const now = () => Date.now() + ahead
  const one = await start([runs.kind('written')], { now, pollEveryMs: 20, leaseMs: 60_000 })
  await ask(one, written, { n: 1 })
  await runs.reach(1)
  const due = async () => Number((await rowsOf(one))[0]?.due)
  const first = await due()
  ahead = 30_000
  runs.begun[0]?.context.progress(500)
  await expect.poll(due).toBeGreaterThanOrEqual(first + 30_000)
  expect(await one.queue.find(written, '1')).toMatchObject({ state: 'running', progress: 500, attempts: 1 })
  expect(runs.begun[0]?.context.signal.aborted).toBe(false)
})

test('what is cancelled never starts, and is asked for anew afterwards', async () => {
  const runs = new Runs()
  const kind = runs.kind('written', { concurrency: 1 })
  const one = await start([kind])
  await ask(one, kind, { n: 1 })
  await runs.reach(1)
  await ask(one, kind, { n: 2 })
  const waiting = one.queue.waitFor(kind, '2')
  expect(await stop(one, kind, '2')).toBe(true)
  expect(await waiting).toMatchObject({ state: 'cancelled', attempts: 0 })
  expect(await stop(one, kind, '2')).toBe(false)
  runs.begun[0]?.end('one')
  await one.queue.waitFor(kind, '1')
  expect(runs.begun).toHaveLength(1)
  await ask(one, kind, { n: 2 })
  await runs.reach(2)
  expect(runs.begun[1]).toMatchObject({ n: 2 })
})

test.each([
  ['through a nudge', {}],
  ['by looking, where no nudge arrives', { fanout: deaf, pollEveryMs: 20 }],
])('who runs what is cancelled is told on any process, %s', async (_how, more) => {
  const runs = new Runs()
  const kind = runs.kind('written')
  const one = await start([kind], more)
  await ask(one, kind, { n: 1 })
  const [begun] = await runs.reach(1)
  const { promise: told, resolve } = Promise.withResolvers<unknown>()
  begun?.context.signal.addEventListener('abort', () => resolve(begun.context.signal.reason))
  const other = await start([])
  expect(await stop(other, kind, '1')).toBe(true)
  expect(await told).toMatchObject({ name: 'LeaseLost' })
  expect(await other.queue.waitFor(kind, '1')).toMatchObject({ state: 'cancelled' })
  expect(await timesWritten(one, 1)).toBe(0)
})

test('a cancellation that is undone changes nothing', async () => {
  const runs = new Runs()
  const kind = runs.kind('written')
  const one = await start([kind])
  await ask(one, kind, { n: 1 })
  await runs.reach(1)
  const undone = one.db.transaction().execute(async (tx) => {
    await cancel({ tx, now: Date.now() }, kind, '1')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  runs.begun[0]?.end('one')
  expect(await one.queue.waitFor(kind, '1')).toMatchObject({ state: 'done' })
})

test('what fails is tried again later and later, and then no more; its last failure is known', async () => {
  const runs = new Runs()
  const kind = runs.kind('written')
  let ahead = 0
  const one = await start([kind], { now: () => Date.now() + ahead, pollEveryMs: 20 })
  await ask(one, kind, { n: 1 })
  for (const attempt of [1, 2, 3]) {
    const begun = (await runs.reach(attempt))[attempt - 1]
    expect(begun?.context.attempt).toBe(attempt)
    begun?.fail(Object.assign(new Error(`failure ${attempt}`), { code: 'broken' }))
    const error = { code: 'broken', message: `failure ${attempt}` }
    const state = attempt < 3 ? 'waiting' : 'failed'
    await expect.poll(() => one.queue.find(kind, '1')).toMatchObject({ state, attempts: attempt, error })
    if (attempt === 3) break
    const [{ due } = { due: 0 }] = await rowsOf(one)
    expect(Number(due) - (Date.now() + ahead)).toBeGreaterThan(usualBackoff(attempt) - 900)
    ahead += usualBackoff(attempt)
  }
  expect(await one.queue.waitFor(kind, '1')).toMatchObject({ state: 'failed' })
  await ask(one, kind, { n: 1 })
  expect(await countJobs(one.db, Date.now())).toEqual([
    { kind: 'written', waiting: 0, running: 0, failed: 1, oldest: 0 },
  ])
  await ask(one, kind, { n: 1 }, { retryFailed: true })
  const last = (await runs.reach(4))[3]
  expect(last?.context.attempt).toBe(1)
  last?.end('at last')
  expect(await one.queue.waitFor(kind, '1')).toMatchObject({ state: 'done', error: undefined })
})

test('what is hopeless, and an input that this build does not read, is not tried again', async () => {
  const runs = new Runs()
  const one = await start([runs.kind('written')])
  await ask(one, written, { n: 1 })
  ;(await runs.reach(1))[0]?.fail(new HopelessJob('damaged', 'no picture'))
  const error = { code: 'damaged', message: 'no picture' }
  expect(await one.queue.waitFor(written, '1')).toMatchObject({ state: 'failed', attempts: 1, error })
  const older: JobKind<{ m: string }> = { name: 'written', input: z.object({ m: z.string() }), key: () => '2' }
  await ask(one, older, { m: 'of an older build' })
  expect(await one.queue.waitFor(written, '2')).toMatchObject({ state: 'failed', error: { code: 'input' } })
  expect(runs.begun).toHaveLength(1)
})

test('what ends every process that runs it has failed after its attempts', async () => {
  const runs = new Runs()
  let ahead = 0
  const one = await start([runs.kind('written', { attempts: 2 })], { now: () => Date.now() + ahead, pollEveryMs: 20 })
  await ask(one, written, { n: 1 })
  for (const attempt of [1, 2]) {
    await runs.reach(attempt)
    // As if this process had died: nobody renews the lease.
    await sql`update job set due = 0`.execute(one.db)
  }
  expect(await one.queue.waitFor(written, '1')).toMatchObject({ state: 'failed', attempts: 2, error: { code: 'lost' } })
  expect(runs.begun).toHaveLength(2)
  ahead += leaseMs
})

test('an attempt that takes too long is told and has failed', async () => {
  const runs = new Runs()
  const one = await start([runs.kind('written', { timeoutMs: 50, attempts: 1 })])
  await ask(one, written, { n: 1 })
  expect(await one.queue.waitFor(written, '1')).toMatchObject({ state: 'failed', error: { code: 'timeout' } })
})

test('what runs when a process stops is done by another at once, and no attempt is counted', async () => {
  const [mine, theirs] = [new Runs(), new Runs()]
  const one = await openProcess(target, [mine.kind('written')])
  await ask(one, written, { n: 1 })
  await mine.reach(1)
  const two = await start([theirs.kind('written')])
  await one.close()
  expect(mine.begun[0]?.context.signal.aborted).toBe(true)
  const [begun] = await theirs.reach(1)
  expect(begun?.context.attempt).toBe(1)
  begun?.end('two')
  expect(await two.queue.waitFor(written, '1')).toMatchObject({ state: 'done', attempts: 1, result: { by: 'two' } })
})

test('what waits when everything stops is done after the next start', async () => {
  const asking = await openProcess(target, [])
  await ask(asking, written, { n: 1 })
  await asking.close()
  const one = await start([by('one')])
  expect(await one.queue.waitFor(written, '1')).toMatchObject({ result: { by: 'one' } })
})

test('a process leaves what it does not know, and whoever waits may leave', async () => {
  const one = await start([by('one')])
  const unknown: JobKind<{ n: number }> = { ...written, name: 'of a newer build' }
  await ask(one, unknown, { n: 1 })
  await ask(one, written, { n: 1 })
  await one.queue.waitFor(written, '1')
  expect(await one.queue.find(unknown, '1')).toMatchObject({ state: 'waiting' })
  const leaving = new AbortController()
  const waiting = one.queue.waitFor(unknown, '1', leaving.signal)
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(await one.queue.waitFor(unknown, 'nobody asked for')).toBeUndefined()
})

test('what has ended is kept for its time and then removed; what waits stays', async () => {
  const one = await start([by('one')])
  await ask(one, written, { n: 1 })
  await ask(one, { ...written, name: 'waits' }, { n: 1 })
  await one.queue.waitFor(written, '1')
  const day = 24 * 60 * 60_000
  expect(await removeEndedJobs(one.db, Date.now() + 6 * day)).toBe(0)
  expect(await removeEndedJobs(one.db, Date.now() + 8 * day)).toBe(1)
  expect(await rowsOf(one)).toMatchObject([{ kind: 'waits', state: 'waiting' }])
})

test('an idle process sends one statement at a look that only reads, and none where it knows no work', async () => {
  const kinds = ['a', 'b', 'c'].map((name) => new Runs().kind(name))
  const of = async (known: readonly Job[]) => {
    let looks = 0
    const now = () => {
      looks += 1
      return Date.now()
    }
    const { statements } = await recordStatements(async () => {
      const one = await start(known, { fanout: deaf, pollEveryMs: 5, now })
      await expect.poll(() => (known.length === 0 ? one.db.selectFrom('stamp').execute() : looks > 20)).toBeTruthy()
      await one.close()
    })
    return statements.filter(({ text }) => /\bjob\b|due_kinds/.test(text))
  }
  expect(await of([])).toEqual([])
  const sent = (await of(kinds)).map(({ text }) => /^\s*(with place as|select kind from due_kinds)/.exec(text)?.[1])
  // At its start it takes the due jobs.
  expect(sent.filter((text) => text === 'with place as')).toHaveLength(1)
  const looks = sent.filter((text) => text === 'select kind from due_kinds')
  expect(looks.length).toBeGreaterThan(10)
  expect(looks).toHaveLength(sent.length - 1)
})

longTest(
  'of 100,000 that wait taking and looking read what they take, by the index, however the plan was made',
  async () => {
    const kinds = ['mail', 'thumbnail', 'text'].map((name) => new Runs().kind(name, { concurrency: 4 }))
    const { statements } = await recordStatements(async () => {
      const one = await start(kinds, { fanout: deaf, pollEveryMs: 5 })
      await ask(one, kinds[0] ?? written, { n: 0 })
      await expect.poll(async () => (await rowsOf(one))[0]?.state).toBe('running')
      await one.close()
    })
    const find = (pattern: RegExp) => statements.find(({ text }) => pattern.test(text)) ?? expect.fail(`no ${pattern}`)
    const setting = find(/set_config/)
    const taking = find(/^\s*with place as/)
    const looking = find(/^\s*select kind from due_kinds/)
    const client = new pg.Client(target)
    await client.connect()
    const execute = (name: string, { values }: Statement) => `execute ${name}(${values.map(literal).join(', ')})`
    const explain = async (text: string) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, format json) ${text}`,
      )
      return planNodes(rows[0]?.['QUERY PLAN'][0].Plan ?? expect.fail('no plan'))
    }
    // Prepared and planned while the table is empty, as by an idle server.
    await client.query('truncate job')
    await client.query('vacuum analyze job')
    for (const mode of ['custom', 'generic']) await client.query(`prepare take_${mode} as ${taking.text}`)
    await client.query(`prepare look as ${looking.text}`)
    for (const state of ['empty', 'filled since', 'known to be full']) {
      if (state === 'filled since') {
        await client.query(`
        insert into job (kind, key, input, due, created_at)
        select case when n % 50 = 0 then 'mail' else 'thumbnail' end, n::text, '{}', n, 0 from generate_series(1, 100000) n`)
        await client.query(`
        insert into job (kind, key, input, state, created_at, ended_at, kept_until)
        select 'text', n::text, '{}', 'done', 0, 0, 0 from generate_series(1, 100000) n`)
      }
      if (state === 'known to be full') await client.query('analyze job')
      for (const mode of ['custom', 'generic']) {
        await client.query(`set plan_cache_mode = force_${mode}_plan`)
        await client.query('begin')
        await client.query(setting.text)
        const nodes = await explain(execute(`take_${mode}`, taking))
        await client.query('rollback')
        const reads = nodes.filter((node) => node['Relation Name'] === 'job' && node['Node Type'] !== 'ModifyTable')
        const outline = `${state}, ${mode}: ${JSON.stringify(reads)}`
        expect(new Set(reads.map((node) => node['Index Name'])), outline).toEqual(new Set(['job_due', 'job_pkey']))
        for (const node of reads)
          expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), outline).toBeLessThan(10)
        const [{ 'Shared Hit Blocks': hits = 0, 'Shared Read Blocks': read = 0 } = { 'Shared Hit Blocks': 0 }] =
          await explain(execute('look', looking))
        expect(hits + read, `${state}, ${mode}`).toBeLessThan(state === 'empty' ? 500 : 100)
      }
    }
    await client.end()
  },
)

test('a server takes what its calls ask for, and /metrics shows what waits, runs and has failed', async () => {
  const runs = new Runs()
  const kind = runs.kind('written', { concurrency: 1, attempts: 1 })
  const world = await openWorld({ features: [...allFeatures, feature({ open: () => ({ jobs: [kind] }) })] })
  const { db, queue } = world.app.services
  const process = { db, queue } as unknown as Process
  for (const n of [1, 2, 3]) await ask(process, kind, { n })
  await runs.reach(1)
  runs.begun[0]?.fail(new Error('no'))
  await runs.reach(2)
  const metrics = async () => (await world.app.http.inject('/metrics')).body
  await expect.poll(metrics).toMatch(/^cloudoc_jobs\{kind="written",state="failed"\} 1$/m)
  expect(await metrics()).toMatch(/^cloudoc_jobs\{kind="written",state="waiting"\} 1$/m)
  expect(await metrics()).toMatch(/^cloudoc_jobs\{kind="written",state="running"\} 1$/m)
  expect(await metrics()).toMatch(/^cloudoc_job_oldest_wait_seconds\{kind="written"\} \d/m)
})
