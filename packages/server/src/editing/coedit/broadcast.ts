/*
 * Broadcasts stored changes to the other co-editors: the room of a document (core/push/rooms.ts). Its members are the
 * editors present; a member receives as long as it may download the file. A client that misses a change notices by the
 * numbers, and requests it.
 */
import type { PushOf } from '@cloudoc/contract'
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { openRooms, type RoomKind, type Rooms } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'
import { type DocumentRow, documentRows } from './documents.ts'
import { coeditedFiles, memberOf, type Present, presentIn } from './session.ts'

/** Larger updates are fetched by the clients that need them. */
const mostBytes = 48 * 1024

type DocumentState = Pick<DocumentRow, 'generation' | 'seq' | 'version' | 'savedSeq'>
type Parts = Pick<Services, 'db' | 'log' | 'now' | 'listening' | 'say' | 'fanout' | 'meet' | 'invalidations'>

/** Starts broadcasting in this process. */
export function createBroadcast(parts: Parts): Rooms {
  const { db, now, meet } = parts

  /** The changes after a number, or none if the clients have to request them. */
  const changesAfter = async (fileId: number, known: number, seq: number) => {
    if (known >= seq) return { from: seq, updates: [] }
    const { rows } = await sql<{ change: Buffer }>`
      select change from together_update where item_id = ${fileId} and seq > ${known} and seq <= ${seq}
      order by seq`.execute(db)
    const bytes = rows.reduce((sum, { change }) => sum + change.length, 0)
    // Some changes are already merged into the state, or they are too large.
    if (rows.length < seq - known || bytes > mostBytes) return { from: seq, updates: [] }
    return { from: known, updates: rows.map(({ change }) => change.toString('base64')) }
  }

  const kind: RoomKind<DocumentState, Present> = {
    name: 'co-edited document',
    topic: 'cloudoc_together',
    async roomsOf(sessionIds) {
      const { rows } = await sql<{ id: number }>`
        select distinct item_id as id from together_member
        where session_id = any(${[...sessionIds]}::bigint[])`.execute(db)
      return rows.map(({ id }) => id)
    },
    async read(fileIds) {
      const [rows, present, open] = await Promise.all([
        documentRows(db, fileIds, { lock: false }),
        presentIn(db, fileIds, now()),
        coeditedFiles(db, fileIds, now()),
      ])
      return new Map(
        Array.from(rows, ([fileId, { generation, seq, version, savedSeq }]) => [
          fileId,
          {
            state: { generation, seq, version, savedSeq },
            // Without the shared lock nobody can write.
            basis: open.has(fileId),
            members: present.get(fileId) ?? [],
          },
        ]),
      )
    },
    async check(asked) {
      const met = await meet(
        db,
        asked.map(({ actor, roomId }) => ({ actor, item: { fType: 1, fId: roomId } })),
      )
      return asked.map(({ member, room }, n) => {
        const facts = met[n]?.facts
        if (facts === undefined || denial(gates.download, facts) !== undefined) return undefined
        return { ...member, canWrite: room.basis === true && denial(gates.editHere, facts) === undefined }
      })
    },
    async store(changed) {
      const rows = changed.map(({ roomId, member: { client, canWrite } }) => ({ fileId: roomId, client, canWrite }))
      await sql`
        update together_member m set can_write = c."canWrite"
        from json_to_recordset(${JSON.stringify(rows)}) as c ("fileId" bigint, client bigint, "canWrite" boolean)
        where m.item_id = c."fileId" and m.client = c.client`.execute(db)
    },
    async message({ roomId: fileId, state, previous, members }) {
      const { generation, seq, version, savedSeq } = state
      const known = previous?.generation === generation ? previous.seq : seq
      const { from, updates } = await changesAfter(fileId, known, seq)
      const push: PushOf<'togetherChanged'> = {
        name: 'togetherChanged',
        payload: {
          ...{ serverId: 0, fileId, generation, from, seq, updates, version, savedSeq },
          members: members.map(memberOf),
        },
      }
      return push
    },
  }
  return openRooms(parts, kind)
}
