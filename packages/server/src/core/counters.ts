// How much waits for a person, shown at the menu entries that lead to it ([R033]).
import type { AccountActor } from './actor.ts'
import type { Db } from './db/database.ts'

/** Counts what waits for this person, by an index: it is asked at every sign-in. */
export type Counter = (db: Db, actor: AccountActor, now: number) => Promise<number>
