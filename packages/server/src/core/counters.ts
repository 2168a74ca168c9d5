// How much waits for a person, shown at the menu entries that lead to it ([R033]).
import type { Actor } from './actor.ts'
import type { Db } from './db/database.ts'

/** Counts what waits for this person, by an index: it is asked at every sign-in. */
export type Counter = (db: Db, actor: Actor, now: number) => Promise<number>
