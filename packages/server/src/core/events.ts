// The outbox: a change writes one event row in its own transaction, without a position, a recipient or a notification.
// The sequencer (core/push) gives committed events their place afterwards.
import {
  type InstallationSetting,
  type NoticeRule,
  type Push,
  type PushCatalogue,
  type PushContent,
  type PushesBy,
  pushes,
} from '@cloudoc/contract'
import type { RightsEntry } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Actor, authorOf } from './actor.ts'
import { commitHere, type Tx } from './db/database.ts'

/** What the rights on one item said before a change. */
export interface LevelBefore {
  readonly inherit: boolean
  readonly restricted: boolean
  readonly entries: readonly RightsEntry[]
}

/** A change to an item of the tree; who hears of it is decided at delivery, by rights before and after. */
export interface ItemEvent {
  readonly kind: 'item'
  readonly libraryId: number
  readonly itemId: number
  readonly fType: 1 | 2
  /** The item is a link, of what the kind tells where it leads. */
  readonly isLink?: true
  /** Whoever did it wanted nobody told who follows it ([R117]); lists are brought up to date all the same. */
  readonly isQuiet?: true
  readonly name: string
  readonly operateType: number
  readonly operatorName: string
  readonly version: number
  readonly size: number
  readonly createdBy: number
  /** Null for a library root. */
  readonly parentId: number | null
  /** Where it was, for a move. */
  readonly beforeParentId?: number
  /** What the item's own rights were, for a change of rights. */
  readonly before?: LevelBefore
}

/** A push to named people, stored until each confirms it; `personal` makes one. */
export interface PersonalEvent {
  readonly kind: 'personal'
  readonly pushType: number
  readonly accountIds: readonly number[]
  readonly data: object
  /** The one before that nobody has confirmed goes. */
  readonly newest?: true
  /** How it is kept until it is seen, for pushes that are notices. */
  readonly notice?: StoredNotice
}

interface StoredNotice {
  readonly group: string
  readonly key: string
  readonly merge: 'later' | 'earlier'
  readonly itemType: number | null
  readonly itemId: number | null
}

/** What tells people by name of the pushes of a catalogue that are declared to be confirmed. */
export function personalOf<C extends PushCatalogue>(catalogue: C) {
  return <N extends string & PushesBy<'confirmed', C>>(
    name: N,
    people: readonly number[],
    payload: PushContent<N, C> & object,
  ): PersonalEvent => {
    const { type, notice, newest } = catalogue[name] as Push
    return {
      kind: 'personal',
      pushType: type,
      accountIds: people,
      data: payload,
      ...(newest && { newest }),
      ...(notice && { notice: storedNotice(notice, payload) }),
    }
  }
}

function storedNotice(rule: NoticeRule<object>, payload: object): StoredNotice {
  const of = rule.item?.(payload)
  const { group, merge } = rule
  return { group, key: rule.key(payload), merge, itemType: of?.fType ?? null, itemId: of?.fId ?? null }
}

/** Tells people by name; each is told again after every login until they confirm it. */
export const personal = personalOf(pushes)

/** A session that ended, so that its sockets close. */
export interface SessionEvent {
  readonly kind: 'session'
  readonly sessionIds: readonly number[]
  /** Whether it ended because the account signed in elsewhere (push 5). */
  readonly elsewhere: boolean
}

/** What named people may see has changed in a way that no event of an item tells: they fetch again. */
export interface RefetchEvent {
  readonly kind: 'refetch'
  readonly accountIds: readonly number[]
}

/**
 * A change to what a feature of its own holds, by a name of the feature: `talk.message`. Who hears of it is decided at
 * delivery by the audience of its kind. What is in it stays in the table for days and must be readable by later builds.
 */
export interface FeatureEvent {
  readonly kind: `${string}.${string}`
}

export type NewEvent = ItemEvent | PersonalEvent | SessionEvent | RefetchEvent | FeatureEvent

/** Kinds of events that are told to an audience. */
export type AudibleKind = (ItemEvent | FeatureEvent)['kind']

/** A person was added or is no longer what they were. */
export type PersonChange = { readonly accountId: number; readonly name: string } & (
  | { readonly what: 'created' | 'state' | 'password' | 'roles' | 'groups' | 'profile' }
  | { readonly what: 'name'; readonly before: string }
)

/** A department was added or is no longer what it was. */
export type GroupChange = { readonly groupId: number; readonly name: string } & (
  | { readonly what: 'created' }
  | { readonly what: 'name'; readonly before: string }
  | { readonly what: 'moved' }
  /** It is a part of the other one from now on, with its people and whatever it was given. */
  | { readonly what: 'merged'; readonly into: number }
  | { readonly what: 'managers'; readonly added: readonly number[]; readonly removed: readonly number[] }
)

/** A role is there no more. */
export interface RoleChange {
  readonly roleId: number
  readonly name: string
  readonly what: 'deleted'
}

/** The server's settings, before and after. */
export interface SettingsChange {
  readonly before: InstallationSetting
  readonly after: InstallationSetting
}

/** What reactions can hear of, by kind. */
export interface ChangeKinds {
  settings: SettingsChange
  group: GroupChange
  role: RoleChange
  person: PersonChange
  item: ItemEvent
}
export type ChangeKind = keyof ChangeKinds

/** A change other than to items, which events tell of. */
export type Changed = {
  [K in Exclude<ChangeKind, 'item'>]: { readonly kind: K; readonly change: ChangeKinds[K] }
}[Exclude<ChangeKind, 'item'>]

/** What one call changed: its events, and the row that is kept of it for whoever asks later who did what. */
export interface Change {
  /** Reactions add theirs. */
  readonly events: NewEvent[]
  /** What changed beside items, which events tell of; for reactions. */
  readonly changed: readonly Changed[]
  /** Undefined for what time has ended, and for the first start. */
  readonly actor: Actor | undefined
  readonly now: number
  readonly call: string
  readonly address: string
  readonly items: readonly number[]
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
  /** What it comes to is on record later. */
  readonly unrecorded?: boolean
}

/** Writes events that no call has caused: what readers of events tell, and what is asked for without a change. */
export async function writeEvents(tx: Tx, events: readonly NewEvent[], now: number): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ kind: event.kind, payload: event, created_at: now }))
  await sql`
    insert into event (kind, payload, created_at)
    select * from json_to_recordset(${JSON.stringify(rows)}) as e (kind text, payload jsonb, created_at bigint)`.execute(
    tx,
  )
}

/**
 * Writes the events and audit rows of changes that commit together, in one statement whatever their number; the last of
 * its transaction, which commits at once.
 */
export async function commitChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const audits = changes.map(({ now, actor, call, address, items: named, detail, events: told }) => {
    const by = actor && authorOf(actor)
    // What was made is found by its own id too, not only by the folder that it was made in.
    const items = [...new Set([...named, ...told.flatMap((event) => (event.kind === 'item' ? [event.itemId] : []))])]
    return { at: now, account_id: by?.accountId ?? null, outsider: by?.outsider ?? null, call, address, items, detail }
  })
  const events = changes.flatMap(({ events: own, now }, n) =>
    own.map((event) => ({
      kind: event.kind,
      library_id: 'libraryId' in event ? event.libraryId : null,
      item_id: 'itemId' in event ? event.itemId : null,
      payload: event,
      actor_id: audits[n]?.account_id,
      outsider: audits[n]?.outsider,
      created_at: now,
    })),
  )
  await sql`
    with audited as (
      insert into audit (at, account_id, outsider, call, address, items, detail)
      select * from json_to_recordset(${JSON.stringify(audits.filter((_, n) => changes[n]?.unrecorded !== true))})
        as a (at bigint, account_id bigint, outsider jsonb, call text, address text, items bigint[], detail jsonb)
    )
    insert into event (kind, library_id, item_id, payload, actor_id, outsider, created_at)
    select * from json_to_recordset(${JSON.stringify(events)})
      as e (kind text, library_id bigint, item_id bigint, payload jsonb, actor_id bigint,
        outsider jsonb, created_at bigint)
    ${commitHere}`.execute(tx)
}
