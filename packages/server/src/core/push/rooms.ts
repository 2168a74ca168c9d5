/*
 * Rooms: the push channel for what is true only now, per object: who edits a document, who types in a conversation. A
 * room is an object of a kind, with members. A member is a session of an account. Nothing said in a room is an event:
 * it is sent once to the sessions that are connected and may receive it. A client that misses a message notices by the
 * position in the next one, or requests the state again.
 *
 * The feature keeps members and positions in its own tables. Each process serves the sessions connected to it. It is
 * woken by its own changes and by nudges of other processes, which name no room. It then reads the state of the rooms,
 * checks which members may still receive, and sends. When data that permissions depend on changes, it checks the
 * members of all its rooms again: it learns of this with every event, with other requests of this process, and four
 * times a second.
 */
import type { AccountActor } from '../actor.ts'
import type { Services } from '../services.ts'
import type { PushMessage } from './frames.ts'
import { eventsTopic } from './hub.ts'

const catchUpEveryMs = 250
const recheckEveryMs = 50

/** A member of a room, as the feature has stored it. Its data is plain: it is compared as JSON. */
export interface RoomMember {
  readonly sessionId: number
  readonly userId: number
}

/** What the feature has stored of a room. */
export interface RoomSnapshot<S, M extends RoomMember> {
  /** What the room's messages report: positions, versions. Plain data, compared as JSON. */
  readonly state: S
  /** What else the rights of members depend on. The members are checked again when it changes. */
  readonly basis?: string | number | boolean
  /** All members, of every process, in a stable order. */
  readonly members: readonly M[]
}

/** A member that is connected to this process, for the check of its rights. */
export interface ConnectedMember<S, M extends RoomMember> {
  readonly roomId: number
  readonly room: RoomSnapshot<S, M>
  readonly member: M
  readonly actor: AccountActor
}

/** The room as its members are about to be told of it. */
export interface RoomUpdate<S, M extends RoomMember> {
  readonly roomId: number
  readonly state: S
  /** The state that the members of this process were last told of. Undefined before the first message. */
  readonly previous: S | undefined
  readonly members: readonly M[]
}

/** A kind of room. Each method handles any number of rooms in a few statements. */
export interface RoomKind<S, M extends RoomMember> {
  /** For the log. */
  readonly name: string
  /** The topic of its nudges between processes. */
  readonly topic: string
  /** The rooms that have members among these sessions. */
  roomsOf(sessionIds: readonly number[]): Promise<readonly number[]>
  /** The present state of rooms. A room that does not exist is left out. */
  read(roomIds: readonly number[]): Promise<ReadonlyMap<number, RoomSnapshot<S, M>>>
  /**
   * Each member with its present rights. Undefined for a member that may not receive any more: it is sent nothing from
   * then on.
   */
  check(asked: readonly ConnectedMember<S, M>[]): Promise<readonly (M | undefined)[]>
  /** Stores members whose check has changed their data. The other processes are nudged afterwards. */
  store?(changed: readonly { readonly roomId: number; readonly member: M }[]): Promise<void>
  /** The message that reports what is new since the previous state. */
  message(update: RoomUpdate<S, M>): Promise<PushMessage>
}

/** The rooms of one kind, in this process. */
export interface Rooms {
  /** Reports to the members that the state of a room, or its members, have changed. Called after the commit. */
  changed(roomId: number): void
}

type RoomParts = Pick<Services, 'log' | 'listening' | 'say' | 'fanout' | 'invalidations'>

/** Opens the rooms of a kind in this process. */
export function openRooms<S, M extends RoomMember>(parts: RoomParts, kind: RoomKind<S, M>): Rooms {
  const { log, listening, say, fanout, invalidations } = parts
  const { topic } = kind
  /** What the sessions of this process were last told, by room. */
  const sent = new Map<number, { readonly state: S; readonly key: string }>()
  /** What was read when the members were last checked, by room: a nudge tells neither which room changed nor what. */
  const checked = new Map<number, string>()
  const dirty = new Set<number>()
  /** Rooms to check even if unchanged, as a right may have changed. */
  const unsure = new Set<number>()
  let isAllDirty = false
  let running: Promise<void> | undefined
  let recheckTimer: NodeJS.Timeout | undefined
  let recheckedAt = 0

  const forget = (roomId: number): void => {
    sent.delete(roomId)
    checked.delete(roomId)
    unsure.delete(roomId)
  }

  /** Checks the members that are connected to this process, and stores those whose check has changed their data. */
  const checkMembers = async (
    due: readonly { readonly roomId: number; readonly room: RoomSnapshot<S, M> }[],
  ): Promise<ReadonlyMap<M, M>> => {
    const actors = listening()
    const asked = due.flatMap(({ roomId, room }) =>
      room.members.flatMap((member) => {
        const actor = actors.get(member.sessionId)
        return actor?.accountId === member.userId ? [{ roomId, room, member, actor }] : []
      }),
    )
    const answers = await kind.check(asked)
    const passed = asked.flatMap(({ roomId, member: before }, n) => {
      const member = answers[n]
      return member === undefined ? [] : [{ roomId, before, member }]
    })
    const changed = passed.filter(({ before, member }) => JSON.stringify(before) !== JSON.stringify(member))
    if (kind.store !== undefined && changed.length > 0) {
      await kind.store(changed)
      await fanout.publish(topic)
    }
    return new Map(passed.map(({ before, member }) => [before, member]))
  }

  /** Sends a message to the members who may receive it, unless nothing has changed since the previous one. */
  const report = async (roomId: number, room: RoomSnapshot<S, M>, allowed: ReadonlyMap<M, M>): Promise<void> => {
    const sessions = new Set(room.members.filter((one) => allowed.has(one)).map(({ sessionId }) => sessionId))
    if (sessions.size === 0) return forget(roomId)
    const { state } = room
    const members = room.members.map((one) => allowed.get(one) ?? one)
    const key = JSON.stringify([state, members, [...sessions]])
    const before = sent.get(roomId)
    if (before?.key === key) return
    const message = await kind.message({ roomId, state, previous: before?.state, members })
    sent.set(roomId, { state, key })
    await say(sessions, message)
  }

  const run = async (): Promise<void> => {
    while (isAllDirty || dirty.size > 0) {
      const connected = new Set(listening().keys())
      const all = isAllDirty
      const own = [...dirty]
      isAllDirty = false
      dirty.clear()
      const roomIds = connected.size === 0 ? [] : all ? await kind.roomsOf([...connected]) : own
      if (all) for (const id of [...checked.keys()]) if (!roomIds.includes(id)) forget(id)
      if (roomIds.length === 0) continue
      const due = [...(await kind.read(roomIds))].flatMap(([roomId, room]) => {
        const members = room.members.map((one) => [one, connected.has(one.sessionId)])
        const read = JSON.stringify([room.state, room.basis, members])
        return unsure.delete(roomId) || checked.get(roomId) !== read ? [{ roomId, room, read }] : []
      })
      try {
        const allowed = await checkMembers(due)
        for (const { roomId, room, read } of due) {
          await report(roomId, room, allowed)
          if (sent.has(roomId)) checked.set(roomId, read)
        }
      } catch (error) {
        for (const { roomId } of due) unsure.add(roomId)
        throw error
      }
    }
  }

  const wake = (): void => {
    running ??= run()
      .catch((error: unknown) => log.error({ err: error, room: kind.name }, 'the members of rooms were not informed'))
      .finally(() => {
        running = undefined
        if (isAllDirty || dirty.size > 0) wake()
      })
  }

  fanout.subscribe(topic, () => {
    isAllDirty = true
    wake()
  })

  /** Checks the members of all rooms again, but not too often while many changes arrive. */
  const recheck = (): void => {
    if (sent.size === 0) return
    recheckTimer ??= setTimeout(
      () => {
        recheckTimer = undefined
        recheckedAt = performance.now()
        for (const roomId of sent.keys()) {
          dirty.add(roomId)
          unsure.add(roomId)
        }
        wake()
      },
      Math.max(0, recheckedAt + recheckEveryMs - performance.now()),
    )
    recheckTimer.unref()
  }
  // The list of a folder's children does not affect permissions.
  invalidations.follow({ forget: (cache) => cache !== 'children' && recheck(), forgetAll: recheck })
  const catchUp = (): void => {
    if (sent.size > 0) void invalidations.catchUp().catch(() => undefined)
  }
  fanout.subscribe(eventsTopic, catchUp)
  setInterval(catchUp, catchUpEveryMs).unref()

  return {
    changed(roomId) {
      dirty.add(roomId)
      wake()
      void fanout.publish(topic)
    },
  }
}
