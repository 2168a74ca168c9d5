// How gates get at what they are asked of: drive/tree loads items, features load objects of other kinds.
import type { ItemRef, Lock, ObjectId, ObjectKind } from '@cloudoc/contract'
import type { Access, ObjectAccess } from './access.ts'
import type { Account, AccountActor, Actor } from './actor.ts'
import type { Db, Tx } from './db/database.ts'

/** Loads and locks items for gates. */
export interface Gatekeeper {
  /** The item as the actor meets it, or undefined where there is none of that kind. */
  access(db: Db, actor: AccountActor, item: ItemRef): Promise<Access | undefined>
  /** The same for each who asks, in one statement. */
  accessEach(
    db: Db,
    asked: readonly { readonly actor: Account; readonly item: ItemRef }[],
  ): Promise<(Access | undefined)[]>
  /** Locks rows in the order of their ids, so that two calls cannot wait for each other in a ring. */
  lock(tx: Tx, items: readonly { readonly fId: number; readonly lock: Lock }[]): Promise<void>
  /** Holds those of the items that nobody is changing, without waiting; answers their ids. */
  tryLock(tx: Tx, ids: readonly number[]): Promise<Set<number>>
}

/** Loads and locks one kind of object for gates. A feature registers one for each kind that it declares. */
export interface Objects<O extends ObjectAccess = ObjectAccess, F = O['facts']> {
  readonly kind: ObjectKind<F>
  /** Those objects that the actor may know of, whatever their number, in one statement; the others are not there. */
  load(db: Db, actor: Actor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, O>>
  lock(tx: Tx, id: ObjectId, lock: Lock): Promise<void>
}

/** Those of some kind. */
export type SomeObjects = Objects<ObjectAccess, never>
