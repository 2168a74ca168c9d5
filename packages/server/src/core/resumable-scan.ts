// Where long walks over an installation are, kept in the database so that the next elected process goes on from there.
import type { Db } from './db/database.ts'

/** A walk that somebody takes up again and again. */
export interface ResumableScan<T extends object> {
  /** Where it is; at the beginning where it has never begun. */
  read(db: Db): Promise<T>
  write(db: Db, place: T): Promise<void>
}

/** Declares a walk by its name and what stands for one that has never begun. */
export function resumableScan<T extends object>(name: string, first: T): ResumableScan<T> {
  return {
    async read(db) {
      const row = await db.selectFrom('walk').select('value').where('name', '=', name).executeTakeFirst()
      return { ...first, ...row?.value }
    },
    async write(db, place) {
      const value = JSON.stringify(place)
      await db
        .insertInto('walk')
        .values({ name, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}
