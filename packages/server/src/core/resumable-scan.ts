// The positions of long walks over an installation, stored in the database so that the next leader continues from
// there.
import type { Db } from './db/database.ts'

/** A resumable walk. */
export interface ResumableScan<T extends object> {
  /** Reads its position: the beginning if it has never started. */
  read(db: Db): Promise<T>
  write(db: Db, place: T): Promise<void>
}

/** Declares a walk by its name and its initial position. */
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
