// Rooms with a feature that only this test has: a bulletin per folder, whose members receive as long as they may see it.
import { isFrame, type PushOf } from '@cloudoc/contract'
import { denial, gates, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Listener, openWorld, type Person, type World } from '../../../test/harness.ts'
import { allFeatures } from '../../installation.ts'
import { feature } from '../feature.ts'
import type { Services } from '../services.ts'
import { openRooms, type RoomMember, type Rooms } from './index.ts'

/** The rooms of each process, by its services. */
const roomsOf = new Map<Services, Rooms>()

const bulletins = feature({
  open(services) {
    const { db, meet } = services
    roomsOf.set(
      services,
      openRooms<number, RoomMember>(services, {
        name: 'bulletin',
        topic: 'cloudoc_test_bulletin',
        async roomsOf(sessionIds) {
          const { rows } = await sql<{ id: number }>`
            select distinct folder_id as id from bulletin_member
            where session_id = any(${[...sessionIds]}::bigint[])`.execute(db)
          return rows.map(({ id }) => id)
        },
        async read(ids) {
          const { rows } = await sql<{ id: number; said: number; members: RoomMember[] }>`
            select b.folder_id as id, b.said, (
              select coalesce(jsonb_agg(jsonb_build_object('sessionId', m.session_id, 'userId', m.account_id)
                order by m.session_id), '[]')
              from bulletin_member m where m.folder_id = b.folder_id) as members
            from bulletin b where b.folder_id = any(${[...ids]}::bigint[])`.execute(db)
          return new Map(rows.map(({ id, said, members }) => [id, { state: said, members }]))
        },
        async check(asked) {
          const met = await meet(
            db,
            asked.map(({ actor, roomId }) => ({ actor, item: { fType: 2, fId: roomId } })),
          )
          return asked.map(({ member }, n) => {
            const facts = met[n]?.facts
            return facts !== undefined && denial(gates.see, facts) === undefined ? member : undefined
          })
        },
        // The test reads only `from` and `seq` of this push: what its members were told before, and what they are told.
        message({ roomId, state, previous }) {
          const push: PushOf<'togetherChanged'> = {
            name: 'togetherChanged',
            payload: {
              ...{ serverId: 0, fileId: roomId, generation: 1, from: previous ?? state, seq: state },
              ...{ updates: [], version: 1, savedSeq: 0, members: [] },
            },
          }
          return Promise.resolve(push)
        },
      }),
    )
    return {}
  },
})

let world: World
let other: World
let anna: Person
let ben: Person
let folderId = 0

beforeAll(async () => {
  const features = [...allFeatures, bulletins]
  world = await openWorld({ features, elected: false })
  other = await openWorld({ features, elected: false, peer: world })
  const { db } = world.app
  await sql`create table bulletin (folder_id bigint primary key, said int not null)`.execute(db)
  await sql`create table bulletin_member (folder_id bigint, session_id bigint, account_id bigint)`.execute(db)
})
// The worlds of a file share a database: other checks of it expect its own tables only.
afterAll(() => sql`drop table bulletin, bulletin_member`.execute(world.app.db))

let people = 0
beforeEach(async () => {
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'bulletin')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  await sql`insert into bulletin values (${folderId}, 0)`.execute(world.app.db)
})

/** Lets the newest session of a user join the room. */
async function join({ userId }: Person): Promise<void> {
  await sql`
    insert into bulletin_member
    select ${folderId}, max(id), account_id from session where account_id = ${userId} group by 3`.execute(world.app.db)
}

/** Changes the state of the room in one of the processes. */
async function say(at: World, said: number): Promise<void> {
  await sql`update bulletin set said = ${said} where folder_id = ${folderId}`.execute(at.app.db)
  roomsOf.get(at.app.services)?.changed(folderId)
}

const hears = (live: Listener, said: number) =>
  live.next((frame) => isFrame(frame, 'togetherChanged') && frame.data.seq === said && frame.data.fileId === folderId)

const heard = (live: Listener): [from: number, seq: number][] =>
  live.frames.flatMap((frame) => (isFrame(frame, 'togetherChanged') ? [[frame.data.from, frame.data.seq]] : []))

test('members are told what is new since the last message, once each; others of the folder are told nothing', async () => {
  const [one, two] = [await anna.listen(), await ben.listen()]
  await join(anna)
  await say(world, 1)
  await hears(one, 1)
  await say(world, 4)
  await hears(one, 4)
  roomsOf.get(world.app.services)?.changed(folderId)
  await say(world, 5)
  await hears(one, 5)
  expect(heard(one)).toEqual([
    [1, 1],
    [1, 4],
    [4, 5],
  ])
  expect(heard(two)).toEqual([])
})

test('a member who loses the right is told nothing more, without a call of the feature', async () => {
  const [one, two] = [await anna.listen(), await ben.listen()]
  await join(anna)
  await join(ben)
  await say(world, 1)
  await Promise.all([hears(one, 1), hears(two, 1)])
  await anna.shares({ folderId }, [])
  // The rooms notice it by themselves: who receives has changed, so the others are told again.
  await vi.waitFor(() => expect(heard(one)).toHaveLength(2), 60_000)
  await say(world, 2)
  await hears(one, 2)
  await say(world, 3)
  await hears(one, 3)
  expect(heard(two).map(([, seq]) => seq)).toEqual([1])
})

test('a member at another process is told too, and loses the right there as well', async () => {
  const one = await anna.listen()
  const there = await other.signIn(ben.account, 7)
  const two = await there.listen()
  await join(anna)
  await join(there)
  await say(world, 1)
  await Promise.all([hears(one, 1), hears(two, 1)])
  await say(other, 2)
  await Promise.all([hears(one, 2), hears(two, 2)])
  await anna.shares({ folderId }, [])
  await say(other, 3)
  await hears(one, 3)
  expect(heard(two).map(([, seq]) => seq)).toEqual([1, 2])
})
