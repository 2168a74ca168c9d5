// Presence, announced to the user's department ([R331]); several processes, one of which dies.
import { randomBytes } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Listener, openWorld } from '../../../test/harness.ts'
import { createPresence, endDeadProcesses, graceMs, leaseMs } from './index.ts'

// [R331] Push 45 to the departments of the person who comes online or goes offline; people without a department notify
// nobody.
// [R341] Account type and client of somebody online are theirs.
// [R352] Presence, requested and updated by push 45.
test('[R331] [R341] [R352] colleagues are told who comes and goes, nobody else is; a page that is loaded again has not gone', async () => {
  let time = Date.now()
  const world = await openWorld({ elected: false, now: () => time })
  const [first, second] = [new Set<number>(), new Set<number>()]
  const lookOf = (here: ReadonlySet<number>) =>
    createPresence({ db: world.app.db, now: () => time, present: () => here })
  const [look, lookBeside] = [lookOf(first), lookOf(second)]
  const [sales, other] = [await world.group('市场部'), await world.group('质量部')]
  const [anna, ben] = [
    await world.person('anna', { groupId: sales.groupId }),
    await world.person('ben', { groupId: sales.groupId }),
  ]
  const cara = await world.person('cara', { groupId: other.groupId })
  const dan = await world.person('dan')
  const [live, stranger, top] = [await anna.listen(), await cara.listen(), await dan.listen()]
  const told = (listener: Listener) =>
    listener.frames.flatMap((frame) =>
      isFrame(frame, 'userOnline') ? [`${frame.data.userName} ${frame.data.status}`] : [],
    )
  /** Resolves once all earlier events have been delivered. */
  const settle = async (): Promise<void> => {
    await world.app.settle()
    const name = `mark ${time} ${Math.random()}`
    for (const [person, listener] of [
      [anna, live],
      [cara, stranger],
      [dan, top],
    ] as const) {
      await person.folder(person.library, name)
      await world.app.settle()
      await listener.next((frame) => isFrame(frame, 'folderChange') && frame.data.fName === name)
    }
  }

  // He has an account with an end, and his phone was used last ([R341]).
  await sql`update account set expires_at = ${time + 30 * 86_400_000} where id = ${ben.userId}`.execute(world.app.db)
  await sql`insert into session (token_hash, account_id, client_type, address, created_at, used_at, expires_at)
    values (${randomBytes(32)}, ${ben.userId}, 8, '', ${time}, ${time + 1000}, ${time + 86_400_000})`.execute(
    world.app.db,
  )
  first.add(ben.userId)
  await look()
  await settle()
  expect(told(live)).toEqual(['ben ONLINE'])
  expect((await anna.call('getOnlineUsers', {})).list).toEqual([
    {
      userId: ben.userId,
      serverId: 0,
      userName: 'ben',
      groupName: '市场部',
      gender: 2,
      level: 0,
      accountType: 1,
      client: 8,
      job: '',
      status: 'ONLINE',
    },
  ])
  expect((await cara.call('getOnlineUsers', {})).list).toEqual([])

  // A page reload and a second machine cause no event.
  first.delete(ben.userId)
  await look()
  first.add(ben.userId)
  time += graceMs + 1
  await look()
  second.add(ben.userId)
  await lookBeside()
  first.delete(ben.userId)
  time += graceMs + 1
  await look()
  await settle()
  expect(told(live)).toEqual(['ben ONLINE'])

  // The process that holds the last of them dies.
  time += leaseMs + 1
  await endDeadProcesses(world.app.db, time)
  await settle()
  expect(told(live)).toEqual(['ben ONLINE', 'ben OFFLINE'])
  expect((await anna.call('getOnlineUsers', {})).list).toEqual([])

  // The process was only slow: its users are online again.
  await lookBeside()
  await settle()
  expect(told(live)).toEqual(['ben ONLINE', 'ben OFFLINE', 'ben ONLINE'])
  expect([told(stranger), told(top)]).toEqual([[], []])
})

test('[R331] an open channel is what says that somebody is there', async () => {
  const world = await openWorld()
  const { groupId } = await world.group('市场部')
  const [anna, ben] = [await world.person('anna', { groupId }), await world.person('ben', { groupId })]
  const live = await anna.listen()
  const channel = await ben.listen()
  await live.next((frame) => isFrame(frame, 'userOnline') && frame.data.userId === ben.userId)
  expect(world.app.services.present()).toEqual(new Set([anna.userId, ben.userId]))
  await channel.close()
  await expect.poll(() => world.app.services.present().has(ben.userId)).toBe(false)
})
