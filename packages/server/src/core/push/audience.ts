/*
 * Audiences: the recipients of an event. An event names nobody. Its audience is evaluated at delivery, for each batch
 * and again for each returning client. Users who have lost the permission receive nothing, and users who were offline
 * receive it later. Each kind of event has one audience, registered by the feature that owns the event.
 */
import type { Account } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { AudibleKind } from '../events.ts'
import type { PushMessage } from './frames.ts'

/** A numbered event of the table. */
export interface StoredEvent<E> {
  readonly position: number
  readonly at: number
  readonly actorId: number | null
  readonly event: E
}

/** An event with its audience. */
export interface AudibleEvent<V extends PushMessage = PushMessage> {
  /** The only possible recipients: accounts by name, and members of departments and roles. */
  readonly concerns: {
    readonly accountIds: ReadonlySet<number>
    readonly groupIds: ReadonlySet<number>
    readonly roleIds: ReadonlySet<number>
  }
  /** Whether accounts that are not named may differ although their departments and roles are equal. */
  readonly perAccount: boolean
  /** The push of the event for one account. Undefined if the account may not receive it. */
  viewFor(actor: Account): V | undefined
}

/**
 * Determines the recipients of one kind of event by the current state, for any number of events in a few statements.
 */
export interface Audience<E> {
  /** By position. An event without an entry has no recipients. Views are pushes declared as replayable. */
  prepare(db: Db, events: readonly StoredEvent<E>[], now: number): Promise<ReadonlyMap<number, AudibleEvent>>
}

const nobody: ReadonlySet<number> = new Set()

/** An event for one account, on all its devices. */
export function audibleToAccount<V extends PushMessage>(accountId: number | null, view: V): AudibleEvent<V> {
  return {
    concerns: { accountIds: accountId === null ? nobody : new Set([accountId]), groupIds: nobody, roleIds: nobody },
    perAccount: false,
    viewFor: (actor) => (actor.accountId === accountId ? view : undefined),
  }
}

/** An audience of only the user whose event it is. */
export function toThemselves<E extends { readonly accountId: number }>(viewOf: (event: E) => PushMessage): Audience<E> {
  return {
    prepare: (_db, events) =>
      Promise.resolve(
        new Map(events.map(({ position, event }) => [position, audibleToAccount(event.accountId, viewOf(event))])),
      ),
  }
}

/** The audiences by kind of event. */
export type Audiences = { readonly [K in AudibleKind]?: Audience<never> }

/** Evaluates the audience of each event. An event of a kind that no feature declares any more has no recipients. */
export async function prepareAll<E extends { readonly kind: string }>(
  audiences: Audiences,
  db: Db,
  { events, now }: { readonly events: readonly StoredEvent<E>[]; readonly now: number },
): Promise<Map<number, AudibleEvent>> {
  const byKind = Map.groupBy(events, ({ event }) => event.kind)
  const audible = new Map<number, AudibleEvent>()
  for (const [kind, own] of byKind) {
    const audience: Audience<E> | undefined = audiences[kind as AudibleKind]
    if (audience === undefined) continue
    for (const [position, one] of await audience.prepare(db, own, now)) audible.set(position, one)
  }
  return audible
}
