/*
 * An index of connected clients, so that finding the recipients of an event does not check every client. Users with the
 * same departments and roles form a cohort. An event is evaluated once per cohort, and individually only for the users
 * it names.
 */
import type { AccountActor } from '../actor.ts'
import type { AudibleEvent } from './audience.ts'
import type { PushMessage } from './frames.ts'

export interface Receiver {
  /** May change only while the receiver is in no `Receivers`. */
  actor: AccountActor
}

interface Cohort<R> {
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
  /** All recipients of an event, with their push. */
  views(event: AudibleEvent): Map<R, PushMessage>
}

/** Creates an index of receivers. */
export function createReceivers<R extends Receiver>(from: Iterable<R> = []): Receivers<R> {
  const all = new Set<R>()
  const byAccount = new Map<number, Set<R>>()
  const bySession = new Map<number, Set<R>>()
  const cohorts = new Map<string, Cohort<R>>()
  const cohortsOf = new Map<string, Set<Cohort<R>>>()

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
      const key = cohortOf(receiver.actor)
      let cohort = cohorts.get(key)
      if (cohort === undefined) {
        cohort = { subjects: key.split(' '), members: new Set() }
        cohorts.set(key, cohort)
        for (const subject of cohort.subjects) put(cohortsOf, subject, cohort)
      }
      cohort.members.add(receiver)
    },
    delete(receiver) {
      if (!all.delete(receiver)) return
      take(byAccount, receiver.actor.accountId, receiver)
      take(bySession, receiver.actor.sessionId, receiver)
      const key = cohortOf(receiver.actor)
      const cohort = cohorts.get(key)
      cohort?.members.delete(receiver)
      if (cohort === undefined || cohort.members.size > 0) return
      cohorts.delete(key)
      for (const subject of cohort.subjects) take(cohortsOf, subject, cohort)
    },
    ofAccount: (accountId) => byAccount.get(accountId) ?? [],
    ofSession: (sessionId) => bySession.get(sessionId) ?? [],
    views(event) {
      const views = new Map<R, PushMessage>()
      const { accountIds, groupIds, roleIds } = event.concerns
      for (const accountId of accountIds) {
        let asked: { view: PushMessage | undefined } | undefined
        for (const receiver of receivers.ofAccount(accountId)) {
          asked ??= { view: event.viewFor(receiver.actor) }
          if (asked.view !== undefined) views.set(receiver, asked.view)
        }
      }
      const concerned = new Set<Cohort<R>>()
      for (const id of groupIds) for (const cohort of cohortsOf.get(`g${id}`) ?? []) concerned.add(cohort)
      for (const id of roleIds) for (const cohort of cohortsOf.get(`r${id}`) ?? []) concerned.add(cohort)
      for (const { members } of concerned) {
        let asked: { view: PushMessage | undefined } | undefined
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

function cohortOf({ subjects: { groupIds, roleIds } }: AccountActor): string {
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
