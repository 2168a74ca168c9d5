// Stand-ins in workflows: one decision for each person, and absences that begin or end while a process waits.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type Person } from '../../../test/harness.ts'
import { named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { followAbsences } from './feature.ts'

const hour = 3_600_000

async function setUp() {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const people: Person[] = []
  for (const name of ['anna', 'ben', 'cara', 'dora']) people.push(await world.person(name))
  const [anna, ben, cara, dora] = people as [Person, Person, Person, Person]
  const pendingOf = async (person: Person): Promise<number[]> =>
    (await person.call('getProcessList', { list: 'pending' })).list.map(({ processId }) => processId)
  const countOf = async (person: Person): Promise<number> =>
    (await person.call('getCounters', {})).list.find(({ name }) => name === 'workflowPending')?.count ?? 0
  /** How the person sees it: the list, the counter and unread notices agree. */
  const seenBy = async (person: Person, processId: number) => {
    const { rows } = await sql`select 1 from notice where account_id = ${person.userId} and read_at is null
      and notice_group = 'workflow' and key = ${String(processId)}`.execute(world.app.db)
    return [(await pendingOf(person)).includes(processId), await countOf(person), rows.length]
  }
  const launch = async (templateId: number, fileId?: number): Promise<number> => {
    const { processId } = await anna.call('createProcess', { templateId, title: '合同', fileId })
    await anna.call('launchProcess', { processId })
    return processId
  }
  const taskOf = async (person: Person, processId: number) => {
    const { taskId, rev } = await person.call('getProcess', { processId })
    return { processId, taskId, rev }
  }
  const follow = async (at = Date.now()): Promise<void> => {
    await followAbsences(world.app.services, at)
    await world.app.settle()
  }
  return { world, admin, anna, ben, cara, dora, seenBy, launch, taskOf, follow }
}

test('who handles a node and stands in for another handler decides once, while others can give the rest', async () => {
  const { admin, anna, ben, cara, dora, seenBy, launch, taskOf } = await setUp()
  const two = taskNode('one', [named(ben, cara, dora)], { need: { of: 'count', count: 2 }, refusal: 'counts' })
  const templateId = await publish(admin, '三人中两人', straight([two]))
  const processId = await launch(templateId)
  await cara.call('setReviewStandIn', { userId: ben.userId })
  await ben.call('passNode', await taskOf(ben, processId))
  expect(await seenBy(ben, processId)).toEqual([false, 0, 0])
  const detail = await ben.call('getProcess', { processId })
  expect([detail.isAwaited, detail.may.act]).toEqual([false, false])
  const [task] = detail.tasks
  const again = { processId, taskId: task?.taskId ?? 0, rev: task?.rev ?? 0 }
  expect(await ben.refusal('passNode', again)).toBe('alreadyHandled')
  expect(await ben.refusal('handOnNode', { ...again, userId: admin.userId })).toBe('alreadyHandled')
  // Cara may answer for herself all the same.
  expect((await cara.call('getProcess', { processId })).may.act).toBe(true)
  // Dora refuses: only the one who is away is left, so her stand-in answers for her.
  await dora.call('failNode', await taskOf(dora, processId))
  expect((await seenBy(ben, processId)).slice(0, 2)).toEqual([true, 1])
  await ben.call('passNode', await taskOf(ben, processId))
  const { state, course } = await anna.call('getProcess', { processId })
  expect(state).toBe('passed')
  expect(
    course.filter(({ what }) => what === 'passed').map(({ by, instead }) => [by?.userId, instead?.userId]),
  ).toEqual([
    [ben.userId, undefined],
    [ben.userId, cara.userId],
  ])
}, 60_000)

test('where all decide, a stand-in who is a handler too answers for both', async () => {
  const { admin, anna, ben, cara, launch, taskOf, follow } = await setUp()
  const all = taskNode('one', [named(ben, cara)], { need: { of: 'all', count: 0 } })
  const processId = await launch(await publish(admin, '会签', straight([all])))
  await ben.call('passNode', await taskOf(ben, processId))
  const [open] = (await ben.call('getProcess', { processId })).tasks
  const again = { processId, taskId: open?.taskId ?? 0, rev: open?.rev ?? 0 }
  expect(await ben.refusal('passNode', again)).toBe('alreadyHandled')
  // Cara goes away: the chore looks at what waits for her.
  await cara.call('setReviewStandIn', { userId: ben.userId })
  await follow()
  await ben.call('passNode', await taskOf(ben, processId))
  expect((await anna.call('getProcess', { processId })).state).toBe('passed')
}, 60_000)

test('a stand-in who is set later gets what waits already, until the absence ends', async () => {
  const { world, admin, anna, ben, cara, dora, seenBy, launch, taskOf, follow } = await setUp()
  const fileId = await anna.upload(anna.library, '合同.txt', 'one')
  const processId = await launch(await publish(admin, '一人', straight([taskNode('one', [named(ben)])])), fileId)
  const mayRead = async (person: Person): Promise<boolean> =>
    (await person.wire('getFileInfo', { fileId })).code === 'success'
  await follow()
  expect([await seenBy(cara, processId), await mayRead(cara)]).toEqual([[false, 0, 0], false])
  await ben.call('setReviewStandIn', { userId: cara.userId, until: Date.now() + 48 * hour })
  await follow()
  expect([await seenBy(cara, processId), await mayRead(cara)]).toEqual([[true, 1, 1], true])
  // Told once.
  await follow()
  const pushed = await sql`select 1 from notice where account_id = ${cara.userId}`.execute(world.app.db)
  expect(pushed.rows).toHaveLength(1)
  // Another one instead.
  await ben.call('setReviewStandIn', { userId: dora.userId })
  await follow()
  expect([await seenBy(cara, processId), await mayRead(cara)]).toEqual([[false, 0, 0], false])
  expect([await seenBy(dora, processId), await mayRead(dora)]).toEqual([[true, 1, 1], true])
  // What ends by time ends too.
  await ben.call('setReviewStandIn', { userId: cara.userId, until: Date.now() + hour })
  await follow()
  expect(await mayRead(cara)).toBe(true)
  await follow(Date.now() + 2 * hour)
  expect(await mayRead(cara)).toBe(false)
  // The handler is not concerned.
  expect(await mayRead(ben)).toBe(true)
  await ben.call('passNode', await taskOf(ben, processId))
  expect((await anna.call('getProcess', { processId })).state).toBe('passed')
  const left = await sql`select 1 from process_stand_in`.execute(world.app.db)
  expect(left.rows).toEqual([])
}, 60_000)
