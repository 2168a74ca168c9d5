// Who is notified once that space is running out, and that their usage has changed.
import { isFrame } from '@cloudoc/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Listener, openWorld, type World } from '../../../test/harness.ts'
import { measureServer } from './index.ts'

type Low = 'serverSpaceLow' | 'personalSpaceLow' | 'logSpaceLow'
const told = (live: Listener, name: Low) => live.frames.flatMap((frame) => (isFrame(frame, name) ? [frame.data] : []))

/** Waits until everything written has been summed, checked and pushed. */
async function settle(world: World): Promise<void> {
  const { db } = world.app
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ done: boolean }>`
          select not exists (select 1 from tally where bytes <> 0) and not exists (select 1 from event where position is null)
            and (select value from stamp where name = 'event')
              = (select (value->>'position')::bigint from walk where name = 'events space') as done`.execute(db)
        return rows[0]?.done
      },
      { timeout: 120_000 },
    )
    .toBe(true)
  await world.app.settle()
}

// [R287] A person's usage is pushed as it changes; a person is notified from a percentage on, administrators when the
// space for the log or its archives runs out.
// [R332] Push 48 whenever a person's usage has changed.
// [R336] Push 62 to the person whose space runs out, once until there is enough again.
test('[R287] [R332] [R336] a person is told when nine tenths of their space are used, once until there is enough again; and what they use, as it changes', async () => {
  const world = await openWorld()
  const admin = await world.admin()
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  await admin.call('setServerSetting', { user_space: 100 })
  const [live, other] = [await anna.listen(), await ben.listen()]
  await anna.upload(anna.library, 'a.bin', 'x'.repeat(89))
  await settle(world)
  await live.next((frame) => isFrame(frame, 'spaceRefresh') && frame.data.used === 89 && frame.data.total === 100)
  expect(told(live, 'personalSpaceLow')).toEqual([])
  const fileId = await anna.upload(anna.library, 'b.bin', 'x')
  await live.next((frame) => isFrame(frame, 'personalSpaceLow'))
  await anna.upload(anna.library, 'c.bin', 'x')
  await settle(world)
  expect(told(live, 'personalSpaceLow')).toMatchObject([{ percent: 90, used: 90, total: 100, serverId: 0 }])
  const groups = await anna.call('getNotices', { rows: 10 })
  expect(JSON.stringify(groups)).toContain('personal space')

  // After usage has fallen and risen again, a new notification is sent. Only the newest waits for a user who does not
  // confirm.
  const { rows } = await sql<{
    id: number
  }>`select id from item where library_id = ${anna.library} and name in ('a.bin', 'c.bin')`.execute(world.app.db)
  await anna.call('fileOrFolderCompleteDelete', { fileIdArray: rows.map(({ id }) => id) })
  await live.next((frame) => isFrame(frame, 'spaceRefresh') && frame.data.used === 1)
  await settle(world)
  await anna.upload(anna.library, 'd.bin', 'x'.repeat(94))
  await expect.poll(() => told(live, 'personalSpaceLow').length).toBe(2)
  expect(told(live, 'personalSpaceLow')[1]).toMatchObject({ percent: 95 })
  const waiting = await world.app.db.selectFrom('personal_push').select('payload').where('push_type', '=', 62).execute()
  expect(waiting).toHaveLength(1)
  expect(fileId).toBeGreaterThan(0)
  expect(other.frames.filter((frame) => isFrame(frame, 'personalSpaceLow', 'spaceRefresh'))).toEqual([])

  // Setting a limit below the current usage notifies at once.
  await ben.upload(ben.library, 'a.bin', 'x'.repeat(50))
  await admin.call('modifyAccount', { userId: ben.userId, quota: 55 })
  await other.next((frame) => isFrame(frame, 'personalSpaceLow'))
  await admin.call('changePeople', { userIds: [ben.userId], quota: 500 })
  await other.next((frame) => isFrame(frame, 'spaceRefresh') && frame.data.total === 500)
})

// [R286] Administrators are notified once when the server or its disk is nearly full, from a percentage set in the
// settings.
// [R330] Push 43 from the totals and the disk, to administrators only, only the newest stored.
// [R340] Push 69 to administrators when the room for the log runs out.
test('[R286] [R330] [R340] administrators are told when the server, its disk or the room for the log is nearly full, nobody else is', async () => {
  const world = await openWorld({ elected: false })
  const { db, settings } = world.app.services
  const admin = await world.admin()
  const anna = await world.person('anna')
  await anna.upload(anna.library, 'a.bin', 'x'.repeat(95))
  const [live, hers] = [await admin.listen(), await anna.listen()]
  let free = 500
  let marks = 0
  const measure = () =>
    measureServer({ db, settings, blobs: { disk: () => Promise.resolve({ free, size: 1000 }) } }, Date.now())
  /** Waits until a later event has been pushed as well. Returns all pushes up to then. */
  const after = async (name: Low) => {
    await measure()
    const mark = `标记 ${(marks += 1)}`
    await admin.call('folderCreate', { parentId: admin.library, folderName: mark })
    await world.app.settle()
    await live.next((frame) => isFrame(frame, 'folderChange') && frame.data.fName === mark)
    return told(live, name)
  }
  expect(await after('serverSpaceLow')).toEqual([])
  await admin.call('setServerSetting', { server_space: 100 })
  const first = { totalSpaceSize: 100, freeSpaceSize: 5, limitSpaceSize: 10 }
  expect(await after('serverSpaceLow')).toMatchObject([first])
  free = 100
  const second = { totalSpaceSize: 1000, freeSpaceSize: 100, limitSpaceSize: 100 }
  expect(await after('serverSpaceLow')).toMatchObject([first, second])
  expect(await after('serverSpaceLow')).toHaveLength(2)
  expect(await after('logSpaceLow')).toEqual([])
  await admin.call('setServerSetting', { log_space: 1000 })
  const log = { restSpaceSize: 0, isArchive: false }
  expect(await after('logSpaceLow')).toMatchObject([log])
  await sql`insert into audit_archive select 1, 1, 1, 0, 0, min(id), 95, 1, 0 from blob`.execute(db)
  await admin.call('setServerSetting', { log_archive_space: 100 })
  expect(await after('logSpaceLow')).toMatchObject([log, { restSpaceSize: 5, isArchive: true }])
  expect(hers.frames.filter((frame) => isFrame(frame, 'serverSpaceLow', 'logSpaceLow'))).toEqual([])
})
