// Where the long walks are, kept in the database so that the next elected process goes on from there.
import type { Db } from '../../core/db/database.ts'

/** What is kept of each walk, and what stands for one that has never begun. */
const first = {
  /** When the store was last looked through for objects that no row names. */
  sweep: { at: 0 },
  /** Which content was read again last, and how much of the cycle's bytes has been. */
  scrub: { begunAt: 0, after: 0, read: 0, bytes: 0, done: true },
}

type Walks = typeof first

/** Where a walk is. */
export async function readWalk<N extends keyof Walks>(db: Db, name: N): Promise<Walks[N]> {
  const row = await db.selectFrom('walk').select('value').where('name', '=', name).executeTakeFirst()
  return { ...first[name], ...row?.value }
}

/** Keeps where a walk is. */
export async function writeWalk<N extends keyof Walks>(db: Db, name: N, place: Walks[N]): Promise<void> {
  const value = JSON.stringify(place)
  await db
    .insertInto('walk')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute()
}
