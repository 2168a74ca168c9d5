// A server that is killed while it passes, sends back or archives: state, file, notices and course agree afterwards,
// and the work goes on.
import { join } from 'node:path'
import { ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, storeOf, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { edge, named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { sendReminders } from '../../approvals/reminders/index.ts'
import { passDeadlines, processes } from './feature.ts'

const script = join(import.meta.dirname, '../../../test/stopping-server.ts')

const pathOf = { pass: 'passNode', back: 'backNode', last: 'passNode' } as const

/** What is stored about a process, each in its own place. */
async function stored({ app: { db } }: World, processId: number) {
  const { rows } = await sql<{
    status: string
    marks: number
    passed: number
    back: number
    waits: string[]
    readers: string[]
    told: string[]
  }>`
    select p.status, i.status & ${ItemStatusBit.rolledBack | ItemStatusBit.approved | ItemStatusBit.rejected}::int as marks,
      (select count(*)::int from process_entry e where e.process_id = p.id and e.what = 'passed') as passed,
      (select count(*)::int from process_entry e where e.process_id = p.id and e.what = 'back') as back,
      (select coalesce(json_agg(a.account order by a.account), '[]') from process_task w join account a on a.id = w.account_id
        where w.process_id = p.id) as waits,
      (select coalesce(json_agg(distinct a.account), '[]') from entry e join account a on a.id = e.subject_id
        where e.process_id = p.id) as readers,
      (select coalesce(json_agg(distinct a.account), '[]') from notice n join account a on a.id = n.account_id
        where n.notice_group = 'workflow' and n.read_at is null and n.key in (p.id::text, 'launcher ' || p.id)) as told
    from process p join item i on i.id = p.item_id where p.id = ${processId}`.execute(db)
  return rows[0]
}

async function broken({ app }: World): Promise<unknown[]> {
  const found = await Promise.all((processes.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(app.db)))
  return found.flatMap(({ rows }) => rows)
}

async function taskOf(person: Person, processId: number) {
  const { list } = await person.call('getProcessList', { list: 'pending' })
  const row = list.find((one) => one.processId === processId)
  return { processId, taskId: row?.taskId ?? 0, rev: row?.rev ?? 0 }
}

test.each(
  few(2, [
    ['pass', 'commit passNode', false],
    ['pass', 'committed passNode', true],
    ['back', 'commit backNode', false],
    ['back', 'committed backNode', true],
  ] as const),
)('killed while somebody acts (%s at “%s”): nothing or everything has happened', async (act, point, isDone) => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const body = straight([taskNode('one', [named(ben)]), taskNode('two', [named(cara)])])
  const templateId = await publish(admin, '合同', body)
  const fileId = await anna.upload(anna.library, '合同.txt')
  const { processId } = await anna.call('createProcess', { templateId, title: '合同', fileId })
  await anna.call('launchProcess', { processId })
  await world.app.settle()
  const task = await taskOf(ben, processId)
  const before = await stored(world, processId)
  expect(before).toMatchObject({ status: 'running', passed: 0, waits: ['ben'], readers: ['ben'] })

  const server = new ServerProcess([JSON.stringify(world.database), await storeOf(world), point], {}, script)
  const origin = await server.ready()
  const response = fetch(`${origin}/services2/process/${pathOf[act]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...task, comments: '好', ...(act === 'back' && { node: 'start' }) }),
  }).catch(() => undefined)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
  await response

  const after = await openWorld({ peer: world, elected: false })
  await after.app.settle()
  const now = await stored(after, processId)
  const done = {
    pass: { status: 'running', marks: 0, passed: 1, back: 0, waits: ['cara'], told: ['anna', 'cara'] },
    back: { status: 'back', marks: ItemStatusBit.rolledBack, passed: 0, back: 1, waits: ['anna'], told: ['anna'] },
  }
  if (isDone) expect(now).toMatchObject(done[act])
  else expect(now).toEqual(before)
  expect(await broken(after)).toEqual([])
  // The same act again: done if it was not, refused if it was.
  const again = await (await after.signIn('ben', 7)).wire(pathOf[act], {
    ...task,
    ...(act === 'back' && { node: 'start' }),
  })
  expect(again.code).toBe(isDone ? 'alreadyHandled' : 'success')
  await after.app.settle()
  expect(await stored(after, processId)).toMatchObject(done[act])
  expect(await broken(after)).toEqual([])
})

test.each(few(1, ['job workflow.archive taken', 'job workflow.archive ran', 'process archived']))(
  'killed while it archives (at “%s”): the archive is written once, and the process has passed',
  async (point) => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const folderId = await admin.folder(admin.library, '归档')
    await admin.shares({ folderId }, [{ to: anna, rights: 18 }])
    const archive = { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '{title}' } as const
    const templateId = await publish(admin, '合同', straight([taskNode('one', [named(ben)]), archive]))
    const fileId = await anna.upload(anna.library, '合同.txt')
    const { processId } = await anna.call('createProcess', { templateId, title: '合同', fileId })
    await anna.call('launchProcess', { processId })
    await ben.call('passNode', await taskOf(ben, processId))
    expect(await stored(world, processId)).toMatchObject({ status: 'running', passed: 1, waits: [] })

    const server = new ServerProcess([JSON.stringify(world.database), await storeOf(world), point], {}, script)
    await server.ready()
    await server.says(/stopped/)
    server.child.kill('SIGKILL')
    await server.exited
    const names = async (): Promise<string[]> => {
      const { list } = await admin.call('getSubItemList3', { folderId })
      return list.map(({ fName }) => fName).sort()
    }
    expect(await names()).toEqual([])
    expect(await broken(world)).toEqual([])

    // The lease of the killed process is over.
    const after = await openWorld({ peer: world, now: () => Date.now() + 10 * 60_000 })
    await expect.poll(async () => (await stored(after, processId))?.status, { timeout: 120_000 }).toBe('passed')
    expect(await names()).toEqual(['合同-审批记录.pdf', '合同-表单.pdf', '合同.txt'])
    const { course } = await anna.call('getProcess', { processId })
    expect(course.filter(({ what }) => ['archived', 'ended'].includes(what)).map(({ what }) => what)).toEqual([
      'archived',
      'ended',
    ])
    expect(await stored(after, processId)).toMatchObject({ marks: ItemStatusBit.approved, waits: [], readers: [] })
    expect(await broken(after)).toEqual([])
  },
)

test('a deadline that is over is passed once, though a process is killed in it and three go on at once', async () => {
  const threeHours = 3 * 60 * 60_000
  const world = await openWorld({ elected: false, now: () => Date.now() - threeHours })
  const admin = await world.admin()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const deadline = { hours: 1, action: 'remind', to: [] } as const
  const body = straight([taskNode('one', [named(ben)], { deadline })])
  const parallel = {
    ...body,
    nodes: [
      ...body.nodes,
      ...([
        { id: 'fork', name: '', type: 'fork' },
        { id: 'join', name: '', type: 'join' },
      ] as const),
      taskNode('two', [named(cara)]),
    ],
    edges: [
      edge('start', 'fork'),
      edge('fork', 'one'),
      edge('fork', 'two'),
      edge('one', 'join'),
      edge('two', 'join'),
      edge('join', 'end'),
    ] as typeof body.edges,
  }
  const templateId = await publish(admin, '限时', parallel)
  const { processId } = await anna.call('createProcess', { templateId, title: '限时' })
  await anna.call('launchProcess', { processId })

  const server = new ServerProcess(
    [JSON.stringify(world.database), await storeOf(world), 'deadline passed'],
    {},
    script,
  )
  await server.ready()
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited

  const after = await openWorld({ peer: world, elected: false })
  const pass = () => passDeadlines(after.app.services, Date.now())
  // The database lets go of the row once it has noticed the end of the killed process.
  await expect
    .poll(async () => {
      await Promise.all([pass(), pass(), pass()])
      const { course } = await anna.call('getProcess', { processId })
      return course.filter(({ what }) => what === 'late').length
    })
    .toBe(1)
  // A clock that jumps brings no second one.
  const later = Date.now() + 400 * 24 * 60 * 60_000
  await passDeadlines(after.app.services, later)
  await Promise.all([1, 2, 3].map(() => sendReminders(after.app.db, later)))
  await after.app.settle()
  const { rows } = await sql<{ account: string; n: number }>`
    select a.account, count(*)::int as n from event e cross join jsonb_array_elements_text(e.payload->'accountIds') r
      join account a on a.id = r::bigint
    where e.kind = 'personal' and e.payload->>'pushType' = '20' and e.payload->'data'->>'reminder' = 'true'
    group by 1`.execute(after.app.db)
  expect(rows).toEqual([{ account: 'ben', n: 1 }])
  expect(await broken(after)).toEqual([])
})
