// Answers of a database that tests hold back, to do something between a reading and what is made of it.
import type { Db } from '../src/core/db/database.ts'

/** A database whose next answer waits: it has come when `hold` resolves, and goes on when that is called. */
export function slow(db: Db): { db: Db; hold: () => Promise<() => void> } {
  let arrived: ((release: () => void) => void) | undefined
  return {
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const tell = arrived
        arrived = undefined
        if (tell !== undefined) await new Promise<void>(tell)
        return result
      },
    }),
    hold: () =>
      new Promise((resolve) => {
        arrived = resolve
      }),
  }
}
