// Delays a database's answers, so that a test can act between a read and its use.
import type { Db } from '../src/core/db/database.ts'

/**
 * A database whose next answer is delayed: `hold` resolves when the answer has arrived, and calling its result delivers
 * the answer.
 */
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
