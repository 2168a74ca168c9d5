// Retention of the temporary data of core.
import { createInvalidationsTidier } from './db/invalidations.ts'
import type { Tables } from './db/tables.ts'
import { feature } from './feature.ts'
import { removeExpiredTokens } from './one-time-tokens.ts'

const expiryEveryMs = 60_000

const coreTables = {
  setting: { backup: 'kept' },
  setting_change: { backup: 'kept', accounts: { account_id: 'stays' } },
  secret: { backup: 'kept' },
  stamp: { backup: 'kept' },
  once: { backup: 'left' },
  audit: { backup: 'kept', accounts: { account_id: 'stays' } },
  walk: { backup: 'left' },
  invalidated: { backup: 'left' },
} as const satisfies Tables

/** Core itself as a feature. */
export const core = feature({
  tables: coreTables,
  open({ db, now }) {
    const tidyInvalidations = createInvalidationsTidier(db)
    return {
      chores: [
        {
          name: 'what has expired',
          everyMs: expiryEveryMs,
          async run() {
            await removeExpiredTokens(db, now())
            await tidyInvalidations()
          },
        },
      ],
    }
  },
})
