// How gates load the objects they check: drive/tree loads items, features load objects of other kinds.
import type { ItemRef, Lock, ObjectId, ObjectKind } from '@cloudoc/contract'
import type { Access, ObjectAccess } from './access.ts'
import type { Account, AccountActor, Actor } from './actor.ts'
import type { Db, Tx } from './db/database.ts'

/** Loads and locks items for gates. */
export interface Gatekeeper {
  /** Returns the item as the actor sees it. Undefined if no item of that kind exists. */
  access(db: Db, actor: AccountActor, item: ItemRef): Promise<Access | undefined>
  /** The same for several actors, in one statement. */
  accessEach(
    db: Db,
    asked: readonly { readonly actor: Account; readonly item: ItemRef }[],
  ): Promise<(Access | undefined)[]>
  /** Locks rows in the order of their ids, so that two calls cannot deadlock. */
  lock(tx: Tx, items: readonly { readonly fId: number; readonly lock: Lock }[]): Promise<void>
  /** Locks those of the items that nobody is changing, without waiting. Returns their ids. */
  tryLock(tx: Tx, ids: readonly number[]): Promise<Set<number>>
}

/** Loads and locks one kind of object for gates. A feature registers one for each kind it declares. */
export interface Objects<O extends ObjectAccess = ObjectAccess, F = O['facts']> {
  readonly kind: ObjectKind<F>
  /** Loads those of the objects that the actor may know of, in one statement. The others do not exist for the actor. */
  load(db: Db, actor: Actor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, O>>
  lock(tx: Tx, id: ObjectId, lock: Lock): Promise<void>
}

/** The loader of any kind of object. */
export type SomeObjects = Objects<ObjectAccess, never>
