/*
 * Who listens, so that an event finds its receivers without asking everybody. People in the same departments with the
 * same roles form a circle: an event asks once for a circle, and by name only those that it names.
 */
import type { Actor } from '../actor.ts'
import type { AudibleEvent } from './audience.ts'
import type { SaidPush } from './frames.ts'

export interface Receiver {
  /** Changes only while the receiver is in no `Receivers`. */
  actor: Actor
}

interface Circle<R> {
  readonly subjects: readonly string[]
  readonly members: Set<R>
}

export interface Receivers<R extends Receiver> extends Iterable<R> {
  readonly size: number
  has(receiver: R): boolean
  add(receiver: R): void
  delete(receiver: R): void
  ofAccount(accountId: number): Iterable<R>
  ofSession(sessionId: number): Iterable<R>
  /** Everybody who is told of an event, with what it is for them. */
  views(event: AudibleEvent): Map<R, SaidPush>
}

/** An empty circle of listeners. */
export function createReceivers<R extends Receiver>(from: Iterable<R> = []): Receivers<R> {
  const all = new Set<R>()
  const byAccount = new Map<number, Set<R>>()
  const bySession = new Map<number, Set<R>>()
  const circles = new Map<string, Circle<R>>()
  const circlesOf = new Map<string, Set<Circle<R>>>()

  const receivers: Receivers<R> = {
    get size() {
      return all.size
    },
    [Symbol.iterator]: () => all.values(),
    has: (receiver) => all.has(receiver),
    add(receiver) {
      all.add(receiver)
      put(byAccount, receiver.actor.accountId, receiver)
      put(bySession, receiver.actor.sessionId, receiver)
      const key = circleOf(receiver.actor)
      let circle = circles.get(key)
      if (circle === undefined) {
        circle = { subjects: key.split(' '), members: new Set() }
        circles.set(key, circle)
        for (const subject of circle.subjects) put(circlesOf, subject, circle)
      }
      circle.members.add(receiver)
    },
    delete(receiver) {
      if (!all.delete(receiver)) return
      take(byAccount, receiver.actor.accountId, receiver)
      take(bySession, receiver.actor.sessionId, receiver)
      const key = circleOf(receiver.actor)
      const circle = circles.get(key)
      circle?.members.delete(receiver)
      if (circle === undefined || circle.members.size > 0) return
      circles.delete(key)
      for (const subject of circle.subjects) take(circlesOf, subject, circle)
    },
    ofAccount: (accountId) => byAccount.get(accountId) ?? [],
    ofSession: (sessionId) => bySession.get(sessionId) ?? [],
    views(event) {
      const views = new Map<R, SaidPush>()
      const { accountIds, groupIds, roleIds } = event.concerns
      for (const accountId of accountIds) {
        let asked: { view: SaidPush | undefined } | undefined
        for (const receiver of receivers.ofAccount(accountId)) {
          asked ??= { view: event.viewFor(receiver.actor) }
          if (asked.view !== undefined) views.set(receiver, asked.view)
        }
      }
      const concerned = new Set<Circle<R>>()
      for (const id of groupIds) for (const circle of circlesOf.get(`g${id}`) ?? []) concerned.add(circle)
      for (const id of roleIds) for (const circle of circlesOf.get(`r${id}`) ?? []) concerned.add(circle)
      for (const { members } of concerned) {
        let asked: { view: SaidPush | undefined } | undefined
        for (const receiver of members) {
          if (accountIds.has(receiver.actor.accountId)) continue
          if (asked === undefined || event.perAccount) asked = { view: event.viewFor(receiver.actor) }
          if (asked.view !== undefined) views.set(receiver, asked.view)
        }
      }
      return views
    },
  }
  for (const receiver of from) receivers.add(receiver)
  return receivers
}

function circleOf({ subjects: { groupIds, roleIds } }: Actor): string {
  const sorted = (ids: ReadonlySet<number>): number[] => [...ids].sort((a, b) => a - b)
  return [...sorted(groupIds).map((id) => `g${id}`), ...sorted(roleIds).map((id) => `r${id}`)].join(' ')
}

function put<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([value]))
  else set.add(value)
}

function take<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key)
  set?.delete(value)
  if (set?.size === 0) map.delete(key)
}
