// The outbox: a change writes one event row in its own transaction, without a position, a recipient or a notification.
// The sequencer (core/push) assigns positions to committed events afterwards.
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
import { type RawBuilder, sql } from 'kysely'
import { type Actor, authorOf } from './actor.ts'
import { type Tx, withCommit } from './db/database.ts'

/** The permissions on one item before a change. */
export interface LevelBefore {
  readonly inherit: boolean
  readonly restricted: boolean
  readonly entries: readonly RightsEntry[]
}

/** A change to an item of the tree. Its recipients are determined at delivery, by the permissions before and after. */
export interface ItemEvent {
  readonly kind: 'item'
  readonly libraryId: number
  readonly itemId: number
  readonly fType: 1 | 2
  /** The item is a link to an item of this type. */
  readonly isLink?: true
  /** The author chose to notify no followers ([R117]). Lists are updated nevertheless. */
  readonly isQuiet?: true
  readonly name: string
  readonly operateType: number
  readonly operatorName: string
  readonly version: number
  readonly size: number
  readonly createdBy: number
  /** Null for a library root. */
  readonly parentId: number | null
  /** The previous parent, for a move. */
  readonly beforeParentId?: number
  /** The item's own permissions before a change of permissions. */
  readonly before?: LevelBefore
}

/** A push to named users, stored until each confirms it. Created by `personal`. */
export interface PersonalEvent {
  readonly kind: 'personal'
  readonly pushType: number
  readonly accountIds: readonly number[]
  readonly data: object
  /** Replaces the previous unconfirmed one. */
  readonly newest?: true
  /** How a notice is stored until it is read, for pushes that are notices. */
  readonly notice?: StoredNotice
}

interface StoredNotice {
  readonly group: string
  readonly key: string
  readonly merge: 'later' | 'earlier'
  readonly itemType: number | null
  readonly itemId: number | null
}

/** Creates the function that sends named users the confirmable pushes of a catalogue. */
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

/** Sends a push to named users. Each receives it again after every login until they confirm it. */
export const personal = personalOf(pushes)

/** A session ended, so its sockets must close. */
export interface SessionEvent {
  readonly kind: 'session'
  readonly sessionIds: readonly number[]
  /** Whether it ended because the account signed in on another device (push 5). */
  readonly elsewhere: boolean
  /** The user agent of that other device, if it is known. */
  readonly agent?: string
}

/** Named users must fetch again: what they may see has changed without an item event. */
export interface RefetchEvent {
  readonly kind: 'refetch'
  readonly accountIds: readonly number[]
}

/**
 * A change to data of a feature, with a name of the feature: `talk.message`. Its recipients are determined at delivery
 * by the audience of its kind. The payload stays in the table for days and must be readable by later builds.
 */
export interface FeatureEvent {
  readonly kind: `${string}.${string}`
}

export type NewEvent = ItemEvent | PersonalEvent | SessionEvent | RefetchEvent | FeatureEvent

/** Kinds of events that have an audience. */
export type AudibleKind = (ItemEvent | FeatureEvent)['kind']

/** A user was added or changed. */
export type PersonChange = { readonly accountId: number; readonly name: string } & (
  | { readonly what: 'created' | 'state' | 'password' | 'roles' | 'groups' | 'quota' | 'profile' }
  | { readonly what: 'name'; readonly before: string }
)

/** A department was added or changed. */
export type GroupChange = { readonly groupId: number; readonly name: string } & (
  | { readonly what: 'created' }
  | { readonly what: 'name'; readonly before: string }
  | { readonly what: 'moved' }
  /** It was merged into another department, with its members and everything assigned to it. */
  | { readonly what: 'merged'; readonly into: number }
  | { readonly what: 'managers'; readonly added: readonly number[]; readonly removed: readonly number[] }
)

/** A role was deleted. */
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

/** The kinds of changes that reactions receive. */
export interface ChangeKinds {
  settings: SettingsChange
  group: GroupChange
  role: RoleChange
  person: PersonChange
  item: ItemEvent
}
export type ChangeKind = keyof ChangeKinds

/** A change other than to items. Changes to items are events. */
export type Changed = {
  [K in Exclude<ChangeKind, 'item'>]: { readonly kind: K; readonly change: ChangeKinds[K] }
}[Exclude<ChangeKind, 'item'>]

/** The change of one call: its events and its audit row. */
export interface Change {
  /** Reactions add their events. */
  readonly events: NewEvent[]
  /** Changes other than to items, for reactions. Changes to items are in the events. */
  readonly changed: readonly Changed[]
  /** Undefined for changes by expiry, and at the first start. */
  readonly actor: Actor | undefined
  readonly now: number
  readonly call: string
  readonly address: string
  readonly items: readonly number[]
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
  /** The outcome is audited later. */
  readonly unrecorded?: boolean
}

/** Writes events without a call: those of event readers, and those requested without a change. */
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
 * Writes the events and audit rows of changes that commit in one transaction, in one statement whatever their number.
 * It is the last statement of the transaction and commits it.
 */
export async function commitChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await sql`${inserting(changes)} ${withCommit}`.execute(tx)
}

/** The same without the commit, for changes that are too many for one statement. */
export async function writeChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0) await inserting(changes).execute(tx)
}

function inserting(changes: readonly Change[]): RawBuilder<unknown> {
  const audits = changes.map(({ now, actor, call, address, items: named, detail, events: told }) => {
    const by = actor && authorOf(actor)
    // A created item is found in the audit log by its own id too, not only by its parent folder.
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
  return sql`
    with audited as (
      insert into audit (at, account_id, outsider, call, address, items, detail)
      select * from json_to_recordset(${JSON.stringify(audits.filter((_, n) => changes[n]?.unrecorded !== true))})
        as a (at bigint, account_id bigint, outsider jsonb, call text, address text, items bigint[], detail jsonb)
    )
    insert into event (kind, library_id, item_id, payload, actor_id, outsider, created_at)
    select * from json_to_recordset(${JSON.stringify(events)})
      as e (kind text, library_id bigint, item_id bigint, payload jsonb, actor_id bigint,
        outsider jsonb, created_at bigint)`
}
