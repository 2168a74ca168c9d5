// Announcements: who sees one, from when until when, and who has read it.
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { announceNext } from './index.ts'

let now = Date.UTC(2026, 10, 2)
const hour = 3_600_000
let world: World
let admin: Person
beforeAll(async () => {
  world = await openWorld({ elected: false, now: () => now })
  admin = await world.admin()
})

const titles = async (person: Person): Promise<string[]> =>
  (await person.call('getAnnouncements', {})).list.map(({ title }) => title)
/** How often an account was told of an announcement. */
async function told({ userId }: Person, announcementId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from event where kind = 'personal' and payload -> 'accountIds' @> ${userId}::text::jsonb
      and (payload -> 'data' ->> 'announcementId')::bigint = ${announcementId}`.execute(world.app.db)
  return rows[0]?.n ?? 0
}

test('one to everybody is shown until it is read, changed until it ends, and is in the audit', async () => {
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const input = { title: '外链规则调整', text: '12 月起必须设密码', kind: 'rule' as const, endTime: now + hour }
  expect(await anna.refusal('saveAnnouncement', input)).toBe('noPermission')
  expect(await admin.refusal('saveAnnouncement', { ...input, endTime: now - 1 })).toBe('badRequest')
  const { announcementId } = await admin.call('saveAnnouncement', { ...input, asksReading: true })
  expect((await anna.call('getAnnouncements', {})).list).toMatchObject([
    { announcementId, title: input.title, text: input.text, kind: 'rule', asksReading: true },
  ])
  expect(await told(anna, announcementId)).toBe(1)
  await anna.call('putAnnouncementAway', { announcementId })
  expect([await titles(anna), await titles(ben)]).toEqual([[], [input.title]])
  const listed = (await admin.call('getAnnouncementList', {})).list[0]
  expect(listed).toMatchObject({ state: 'current', read: 1, groups: [] })
  const { list } = await admin.call('getAnnouncementReaders', { announcementId })
  expect([list.reduce((sum, { people }) => sum + people, 0), list.reduce((sum, { read }) => sum + read, 0)]).toEqual([
    listed?.people,
    1,
  ])
  // Whoever has read it is not reminded.
  expect(await admin.call('remindOfAnnouncement', { announcementId })).toEqual({ people: (listed?.people ?? 0) - 1 })
  expect([await told(anna, announcementId), await told(ben, announcementId)]).toEqual([1, 2])
  await admin.call('saveAnnouncement', { ...input, announcementId, title: '外链规则' })
  expect([await titles(ben), await told(ben, announcementId)]).toEqual([['外链规则'], 2])
  await admin.call('endAnnouncement', { announcementId })
  expect(await titles(ben)).toEqual([])
  const { rows } = await sql<{ call: string }>`
    select call from audit where detail ->> 'name' like '外链规则%' order by id`.execute(world.app.db)
  expect(rows.map(({ call }) => call)).toEqual([
    ...['saveAnnouncement', 'remindOfAnnouncement', 'saveAnnouncement', 'endAnnouncement'],
  ])
})

test('one to a department reaches those below it and nobody else, and begins and ends at its times', async () => {
  const { groupId: top } = await world.group('研发中心')
  const { groupId: below } = await world.group('平台组', top)
  const inside = await world.person('inside', { groupId: below })
  const outside = await world.person('outside')
  const { announcementId } = await admin.call('saveAnnouncement', {
    ...{ title: '网络割接', kind: 'maintenance', groupIds: [top], startTime: now + hour, endTime: now + 2 * hour },
  })
  expect(await titles(inside)).toEqual([])
  expect(await inside.refusal('putAnnouncementAway', { announcementId })).toBe('notFound')
  expect(await announceNext(world.app.db, now)).toBe(false)
  now += hour
  expect(await announceNext(world.app.db, now)).toBe(true)
  expect(await announceNext(world.app.db, now)).toBe(false)
  expect([await titles(inside), await titles(outside)]).toEqual([['网络割接'], []])
  expect([await told(inside, announcementId), await told(outside, announcementId)]).toEqual([1, 0])
  // What is not to them does not exist for them.
  expect(await outside.refusal('putAnnouncementAway', { announcementId })).toBe('notFound')
  expect((await admin.call('getAnnouncementReaders', { announcementId })).list).toEqual([
    { groupName: '平台组', people: 1, read: 0 },
  ])
  now += hour
  expect(await titles(inside)).toEqual([])
  expect((await admin.call('getAnnouncementList', {})).list[0]).toMatchObject({ state: 'ended', read: 0 })
})
