// What gates are asked of: items, which drive/tree loads, and objects of other kinds, which their features load.

import type { ItemRef, Lock, ObjectId, ObjectKind } from '@cloudoc/contract'
import type { EntryInForce, Facts } from '@cloudoc/domain'
import type { Selectable } from 'kysely'
import type { Actor } from './actor.ts'
import type { Db, Tx } from './db/database.ts'
import type { ItemTable, LibraryKind } from './db/schema.ts'

/** An item's row without its search columns, with the names of its people. */
export type ItemRow = Omit<
  Selectable<ItemTable>,
  'search_text' | 'name_key' | 'withholds' | 'editing_since' | 'editor_until'
> & {
  readonly modifier: string
  readonly creator: string
  readonly editor: string | null
}

export interface Library {
  readonly id: number
  readonly kind: LibraryKind
  readonly ownerId: number | null
  /** The most bytes in it, and of one file in it; 0: no limit. */
  readonly quota: number
  readonly fileLimit: number
}

/** One folder on the way down to an item, and whether the actor may see it. */
export interface PathLink {
  readonly id: number
  readonly name: string
  readonly visible: boolean
}

/** An item as one actor meets it at one moment. */
export interface Access {
  readonly row: ItemRow
  readonly library: Library
  /** The folders above it, library root first. */
  readonly path: readonly PathLink[]
  /** The entries in force at the item that concern the actor. */
  readonly inForce: readonly EntryInForce[]
  /** Others' items inside are hidden from the actor ([R210]). */
  readonly restricted: boolean
  readonly facts: Facts
}

/** Loads and locks items for gates. */
export interface Gatekeeper {
  /** The item as the actor meets it, or undefined where there is none of that kind. */
  access(db: Db, actor: Actor, item: ItemRef): Promise<Access | undefined>
  /** The same for each who asks, in one statement. */
  accessEach(
    db: Db,
    asked: readonly { readonly actor: Actor; readonly item: ItemRef }[],
  ): Promise<(Access | undefined)[]>
  /** Locks rows in the order of their ids, so that two calls cannot wait for each other in a ring. */
  lock(tx: Tx, items: readonly { readonly fId: number; readonly lock: Lock }[]): Promise<void>
  /** Holds those of the items that nobody is changing, without waiting; answers their ids. */
  tryHold(tx: Tx, ids: readonly number[]): Promise<Set<number>>
}

/** An object as one actor meets it at one moment. */
export interface Met<F = unknown> {
  readonly facts: F
}

/** Loads and locks one kind of object for gates. A feature registers one for each kind that it declares. */
export interface Objects<O extends Met = Met, F = O['facts']> {
  readonly kind: ObjectKind<F>
  /** Those objects that the actor may know of, whatever their number, in one statement; the others are not there. */
  load(db: Db, actor: Actor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, O>>
  lock(tx: Tx, id: ObjectId, lock: Lock): Promise<void>
}

/** Those of some kind. */
export type SomeObjects = Objects<Met, never>
