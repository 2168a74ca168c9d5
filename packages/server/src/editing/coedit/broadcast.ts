/*
 * Broadcasts stored changes to the other co-editors. Each process serves the sessions connected to it. It is woken by
 * its own changes and by nudges of other processes. It then reads the new changes of the affected documents, checks
 * which members may still read them, and sends. When data that permissions depend on changes, it rechecks all members
 * at once: it learns of this with every event, with other requests of this process, and four times a second. A client
 * that misses a change notices by the numbers, and requests it.
 */
import type { CoeditMember, PushOf } from '@cloudoc/contract'
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { eventsTopic } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'
import { type DocumentRow, documentRows } from './documents.ts'
import { coeditedFiles, memberOf, type Present, presentIn } from './session.ts'

const topic = 'cloudoc_together'
const watchEveryMs = 250
const doubtEveryMs = 50
/** Larger updates are fetched by the clients that need them. */
const mostBytes = 48 * 1024

/** What the sessions of this process have already received of a document. */
interface SentState {
  readonly generation: number
  readonly seq: number
  readonly rest: string
}

type Parts = Pick<Services, 'db' | 'log' | 'now' | 'listening' | 'say' | 'fanout' | 'meet' | 'invalidations'>

export interface Broadcast {
  /** A document or its members have changed. */
  changed(fileId: number): void
}

/** Starts broadcasting in this process. */
export function createBroadcast(parts: Parts): Broadcast {
  const { db, log, now, listening, say, fanout, meet, invalidations } = parts
  const told = new Map<number, SentState>()
  /**
   * The state of a document when its members were last checked: a nudge tells neither which document changed nor what.
   */
  const seen = new Map<number, string>()
  const dirty = new Set<number>()
  /** Documents to recheck even if unchanged, as a permission may have changed. */
  const unsure = new Set<number>()
  let wantsAll = false
  let looking: Promise<void> | undefined
  let doubting: NodeJS.Timeout | undefined
  let doubtedAt = 0

  /** Files with listening sessions in this process. */
  const filesHere = async (sessions: readonly number[]): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`
      select distinct item_id as id from together_member where session_id = any(${[...sessions]}::bigint[])`.execute(db)
    return rows.map(({ id }) => id)
  }

  /** The current rights of each member in this process; those who may no longer read are omitted. */
  const mayOf = async (members: readonly Present[], open: ReadonlySet<number>) => {
    const actors = listening()
    const here = members.flatMap((member) => {
      const actor = actors.get(member.sessionId)
      return actor?.accountId === member.userId ? [{ member, actor }] : []
    })
    const met = await meet(
      db,
      here.map(({ member, actor }) => ({ actor, item: { fType: 1, fId: member.fileId } })),
    )
    return here.flatMap(({ member }, n) => {
      const facts = met[n]?.facts
      if (facts === undefined || denial(gates.download, facts) !== undefined) return []
      return [{ member, canWrite: open.has(member.fileId) && denial(gates.editHere, facts) === undefined }]
    })
  }

  const tell = async (row: DocumentRow, present: readonly Present[], sessions: ReadonlySet<number>): Promise<void> => {
    const { itemId: fileId, generation, seq, version, savedSeq } = row
    const before = told.get(fileId)
    const members: CoeditMember[] = present.map(memberOf)
    const rest = JSON.stringify([members, version, savedSeq, [...sessions]])
    if (before?.generation === generation && before.seq >= seq && before.rest === rest) return
    const known = before?.generation === generation ? before.seq : seq
    const { from, updates } = await changesAfter(fileId, known, seq)
    told.set(fileId, { generation, seq, rest })
    const push: PushOf<'togetherChanged'> = {
      name: 'togetherChanged',
      payload: { serverId: 0, fileId, generation, from, seq, updates, version, savedSeq, members },
    }
    await say(sessions, push)
  }

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

  const forget = (fileId: number): void => {
    told.delete(fileId)
    seen.delete(fileId)
    unsure.delete(fileId)
  }

  const look = async (): Promise<void> => {
    while (wantsAll || dirty.size > 0) {
      const sessions = [...listening().keys()]
      const all = wantsAll
      const own = [...dirty]
      wantsAll = false
      dirty.clear()
      const fileIds = sessions.length === 0 ? [] : all ? await filesHere(sessions) : own
      if (all) for (const id of [...seen.keys()]) if (!fileIds.includes(id)) forget(id)
      if (fileIds.length === 0) continue
      const [rows, present, open] = await Promise.all([
        documentRows(db, fileIds, { lock: false }),
        presentIn(db, fileIds, now()),
        coeditedFiles(db, fileIds, now()),
      ])
      const hear = new Set(sessions)
      const due = [...rows].flatMap(([fileId, row]) => {
        const { generation, seq, version, savedSeq } = row
        const people = (present.get(fileId) ?? []).map((one) => [one, hear.has(one.sessionId)])
        const read = JSON.stringify([generation, seq, version, savedSeq, people, open.has(fileId)])
        return unsure.delete(fileId) || seen.get(fileId) !== read ? [{ fileId, row, read }] : []
      })
      try {
        const may = await mayOf(
          due.flatMap(({ fileId }) => present.get(fileId) ?? []),
          open,
        )
        await note(may)
        for (const { fileId, row, read } of due) {
          const here = may.filter(({ member }) => member.fileId === fileId)
          const changedTo = new Map(here.map(({ member, canWrite }) => [member.client, canWrite]))
          const members = (present.get(fileId) ?? []).map((member) => ({
            ...member,
            canWrite: changedTo.get(member.client) ?? member.canWrite,
          }))
          if (here.length === 0) forget(fileId)
          else {
            await tell(row, members, new Set(here.map(({ member }) => member.sessionId)))
            seen.set(fileId, read)
          }
        }
      } catch (error) {
        for (const { fileId } of due) unsure.add(fileId)
        throw error
      }
    }
  }

  /** Records whose write permission has changed, and notifies the others. */
  const note = async (may: readonly { readonly member: Present; readonly canWrite: boolean }[]): Promise<void> => {
    const changed = may.filter(({ member, canWrite }) => member.canWrite !== canWrite)
    if (changed.length === 0) return
    const rows = changed.map(({ member: { fileId, client }, canWrite }) => ({ fileId, client, canWrite }))
    await sql`
      update together_member m set can_write = c."canWrite"
      from json_to_recordset(${JSON.stringify(rows)}) as c ("fileId" bigint, client bigint, "canWrite" boolean)
      where m.item_id = c."fileId" and m.client = c.client`.execute(db)
    await fanout.publish(topic)
  }

  const wake = (): void => {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'what is edited together could not be told'))
      .finally(() => {
        looking = undefined
        if (wantsAll || dirty.size > 0) wake()
      })
  }

  fanout.subscribe(topic, () => {
    wantsAll = true
    wake()
  })

  /**
   * Data that permissions depend on has changed: rechecks all documents, but not too often while many changes arrive.
   */
  const doubt = (): void => {
    if (told.size === 0) return
    doubting ??= setTimeout(
      () => {
        doubting = undefined
        doubtedAt = performance.now()
        for (const fileId of told.keys()) {
          dirty.add(fileId)
          unsure.add(fileId)
        }
        wake()
      },
      Math.max(0, doubtedAt + doubtEveryMs - performance.now()),
    )
    doubting.unref()
  }
  // The list of a folder's children does not affect permissions.
  invalidations.follow({ forget: (kind) => kind !== 'children' && doubt(), forgetAll: doubt })
  const watch = (): void => {
    if (told.size > 0) void invalidations.catchUp().catch(() => undefined)
  }
  fanout.subscribe(eventsTopic, watch)
  setInterval(watch, watchEveryMs).unref()

  return {
    changed(fileId) {
      dirty.add(fileId)
      wake()
      void fanout.publish(topic)
    },
  }
}
