// Reminders by the clock over the wire: working days, a changed calendar, many at once.
import { afterWorkdays, RemindType, workCalendar } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { passDeadlines } from '../../workflow/processes/feature.ts'
import { remindUrges } from '../urging/feature.ts'
import { sendReminders } from './index.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** Finds all that is due and sends it. */
async function remind({ app }: World, at: number): Promise<void> {
  while ((await remindUrges(app.services, at)) > 0);
  await passDeadlines(app.services, at)
  while ((await sendReminders(app.db, at)) > 0);
}

interface Told {
  readonly remindType?: number
  readonly change?: string
  readonly count?: number
  readonly moved?: true
  readonly reminder?: true
}

async function told(person: Person, group: 'reminder' | 'workflow' = 'reminder'): Promise<Told[]> {
  await person.world.app.settle()
  const { list } = await person.call('getNoticeList', { group, unread: true, rows: 100 })
  return list.map(({ message }) => JSON.parse(message) as Told)
}

async function folderFor(anna: Person, ...people: Person[]): Promise<number> {
  const folderId = await anna.folder(anna.library, '催')
  await anna.shares(
    { folderId },
    people.map((to) => ({ to, rights: 6 })),
  )
  return folderId
}

const dateOf = (at: number): string => new Date(at + 8 * hour).toISOString().slice(0, 10)
/** Nobody works on this day and the six after it. */
const weekOff = (at: number): string => `${dateOf(at)}..${dateOf(at + 6 * day)} 休 停工`

describe('the calendar of working days', () => {
  test('gives deadlines of urges and nodes, and when it changes they are computed again and people are told once', async () => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const { notifyId } = await anna.call('addNotify', {
      folderId: await folderFor(anna, ben),
      userIdArray: [ben.userId],
      message: '请处理',
      deadlineWorkdays: 2,
    })
    const deadline = { hours: 24, workdays: 2, action: 'remind', to: [] } as const
    const templateId = await publish(admin, '期限', straight([taskNode('one', [named(ben)], { deadline })]))
    const { processId } = await anna.call('createProcess', { templateId, title: '协议' })
    await anna.call('launchProcess', { processId })
    const urgeOf = () => anna.call('getNotifyDetail', { notifyId })
    const dueOf = async () => (await anna.call('getProcess', { processId })).dueTime ?? 0
    const [urge, due] = [await urgeOf(), await dueOf()]
    const plain = workCalendar({ work_week: 0, work_days: [] }, 'Asia/Shanghai')
    expect(urge.deadline).toBe(afterWorkdays(plain, urge.createTime, 2))
    expect(urge.deadlineWorkdays).toBe(2)
    const since = Math.abs(due - (urge.deadline ?? 0))
    expect(since).toBeLessThan(hour)

    const work_days = [weekOff(urge.createTime + day)]
    await admin.call('setServerSetting', { work_days })
    // The old deadline is over, but the calendar has moved it: nothing is late.
    await remind(world, Math.max(due, urge.deadline ?? 0) + 1)
    await remind(world, Math.max(due, urge.deadline ?? 0) + 2)
    const moved = workCalendar({ work_week: 0, work_days }, 'Asia/Shanghai')
    expect((await urgeOf()).deadline).toBe(afterWorkdays(moved, urge.createTime, 2))
    expect((await dueOf()) - due).toBe(afterWorkdays(moved, urge.createTime, 2) - (urge.deadline ?? 0))
    expect((await told(ben)).filter(({ change }) => change === 'moved')).toHaveLength(1)
    expect((await told(anna)).filter(({ change }) => change === 'moved')).toHaveLength(1)
    expect((await told(anna)).filter(({ change }) => change === 'late')).toEqual([])
    expect((await told(ben, 'workflow')).map((one) => [one.moved, one.reminder])).toEqual([[true, undefined]])
    const { course } = await anna.call('getProcess', { processId })
    expect(course.map(({ what }) => what).filter((what) => what === 'due' || what === 'late')).toEqual(['due'])
    expect(urge.timeline.concat((await urgeOf()).timeline).filter(({ what }) => what === 'moved')).toHaveLength(1)

    // At the new deadline both are late, once.
    const end = afterWorkdays(moved, urge.createTime, 2) + hour
    for (const at of [end, end + 1]) await remind(world, at)
    expect((await told(anna)).filter(({ change }) => change === 'late')).toHaveLength(1)
    expect((await told(ben, 'workflow')).map(({ reminder }) => reminder)).toEqual([true])
    // An act on the node is still valid: it was made on the task, not on its deadline.
    const { list } = await ben.call('getProcessList', { list: 'pending' })
    await ben.call('passNode', { processId, taskId: list[0]?.taskId ?? 0, rev: list[0]?.rev ?? 0, comments: '' })
  })

  test('leaves out repeated reminders on days without work, if the sender wishes', async () => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const at = Date.now()
    const work_days = [weekOff(at + day)]
    await admin.call('setServerSetting', { work_days, work_week: 2 })
    const repeated = { repeatHours: 24, repeatUntil: at + 30 * day, workdaysOnly: true }
    const { notifyId } = await anna.call('addNotify', {
      ...{ folderId: await folderFor(anna, ben), userIdArray: [ben.userId], message: '请处理', ...repeated },
    })
    const detail = await anna.call('getNotifyDetail', { notifyId })
    expect(detail).toMatchObject({ workdaysOnly: true, nextReminder: detail.createTime + 8 * day })
    await remind(world, detail.createTime + 7 * day)
    expect((await told(ben)).map(({ remindType }) => remindType)).toEqual([RemindType.created])
    await admin.call('setServerSetting', { work_days: [] })
    await remind(world, detail.createTime + 7 * day + hour)
    expect((await anna.call('getNotifyDetail', { notifyId })).nextReminder).toBe(detail.createTime + 8 * day)
  })

  test('refuses lines that are no days, and a week of three days', async () => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    for (const line of ['2026-02-30 休', '2026-10-01', '2026-01-01..2026-12-31 休'])
      expect(await admin.refusal('setServerSetting', { work_days: [line] }), line).toBe('badRequest')
    expect(await admin.refusal('setServerSetting', { work_week: 3 })).toBe('badRequest')
  })
})

test('more than five reminders for one person are one notice, of urges and processes together; five are single', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const folderId = await folderFor(anna, ben, cara)
  const repeated = { repeatHours: 4, repeatUntil: Date.now() + 5 * day }
  const sent: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const userIdArray = n === 0 ? [ben.userId] : [ben.userId, cara.userId]
    sent.push((await anna.call('addNotify', { folderId, userIdArray, message: '请处理', ...repeated })).notifyId)
  }
  const deadline = { hours: 1, action: 'remind', to: [] } as const
  const templateId = await publish(admin, '期限', straight([taskNode('one', [named(ben)], { deadline })]))
  const { processId } = await anna.call('createProcess', { templateId, title: '协议' })
  await anna.call('launchProcess', { processId })
  await world.app.settle()
  for (const person of [ben, cara]) await person.call('ignoreNotices', { all: true })
  const at = Date.now() + 4 * hour
  // Found to be due, and before it is sent somebody acts: that is not reminded of any more.
  while ((await remindUrges(world.app.services, at)) > 0);
  await passDeadlines(world.app.services, at)
  await ben.call('approveNotify', { notifyId: sent[0] ?? 0 })
  // Three processes of the server send at once.
  await Promise.all([1, 2, 3].map(() => sendReminders(world.app.db, at)))
  while ((await sendReminders(world.app.db, at)) > 0);
  const toBen = await told(ben)
  expect(toBen).toHaveLength(1)
  expect(toBen[0]).toMatchObject({ count: 6, processIdArray: [processId], notifyIdArray: sent.slice(1) })
  expect(await told(ben, 'workflow')).toEqual([])
  expect((await told(cara)).map(({ remindType }) => remindType)).toEqual(Array(5).fill(RemindType.repeated))
})
