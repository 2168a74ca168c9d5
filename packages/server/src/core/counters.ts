// Counters of pending work of a user, shown at the menu entries that lead to it ([R033]).
import type { AccountActor } from './actor.ts'
import type { Db } from './db/database.ts'

/** Counts the pending work of a user, by an index: it runs at every sign-in. */
export type Counter = (db: Db, actor: AccountActor, now: number) => Promise<number>
