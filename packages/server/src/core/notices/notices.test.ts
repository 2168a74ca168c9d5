// The notification centre as calls and the channel show it: what is stored, merged, read and no longer shown.
import { feature as contractFeature, isFrame, noticeGroups, type PushPayload, push, pushes } from '@cloudoc/contract'
import { limits, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { up as withCommonFields } from '../../../migrations/0097-common-fields.ts'
import { type Listener, openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { allFeatures } from '../../installation.ts'
import { personalOf } from '../events.ts'
import { feature } from '../feature.ts'
import { removeExpiredNotices } from './index.ts'

/** A notice that exists only in this test. Of its first two states only the first notice is shown. */
const waits = push({
  summary: 'test',
  type: 9001,
  delivery: 'confirmed',
  notice: {
    group: 'reminder',
    key: ({ id, state }) => `${id} ${state}`,
    merge: 'later',
    sentence: () => ({ zh: '等', en: 'waits' }),
    firstOf: ({ state }) => (state <= 2 ? String(state) : undefined),
  },
  payload: z.strictObject({ serverId: z.int(), remindId: z.int(), id: z.int(), state: z.int() }),
})
const wire = contractFeature({ about: { name: 'made', text: 'Made for this test' }, calls: {}, pushes: { waits } })
const made = feature({ wire, open: () => ({ handlers: {} }) })
const personal = personalOf({ waits })
const world = sharedWorld({ features: [...allFeatures, made] })

/** Shares a folder of anna's with ben and returns its id. */
async function shareFolder(anna: Person, ben: Person, name: string, mask = rightsGroup.edit): Promise<number> {
  const folderId = await anna.folder(anna.library, name)
  await anna.shares({ folderId }, [{ to: ben, rights: mask }])
  return folderId
}

/** The payload of a notice. */
const saidBy = ({ message }: { message: string }) => JSON.parse(message) as PushPayload<'shareRemind'>

const unread = async (person: Person) => {
  await world.app.settle()
  return person.call('getNotices', {})
}
const names = (groups: Awaited<ReturnType<typeof unread>>['groups']) =>
  groups.flatMap(({ list }) => list.map((notice) => saidBy(notice).docName))
const sorted = (groups: Awaited<ReturnType<typeof unread>>['groups']) => names(groups).sort((a, b) => (a < b ? -1 : 1))

/** Inserts a notice of any group, as if it had been pushed. */
async function put(
  person: Person,
  group: string,
  n: number,
  more: { key?: string; merge?: 'later' | 'earlier'; docName?: string } = {},
): Promise<void> {
  const { key = `${n}`, merge = 'later', docName = `${group} ${n}` } = more
  const item = { fId: 77, fileId: 77, folderId: 0, parentId: 0, docName }
  const data = { serverId: 0, operatorName: '', targetName: '', shareType: 0, operate: 11, createTime: n, ...item }
  const event = {
    kind: 'personal',
    pushType: pushes.shareRemind.type,
    accountIds: [person.userId],
    data,
    notice: { group, key, merge, itemType: null, itemId: null },
  }
  await world.app.db
    .insertInto('event')
    // With the current time: old events are cleaned up during the tests.
    .values({ kind: 'personal', payload: JSON.stringify(event), created_at: Date.now() + n })
    .execute()
}

describe('what is unread', () => {
  // [R090] Groups with their counts are stored by the server; every notice has serverId and remindId.
  test('[R088] [R090] [R101] [R214] is kept by the server: the group with the newest first, each with its number and its newest', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const live = await ben.listen()
    const folderId = await shareFolder(anna, ben, '合同')
    const told = await live.next((frame) => isFrame(frame, 'shareRemind'))
    const { total, groups } = await unread(ben)
    expect(total).toBe(1)
    const [notice] = groups[0]?.list ?? []
    expect(notice).toMatchObject({ group: 'authorization', read: false, remindId: Number(told.identity) })
    expect(JSON.parse(notice?.message ?? '')).toMatchObject({
      serverId: 0,
      remindId: Number(told.identity),
      operatorName: anna.account,
      targetName: ben.account,
      shareType: 0,
      docName: '合同',
      fileId: 0,
      folderId,
    })
    expect(isFrame(told, 'shareRemind') && told.data).toEqual(JSON.parse(notice?.message ?? ''))
    await put(ben, 'workflow', 1)
    await put(ben, 'workflow', 2)
    await put(ben, 'email', 3)
    await shareFolder(anna, ben, '后来')
    expect((await unread(ben)).groups.map(({ group, total: n }) => [group, n])).toEqual([
      ['authorization', 2],
      ['email', 1],
      ['workflow', 2],
    ])
    expect((await unread(anna)).total).toBe(0)
  })

  // [R093] A new notice is shown first in its group, once.
  test('[R093] [R094] [R095] of one thing stands once: the later or the earlier one, as its notice says', async () => {
    const ben = await world.person('ben')
    for (const n of [1, 2]) await put(ben, 'downloadLimit', n, { key: 'a' })
    for (const n of [1, 2]) await put(ben, 'workflow', n, { key: 'a', merge: 'earlier' })
    await unread(ben)
    await put(ben, 'downloadLimit', 3, { key: 'a' })
    await put(ben, 'workflow', 3, { key: 'a', merge: 'earlier' })
    await put(ben, 'workflow', 4, { key: 'b', merge: 'earlier' })
    const { total, groups } = await unread(ben)
    expect(total).toBe(3)
    expect(sorted(groups)).toEqual(['downloadLimit 3', 'workflow 1', 'workflow 4'])
  })

  // [R101] A group stores 1000 notices; the oldest are removed first.
  // [R390] A group of notices holds 1,000.
  test('[R101] [R390] is at most 1000 in a group, of which the oldest go', async () => {
    const ben = await world.person('ben')
    expect(limits.noticesMost).toBe(1000)
    const events = Array.from({ length: limits.noticesMost + 5 }, (_, n) => n)
    for (const n of events) await put(ben, 'email', n)
    await put(ben, 'audit', 1)
    const { total, groups } = await unread(ben)
    expect(total).toBe(limits.noticesMost + 1)
    expect(groups[0]?.group).toBe('audit')
    expect(groups[1]).toMatchObject({ group: 'email', total: limits.noticesMost })
    expect(groups[1]?.list).toHaveLength(20)
    // All of these exceed the maximum age.
    const at = Date.now()
    await sql`update notice set created_at = ${at} where account_id = ${ben.userId}`.execute(world.app.db)
    while (await removeExpiredNotices(world.app.db, at));
    const { rows } = await sql<{ n: number; oldest: string }>`
      select count(*) as n, min((payload->>'docName')) filter (where key = '5') as oldest
      from notice where account_id = ${ben.userId} and notice_group = 'email'`.execute(world.app.db)
    expect(rows).toEqual([{ n: limits.noticesMost, oldest: 'email 5' }])
  })

  test('[R090] knows thirteen groups', () => {
    // Announcements are our own.
    expect(noticeGroups.filter((group) => group !== 'announcement')).toHaveLength(13)
  })

  test('is not told of what was taken from the person since, here or over the channel', async () => {
    const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
    const folderId = await shareFolder(anna, ben, '机密')
    expect(names((await unread(ben)).groups)).toEqual(['机密'])
    // After moving ben to this department, its entry takes away what he was given.
    const { groupId } = await world.group('外聘')
    await anna.shares({ folderId }, [
      { to: ben, rights: rightsGroup.edit },
      { to: cara, rights: rightsGroup.edit },
    ])
    await world.app.db.updateTable('account').set({ group_id: groupId }).where('id', '=', ben.userId).execute()
    await sql`update stamp set value = value + 1 where name = 'organisation'`.execute(world.app.db)
    await anna.shares({ folderId }, [
      { to: ben, rights: rightsGroup.edit },
      { to: cara, rights: rightsGroup.edit },
      { to: { groupId }, rights: rightsGroup.invisible },
    ])
    const shown = names((await unread(ben)).groups)
    expect(shown).toEqual(['机密'])
    const last = (await unread(ben)).groups[0]?.list[0]?.message
    expect(JSON.parse(last ?? '')).toMatchObject({ shareType: 1 })
    const live = await ben.listen()
    await live.next((frame) => isFrame(frame, 'shareRemind') && frame.data.shareType === 1)
    expect(live.frames.filter((frame) => isFrame(frame, 'shareRemind'))).toHaveLength(1)
    expect((await ben.call('getNoticeList', {})).list).toHaveLength(1)
  })
})

describe('what was read', () => {
  const again = (live: Listener, n: number) =>
    expect.poll(() => live.frames.filter((frame) => isFrame(frame, 'noticesRead')).length, { timeout: 120_000 }).toBe(n)

  // [R089] An entry has icon, title, time and 忽略; a click marks it read on every machine.
  test('[R089] [R097] is so on every machine: one, a group, all, and not what came after', async () => {
    const [ben, cara] = [await world.person('ben'), await world.person('cara')]
    const other = await world.signIn(ben.account, 7)
    const [live, stranger] = [await other.listen(), await cara.listen()]
    for (const n of [1, 2, 3]) await put(ben, 'email', n)
    for (const n of [1, 2]) await put(ben, 'audit', n)
    await put(cara, 'email', 1)
    const { groups } = await unread(ben)
    const newest = Math.max(...groups.flatMap(({ list }) => list.map(({ remindId }) => remindId)))
    const mail = groups.find(({ group }) => group === 'email')?.list ?? []
    expect(await ben.call('ignoreNotices', { remindIds: [mail[0]?.remindId ?? 0] })).toMatchObject({ count: 1 })
    expect(sorted((await unread(other)).groups)).toEqual(['audit 1', 'audit 2', 'email 1', 'email 2'])
    await again(live, 1)
    await ben.call('ignoreNotices', { groups: ['audit'] })
    expect(sorted((await unread(other)).groups)).toEqual(['email 1', 'email 2'])
    await put(ben, 'fileSign', 9)
    await world.app.settle()
    expect(await ben.call('ignoreNotices', { all: true, upTo: newest })).toMatchObject({ count: 2 })
    expect(names((await unread(other)).groups)).toEqual(['fileSign 9'])
    await again(live, 3)
    expect((await unread(cara)).total).toBe(1)
    expect(stranger.frames.filter((frame) => isFrame(frame, 'noticesRead'))).toEqual([])
    // An unchanged state sends no push.
    await ben.call('ignoreNotices', { remindIds: [1] })
    await world.app.settle()
    await again(live, 3)
  })

  test('of which only the first is shown is read with those behind it, and not with what came later', async () => {
    const ben = await world.person('ben')
    for (const [id, state] of [
      [1, 1],
      [2, 3],
      [3, 1],
      [4, 2],
      [5, 1],
    ] as const) {
      const event = personal('waits', [ben.userId], { serverId: 0, id, state })
      await world.app.db
        .insertInto('event')
        .values({ kind: 'personal', payload: JSON.stringify(event), created_at: Date.now() })
        .execute()
    }
    const { groups } = await unread(ben)
    const list = groups[0]?.list ?? []
    expect(list).toHaveLength(5)
    expect(await ben.call('ignoreNotices', { remindIds: [list[2]?.remindId ?? 0] })).toMatchObject({ count: 2 })
    const keys = (await unread(ben)).groups[0]?.list.map(({ key }) => key)
    expect(keys).toEqual(['5 1', '4 2', '2 3'])
  })

  test('comes back when that is undone, unless it is told of again by then', async () => {
    const ben = await world.person('ben')
    for (const key of ['a', 'b']) await put(ben, 'email', 1, { key, docName: key })
    await unread(ben)
    const { ignoredAt } = await ben.call('ignoreNotices', { all: true })
    expect((await unread(ben)).total).toBe(0)
    await put(ben, 'email', 2, { key: 'a', docName: 'a again' })
    await world.app.settle()
    expect(await ben.call('restoreNotices', { ignoredAt })).toEqual({ count: 1 })
    expect(sorted((await unread(ben)).groups)).toEqual(['a again', 'b'])
    expect(await ben.call('restoreNotices', { ignoredAt })).toEqual({ count: 0 })
  })

  test('comes back beside what is told of the same thing at that moment', async () => {
    const ben = await world.person('ben')
    for (const key of ['a', 'b']) await put(ben, 'email', 1, { key, docName: key })
    await unread(ben)
    const { ignoredAt } = await ben.call('ignoreNotices', { all: true })
    // Does what the sequencer does, without committing yet. Uses connections beside the world's few, because its own
    // sequencer may wait too.
    let restored: Promise<{ count: number }> | undefined
    const beside = extraConnections(world)
    await beside.transaction().execute(async (tx) => {
      await sql`select value from stamp where name = 'event' for update`.execute(tx)
      await sql`
        insert into notice (account_id, remind_id, notice_group, key, push_type, payload, created_at)
        select account_id, remind_id + 1000, notice_group, key, push_type, payload, created_at
        from notice where account_id = ${ben.userId} and key = 'a'`.execute(tx)
      restored = ben.call('restoreNotices', { ignoredAt })
      await lockIsWaitedFor(beside, 'select from stamp%')
    })
    expect(await restored).toEqual({ count: 1 })
    expect(sorted((await ben.call('getNotices', {})).groups)).toEqual(['a', 'b'])
  })

  // [R058] /notify/list: the history of notices is paged and filtered by group and words; nobody reads another person's
  // notices.
  test('[R058] stays in the history, which can be searched and is read by pages; nobody reads another’s', async () => {
    const [ben, cara] = [await world.person('ben'), await world.person('cara')]
    for (const n of [1, 2, 3, 4, 5]) await put(ben, 'email', n, { docName: `第${n}封` })
    await put(ben, 'audit', 1, { docName: 'Annual Report' })
    await unread(ben)
    await ben.call('ignoreNotices', { groups: ['email'] })
    const listed = async (more: object) =>
      (await ben.call('getNoticeList', more)).list.map((notice) => `${saidBy(notice).docName} ${notice.read}`)
    expect(await listed({ rows: 2 })).toEqual(['Annual Report false', '第5封 true'])
    const { list, hasMore } = await ben.call('getNoticeList', { rows: 4 })
    expect([list.length, hasMore]).toEqual([4, true])
    expect(await listed({ rows: 4, before: list.at(-1)?.remindId })).toEqual(['第2封 true', '第1封 true'])
    expect(await listed({ keyword: 'rEPORT' })).toEqual(['Annual Report false'])
    expect(await listed({ keyword: '第3' })).toEqual(['第3封 true'])
    expect(await listed({ keyword: '77' })).toEqual([])
    expect(await listed({ unread: true })).toEqual(['Annual Report false'])
    expect(await listed({ group: 'audit' })).toEqual(['Annual Report false'])
    expect((await cara.call('getNoticeList', {})).list).toEqual([])
    const ids = (await ben.call('getNoticeList', {})).list.map(({ remindId }) => remindId)
    expect(await cara.call('ignoreNotices', { remindIds: ids })).toMatchObject({ count: 0 })
  })
})

// [R341] Notices of an older build have the common fields as well.
test('[R341] what an older build told and kept, or had not told yet, bears the common fields of all pushes', async () => {
  const older = await openWorld({ elected: false })
  const [anna, { db }] = [await older.person('anna'), older.app]
  const followed = {
    ...{ serverId: 0, pushType: 6, fId: 5, fType: 1, fName: 'a.txt', parentFolderId: 3, parentFolderName: '里' },
    ...{ operate: 3, operateType: 3, operateTime: 1, operatorId: 9, operatorName: '陈晓' },
  }
  const shared = { serverId: 0, operatorName: '陈晓', targetName: 'anna', shareType: 0, docName: '里', createTime: 1 }
  const byEditing = { fileId: 5, fileName: 'a.txt', userId: 9, userName: '陈晓', applyTime: 1 }
  const wait = (pushType: number, data: object, group?: string) => {
    const notice = { group, key: `${pushType}`, merge: 'later', itemType: null, itemId: null }
    const told = { kind: 'personal', accountIds: [anna.userId], pushType, data, ...(group !== undefined && { notice }) }
    return sql`insert into event (kind, payload, created_at)
      values ('personal', ${JSON.stringify(told)}, ${Date.now()})`.execute(db)
  }
  const waitAll = async (): Promise<void> => {
    await wait(6, followed, 'fileChange')
    await wait(55, { ...shared, fileId: 0, folderId: 3 }, 'authorization')
    await wait(14, byEditing)
  }
  await waitAll()
  await older.app.settle()
  await waitAll()
  await withCommonFields(db as never)
  await withCommonFields(db as never)
  const { groups } = await anna.call('getNotices', {})
  const kept = groups.flatMap(({ list }) => list.map(({ message }) => JSON.parse(message) as object))
  const now = [
    { ...followed, fileId: 5, folderId: 0, parentId: 3 },
    { ...shared, fileId: 0, folderId: 3, fId: 3, parentId: 0, operate: 11 },
    { ...byEditing, serverId: 0 },
  ]
  expect(kept).toEqual(expect.arrayContaining([expect.objectContaining(now[0]), expect.objectContaining(now[1])]))
  await older.app.settle()
  // Each frame is validated against its schema when it is sent.
  const live = await anna.listen()
  const told = () => live.frames.flatMap(({ pushType, data }) => ([6, 14, 55].includes(pushType) ? [data] : []))
  await expect.poll(told).toMatchObject([...now, ...now])
})
