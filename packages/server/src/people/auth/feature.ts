// Signing in as a feature.
import { features } from '@cloudoc/contract'
import type { Db } from '../../core/db/database.ts'
import { feature } from '../../core/feature.ts'
import { authHandlers } from './index.ts'
import { authTables } from './tables.ts'

const dayMs = 24 * 60 * 60_000
const expiryEveryMs = 60_000

/** Removes sessions that have expired, and what was counted of failures long ago. */
export async function removeExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('throttle')
    .where('since', '<', now - dayMs)
    .execute()
}

export const auth = feature({
  wire: features.auth,
  tables: authTables,
  open: (services) => ({
    handlers: authHandlers(services),
    chores: [
      {
        name: 'expired sessions',
        everyMs: expiryEveryMs,
        run: () => removeExpiredSessions(services.db, services.now()),
      },
    ],
  }),
})
