// Urging over the wire: sending, reading, answering, reminding and ending, and who learns of what.

import { join } from 'node:path'
import { type Answer, type calls, type Input, isFrame, type PushPayload } from '@cloudoc/contract'
import { NotifyType, RemindType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { sendReminders } from '../reminders/index.ts'
import { remindUrges, urging } from './feature.ts'

const world = sharedWorld()
const hour = 60 * 60_000
const day = 24 * hour

type Sent = Omit<Input<typeof calls.addNotify>, 'message'> & { message?: string }

/** A folder of the sender that these people see. */
async function shared(sender: Person, name: string, ...people: Person[]): Promise<number> {
  const folderId = await sender.folder(sender.library, name)
  await sender.shares(
    { folderId },
    people.map((to) => ({ to, rights: 6 })),
  )
  return folderId
}

const urge = (sender: Person, sent: Sent): Promise<Answer<typeof calls.addNotify>> =>
  sender.call('addNotify', { message: '请处理', ...sent })

/** The unread notices about urges, oldest first. */
async function told(person: Person): Promise<PushPayload<'urgeRemind'>[]> {
  await person.world.app.settle()
  const { list } = await person.call('getNoticeList', { group: 'reminder', unread: true, rows: 100 })
  return list.map(({ message }) => JSON.parse(message) as PushPayload<'urgeRemind'>).reverse()
}
const typesTold = async (person: Person): Promise<number[]> => (await told(person)).map(({ remindType }) => remindType)

const waiting = async (person: Person): Promise<number> =>
  (await person.call('getCounters', {})).list.find(({ name }) => name === 'urgeReview')?.count ?? 0

async function broken({ app }: World): Promise<unknown[]> {
  const found = await Promise.all((urging.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(app.db)))
  return found.flatMap(({ rows }) => rows)
}

/** Finds what is due and sends it. Returns how many urges there were. */
async function remind({ app: { db } }: World, at: number, most?: number): Promise<number> {
  const count = await remindUrges({ db, pause: () => Promise.resolve() }, at, most)
  await sendReminders(db, at)
  return count
}

/** How often a person was reminded, by a notice of its own or of many: by urge, from the table of events. */
async function remindersIn({ app }: World): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    with told as (
      select payload->'data' as data, payload->>'pushType' as type, person
      from event, jsonb_array_elements_text(payload->'accountIds') person where kind = 'personal'
    ), times as (
      select (data->>'notifyId')::bigint as id, person from told
      where type = '40' and (data->>'remindType')::int = ${RemindType.repeated}
      union all
      select one::bigint, person from told, jsonb_array_elements_text(data->'notifyIdArray') one where type = '221'
    ), by_person as (select id, person, count(*)::int as n from times group by 1, 2)
    select id, max(n) as n from by_person group by 1`.execute(app.db)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

describe('a repeated reminder', () => {
  // [R272] Repeated reminders (type 2) are sent once each: a process that is killed loses none and doubles none.
  test('[R272] is sent once, though processes are killed in its transaction and three go on at once', async () => {
    const own = await openWorld({ elected: false })
    const [anna, ben, cara] = [await own.person('anna'), await own.person('ben'), await own.person('cara')]
    const folderId = await shared(anna, '催', ben, cara)
    const sent: number[] = []
    for (let n = 0; n < 8; n += 1) {
      const one = {
        folderId,
        userIdArray: [ben.userId, cara.userId],
        repeatHours: 4,
        repeatUntil: Date.now() + 5 * day,
      }
      sent.push((await urge(anna, one)).notifyId)
    }
    const due = Date.now() + 4 * hour
    // Killed in the first transaction, then after two that are committed.
    for (const last of [2, 7]) {
      const worker = new ServerProcess(
        [JSON.stringify(own.database), String(due), String(last), '3'],
        {},
        join(import.meta.dirname, '../../../test/urge-reminders.ts'),
      )
      await worker.says(new RegExp(`reminded ${last}\n`))
      worker.child.kill('SIGKILL')
      await worker.exited
    }
    const restOf = async (): Promise<void> => {
      while ((await remind(own, due, 3)) > 0);
    }
    await expect
      .poll(async () => {
        await Promise.all([restOf(), restOf(), restOf()])
        return (await remindersIn(own)).size
      })
      .toBe(sent.length)
    expect(await remindersIn(own)).toEqual(new Map(sent.map((id) => [id, 1])))
    const { rows } = await sql`select distinct urged from urge_receiver`.execute(own.app.db)
    expect(rows).toEqual([{ urged: 2 }])
    expect(await broken(own)).toEqual([])
  })

  test('comes at its times until its end, goes only to those who are not done, and not again for the time that a server was away', async () => {
    const own = await openWorld({ elected: false })
    const [anna, ben, cara] = [await own.person('anna'), await own.person('ben'), await own.person('cara')]
    const folderId = await shared(anna, '催', ben, cara)
    const at = Date.now()
    const { notifyId } = await urge(anna, {
      ...{ folderId, userIdArray: [ben.userId, cara.userId] },
      ...{ repeatHours: 24, repeatUntil: at + 10 * day },
    })
    const created = (await anna.call('getNotifyDetail', { notifyId })).createTime
    const sentAt = async (now: number): Promise<number> => {
      await remind(own, now)
      return (await remindersIn(own)).get(notifyId) ?? 0
    }
    expect(await sentAt(created + day - 1)).toBe(0)
    expect(await sentAt(created + day)).toBe(1)
    expect(await sentAt(created + day + hour)).toBe(1)
    await ben.call('approveNotify', { notifyId })
    // Five days without a server are one reminder.
    expect(await sentAt(created + 6 * day + hour)).toBe(2)
    expect((await anna.call('getNotifyDetail', { notifyId })).nextReminder).toBe(created + 7 * day)
    const { list } = await anna.call('getNotifyReceiverList', { notifyId })
    expect(list.map(({ accountName, urged }) => [accountName, urged])).toEqual([
      [cara.account, 3],
      [ben.account, 2],
    ])
    expect(await sentAt(created + 10 * day)).toBe(3)
    expect(await sentAt(created + 30 * day)).toBe(3)
    expect((await anna.call('getNotifyDetail', { notifyId })).nextReminder).toBeNull()
    await cara.call('approveNotify', { notifyId })
    expect(await broken(own)).toEqual([])
  })

  test('stops with the act, with the end, and while the item is in the recycle bin; at the deadline the sender is told once', async () => {
    const own = await openWorld({ elected: false })
    const [anna, ben] = [await own.person('anna'), await own.person('ben')]
    const folderId = await shared(anna, '催', ben)
    const repeated = { repeatHours: 1, repeatUntil: Date.now() + 2 * day, userIdArray: [ben.userId] }
    const done = await urge(anna, { folderId, ...repeated })
    const ended = await urge(anna, { folderId, ...repeated })
    const late = await urge(anna, { folderId, userIdArray: [ben.userId], deadline: Date.now() + 2 * hour })
    await ben.call('approveNotify', { notifyId: done.notifyId })
    await anna.call('revokeNotify', { notifyId: ended.notifyId, comments: '不用了' })
    for (const ahead of [3, 4, 50]) await remind(own, Date.now() + ahead * hour)
    expect([...(await remindersIn(own))]).toEqual([[late.notifyId, 1]])
    expect((await told(anna)).filter(({ change }) => change === 'late')).toMatchObject([
      { notifyId: late.notifyId, remindType: RemindType.changed, handledCount: 0, receiverCount: 1 },
    ])
    const binned = await urge(anna, { folderId, ...repeated })
    await anna.call('fileOrFolderDelete', { folderIdArray: [folderId] })
    await remind(own, Date.now() + 2 * hour)
    expect((await remindersIn(own)).get(binned.notifyId)).toBeUndefined()
  })
})

// [R348] Roles and departments with their people are chosen where somebody is urged.
// [R270] An urge has lists, detail and messages; its fields are fileId, folderId, groupIdArray, message, notifyType,
// partnerId, roleIdArray, serverIdArray and userIdArray; 100 on a page.
test('[R270] [R348] an urge reaches people, departments and roles once, those who see the item, and returns what was sent', async () => {
  const admin = await world.admin()
  const { groupId } = await world.group('财务部')
  const anna = await world.person('anna')
  const [ben, cara, dora, eve] = [
    await world.person('ben'),
    await world.person('cara', { groupId }),
    await world.person('dora'),
    await world.person('eve'),
  ]
  const { roleId } = await admin.call('createRole', { roleName: `审核 ${anna.userId}` })
  await admin.call('setRoleMembers', { roleId, userIds: [dora.userId, cara.userId], groupIds: [], titles: [] })
  const folderId = await shared(anna, '报告', ben, cara, dora)
  const fileId = await anna.upload(folderId, '季报.txt')
  const to = { userIdArray: [ben.userId, eve.userId, anna.userId], groupIdArray: [groupId], roleIdArray: [roleId] }
  expect(await anna.call('getNotifyReach', { fileId, ...to })).toEqual({
    receiverCount: 3,
    unseenCount: 1,
    unseen: [{ userId: eve.userId, accountName: eve.account }],
  })
  const deadline = Date.now() + day
  const sent = await urge(anna, { fileId, ...to, notifyType: NotifyType.feedback, partnerId: 7, deadline })
  expect(sent).toMatchObject({ receiverCount: 3, unseenCount: 1 })
  const detail = await anna.call('getNotifyDetail', { notifyId: sent.notifyId })
  expect(detail).toMatchObject({
    ...{ fType: 1, fId: fileId, fName: '季报.txt', message: '请处理', notifyType: 3, partnerId: 7, serverIdArray: [] },
    ...{ receiverCount: 3, handledCount: 0, readCount: 0, deadline, state: 'open', isSender: true, remindsLeft: 2 },
    may: { handle: false, remind: true, end: true },
  })
  expect(detail.subjects.map(({ type, id }) => [type, id])).toEqual([
    ['user', anna.userId],
    ['user', ben.userId],
    ['user', eve.userId],
    ['group', groupId],
    ['role', roleId],
  ])
  for (const person of [ben, cara, dora]) {
    expect(await told(person)).toMatchObject([
      {
        remindType: RemindType.created,
        notifyId: sent.notifyId,
        userName: anna.account,
        fName: '季报.txt',
        fId: fileId,
      },
    ])
    expect(await waiting(person)).toBe(1)
  }
  expect(await told(eve)).toEqual([])
  expect(await eve.refusal('getNotifyDetail', { notifyId: sent.notifyId })).toBe('notFound')
  expect((await eve.call('getNotifyReviewList', {})).total).toBe(0)
  const { list, total, counts } = await anna.call('getNotifyCreationList', { keyword: '季报' })
  expect(list).toMatchObject([{ notifyId: sent.notifyId, receiverCount: 3, handledCount: 0 }])
  expect([total, counts]).toEqual([1, { all: 1, open: 1, done: 0, ended: 0, message: 0 }])
  expect((await anna.call('getNotifyCreationList', { keyword: '别的' })).total).toBe(0)
})

// [R272] Push 40 tells what is new, repeated, written, handled and ended, with remindId, notifyId, remindType, userName,
// fName and createTime.
// [R033] Urges that wait for somebody are counted, and not once they are done.
// [R271] The detail call reads one urge; the lists are urges sent and urges received; the window shows one urge with its
// messages, and the receiver handles it there.
test('[R033] [R271] [R272] is read, answered and handled: the sender sees each, and nobody acts twice', async () => {
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const folderId = await shared(anna, '合同', ben, cara)
  const live = await anna.listen()
  const { notifyId } = await urge(anna, {
    folderId,
    userIdArray: [ben.userId, cara.userId],
    notifyType: NotifyType.feedback,
  })

  // Reading acts on nothing; the receipt is a call of its own.
  await ben.call('getNotifyDetail', { notifyId })
  expect((await anna.call('getNotifyDetail', { notifyId })).readCount).toBe(0)
  await ben.call('readNotify', { notifyId })
  await live.next((frame) => isFrame(frame, 'urgeChanged'))
  expect((await anna.call('getNotifyDetail', { notifyId })).readCount).toBe(1)

  // Feedback needs words.
  expect(await ben.refusal('approveNotify', { notifyId })).toBe('badRequest')
  await ben.call('addNotifyMessage', { notifyId, message: '按含税算吗？' })
  expect(await told(anna)).toMatchObject([
    { remindType: RemindType.message, userName: ben.account, message: '按含税算吗？', notifyId },
  ])
  expect(await typesTold(cara)).toEqual([RemindType.created])
  await anna.call('addNotifyMessage', { notifyId, message: '含税' })
  expect(await typesTold(cara)).toEqual([RemindType.created, RemindType.message])
  const { list: messages, total } = await cara.call('getNotifyMessageList', { notifyId })
  expect(messages.map(({ userName, message }) => [userName, message])).toEqual([
    [anna.account, '含税'],
    [ben.account, '按含税算吗？'],
  ])
  expect(total).toBe(2)
  expect((await ben.call('getNotifyReviewList', { state: 'message' })).list).toMatchObject([{ notifyId, hasNew: true }])
  await ben.call('readNotify', { notifyId })
  expect((await ben.call('getNotifyReviewList', { state: 'message' })).total).toBe(0)

  // Two tabs at once: one act, one refusal.
  const twice = await Promise.all([1, 2].map(() => ben.wire('approveNotify', { notifyId })))
  expect(twice.filter(({ code }) => code === 'success')).toHaveLength(1)
  expect(twice.map(({ code }) => code)).toContain('alreadyHandled')
  expect(await told(anna)).toMatchObject([
    { remindType: RemindType.message },
    { remindType: RemindType.handled, userName: ben.account, handledCount: 1, receiverCount: 2 },
  ])
  expect(await waiting(ben)).toBe(0)
  // What asked for it is read, and stays read.
  expect(await typesTold(ben)).toEqual([])
  expect((await ben.call('getNotifyReviewList', { state: 'done' })).list).toMatchObject([{ notifyId }])
  expect((await anna.call('getNotifyDetail', { notifyId })).state).toBe('open')
  await cara.call('approveNotify', { notifyId, comments: '第 3 条补一句' })
  const detail = await anna.call('getNotifyDetail', { notifyId })
  expect(detail).toMatchObject({ state: 'done', handledCount: 2, may: { remind: false, end: false } })
  expect(detail.timeline.map(({ what }) => what)).toEqual(['created', 'handled', 'handled', 'done'])
  expect(await anna.refusal('remindNotify', { notifyId })).toBe('alreadyHandled')
  expect(await anna.refusal('revokeNotify', { notifyId })).toBe('alreadyHandled')
  expect((await anna.call('getNotifyCreationList', { state: 'done' })).list).toMatchObject([{ notifyId }])
  expect(await broken(world)).toEqual([])
})

// [R098] Of reminders of types 1 and 2 only the first is shown.
test('[R098] [R272] the sender urges again at most three times a day, and ends it: what waited is gone', async () => {
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const folderId = await shared(anna, '合同', ben, cara)
  const { notifyId } = await urge(anna, { folderId, userIdArray: [ben.userId, cara.userId] })
  expect(await typesTold(cara)).toEqual([RemindType.created])
  await cara.call('approveNotify', { notifyId })
  expect(await anna.call('remindNotify', { notifyId })).toEqual({ receiverCount: 1 })
  expect(await typesTold(ben)).toEqual([RemindType.repeated])
  expect(await typesTold(cara)).toEqual([])
  await anna.call('remindNotify', { notifyId })
  expect(await anna.refusal('remindNotify', { notifyId })).toBe('duplicateOperation')
  expect((await anna.call('getNotifyDetail', { notifyId })).remindsLeft).toBe(0)
  expect(await ben.refusal('remindNotify', { notifyId })).toBe('noPermission')
  expect(await ben.refusal('revokeNotify', { notifyId })).toBe('noPermission')
  await anna.call('revokeNotify', { notifyId, comments: '已由法务处理' })
  expect(await told(ben)).toMatchObject([
    { remindType: RemindType.changed, change: 'ended', message: '已由法务处理', userName: anna.account },
  ])
  expect(await waiting(ben)).toBe(0)
  expect(await ben.refusal('approveNotify', { notifyId })).toBe('alreadyHandled')
  expect((await ben.call('getNotifyReviewList', { state: 'ended' })).list).toMatchObject([{ notifyId, state: 'ended' }])
})

test('is handed on to somebody who sees the item, who is urged instead', async () => {
  const [anna, ben, cara, eve] = [
    await world.person('anna'),
    await world.person('ben'),
    await world.person('cara'),
    await world.person('eve'),
  ]
  const folderId = await shared(anna, '合同', ben, cara)
  const { notifyId } = await urge(anna, { folderId, userIdArray: [ben.userId] })
  expect(await ben.refusal('handOnNotify', { notifyId, userId: eve.userId })).toBe('noPermission')
  expect(await ben.refusal('handOnNotify', { notifyId, userId: anna.userId })).toBe('noPermission')
  expect(await ben.refusal('handOnNotify', { notifyId, userId: 987_654 })).toBe('notFound')
  await ben.call('handOnNotify', { notifyId, userId: cara.userId, comments: '你更熟' })
  expect([await waiting(ben), await waiting(cara)]).toEqual([0, 1])
  expect(await ben.refusal('approveNotify', { notifyId })).toBe('alreadyHandled')
  expect((await ben.call('getNotifyReviewList', {})).list).toMatchObject([{ isHandedOn: true }])
  // And back again.
  await cara.call('handOnNotify', { notifyId, userId: ben.userId })
  expect(await ben.call('getNotifyDetail', { notifyId })).toMatchObject({ receiverCount: 1, may: { handle: true } })
  await ben.call('approveNotify', { notifyId })
  expect((await anna.call('getNotifyDetail', { notifyId })).state).toBe('done')
  expect(await broken(world)).toEqual([])
})

test('bad input has a named code and changes nothing', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await shared(anna, '合同', ben)
  const to = { folderId, userIdArray: [ben.userId], message: '请' }
  const refused = (more: object) => anna.refusal('addNotify', { ...to, ...more })
  const now = Date.now()
  expect(await refused({ message: '' })).toBe('badRequest')
  expect(await refused({ message: ' \n ' })).toBe('badRequest')
  expect(await refused({ message: '长'.repeat(1001) })).toBe('badRequest')
  expect(await refused({ userIdArray: [] })).toBe('badRequest')
  expect(await refused({ userIdArray: [anna.userId] })).toBe('badRequest')
  expect(await refused({ userIdArray: [ben.userId, 987_654_321] })).toBe('notFound')
  expect(await refused({ groupIdArray: [987_654_321] })).toBe('notFound')
  expect(await refused({ roleIdArray: [987_654_321] })).toBe('notFound')
  expect(await refused({ serverIdArray: [987_654_321] })).toBe('notFound')
  expect(await refused({ notifyType: 4 })).toBe('badRequest')
  expect(await refused({ fileId: 1 })).toBe('badRequest')
  expect(await refused({ folderId: 987_654_321 })).toBe('notFound')
  expect(await refused({ deadline: now - 1 })).toBe('badRequest')
  expect(await refused({ deadline: now + 400 * day })).toBe('badRequest')
  expect(await refused({ repeatHours: 4 })).toBe('badRequest')
  expect(await refused({ repeatUntil: now + day })).toBe('badRequest')
  expect(await refused({ repeatHours: 4, repeatUntil: now + hour })).toBe('badRequest')
  expect(await refused({ repeatHours: 721, repeatUntil: now + 100 * day })).toBe('badRequest')
  expect((await anna.call('getNotifyCreationList', {})).total).toBe(0)
  expect(await told(ben)).toEqual([])

  const { notifyId } = await urge(anna, to)
  expect(await ben.refusal('addNotifyMessage', { notifyId, message: ' ' })).toBe('badRequest')
  expect(await ben.refusal('approveNotify', { notifyId, comments: '😀'.repeat(501) })).toBe('badRequest')
  await ben.call('addNotifyMessage', { notifyId, message: '😀'.repeat(500) })
  expect(await ben.refusal('approveNotify', { notifyId: notifyId + 1_000_000 })).toBe('notFound')
  expect(await anna.refusal('approveNotify', { notifyId })).toBe('noPermission')
  expect(await waiting(ben)).toBe(1)
})

test('who loses sight of the item keeps the urge without it, and hears no more of it', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await shared(anna, '合同', ben)
  const { notifyId } = await urge(anna, { folderId, userIdArray: [ben.userId] })
  expect(await typesTold(ben)).toEqual([RemindType.created])
  await anna.shares({ folderId }, [])
  expect(await typesTold(ben)).toEqual([])
  expect(await ben.call('getNotifyDetail', { notifyId })).toMatchObject({ fId: 0, pathString: '', fName: '合同' })
  await ben.call('approveNotify', { notifyId })
})

// [R156] Urging is offered where the setting is on, and not to guests.
test('[R156] the setting switches urging off for items; what was sent can still be handled', async () => {
  const own = await openWorld({ elected: false })
  const [admin, anna, ben] = [await own.admin(), await own.person('anna'), await own.person('ben')]
  const folderId = await shared(anna, '合同', ben)
  const { notifyId } = await urge(anna, { folderId, userIdArray: [ben.userId] })
  await admin.call('setServerSetting', { temp_file_folder_notify: false })
  expect(await anna.refusal('addNotify', { folderId, userIdArray: [ben.userId], message: '请' })).toBe('noPermission')
  await ben.call('approveNotify', { notifyId })
})

test('of a leaver pass to the successor: what they have to do if the successor sees the item, and what they sent', async () => {
  const own = await openWorld({ elected: false })
  const admin = await own.admin()
  const people = ['anna', 'ben', 'cara', 'dora'].map((name) => own.person(name))
  const [anna, ben, cara, dora] = (await Promise.all(people)) as [Person, Person, Person, Person]
  const both = await shared(anna, '都看到', ben, cara)
  const only = await shared(anna, '只有他', ben)
  const one = await urge(anna, { folderId: both, userIdArray: [ben.userId] })
  const two = await urge(anna, { folderId: both, userIdArray: [ben.userId, cara.userId] })
  const three = await urge(anna, { folderId: only, userIdArray: [ben.userId] })
  const bens = await shared(ben, '他的', dora)
  const sent = await urge(ben, { folderId: bens, userIdArray: [dora.userId] })
  const names = { userId: ben.userId, successorId: cara.userId }
  const { seen } = await admin.call('getHandover', names)
  expect(await admin.call('handOver', { ...names, seen })).toMatchObject({ done: true })
  const stateOf = async ({ notifyId }: { notifyId: number }) => (await anna.call('getNotifyDetail', { notifyId })).state
  expect(await stateOf(one)).toBe('open')
  expect(await stateOf(two)).toBe('open')
  expect(await stateOf(three)).toBe('done')
  expect(await waiting(cara)).toBe(2)
  expect(await cara.call('getNotifyDetail', { notifyId: sent.notifyId })).toMatchObject({ isSender: true })
  expect(await broken(own)).toEqual([])
})
