/*
 * Who hears of an event. An event names nobody: its audience is asked when it is told, for each batch and again for each
 * client that comes back, so that whoever may not know of it any more is not told, and whoever was away is. Each kind of
 * event has one audience, registered by the feature whose events they are.
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

/** An event whose audience is known. */
export interface AudibleEvent<V extends PushMessage = PushMessage> {
  /** Nobody else can have a view: accounts by name, and members of departments and roles. */
  readonly concerns: {
    readonly accountIds: ReadonlySet<number>
    readonly groupIds: ReadonlySet<number>
    readonly roleIds: ReadonlySet<number>
  }
  /** Whether accounts that are not named differ although departments and roles are the same. */
  readonly perAccount: boolean
  /** What the event is for one account; undefined where it is none of their business. */
  viewFor(actor: Account): V | undefined
}

/** Decides who hears of one kind of events, by what holds now: for any number of them in a few statements. */
export interface Audience<E> {
  /** By position; what is left out is for nobody. Views are pushes that are declared to be replayed. */
  prepare(db: Db, events: readonly StoredEvent<E>[], now: number): Promise<ReadonlyMap<number, AudibleEvent>>
}

const nobody: ReadonlySet<number> = new Set()

/** Heard by one account, wherever it is signed in. */
export function audibleToAccount<V extends PushMessage>(accountId: number | null, view: V): AudibleEvent<V> {
  return {
    concerns: { accountIds: accountId === null ? nobody : new Set([accountId]), groupIds: nobody, roleIds: nobody },
    perAccount: false,
    viewFor: (actor) => (actor.accountId === accountId ? view : undefined),
  }
}

/** Nobody but the person whose event it is. */
export function toThemselves<E extends { readonly accountId: number }>(viewOf: (event: E) => PushMessage): Audience<E> {
  return {
    prepare: (_db, events) =>
      Promise.resolve(
        new Map(events.map(({ position, event }) => [position, audibleToAccount(event.accountId, viewOf(event))])),
      ),
  }
}

/** The audience of each kind of events that is told to one. */
export type Audiences = { readonly [K in AudibleKind]?: Audience<never> }

/** Asks the audience of each event; an event of a kind that no feature has any more is for nobody. */
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
