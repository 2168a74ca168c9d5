// Feature: exclusive editing; its lock is part of the item's row.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { endEditLocks, lockHandlers } from './index.ts'
import { lockAudience } from './lock-broadcast.ts'
import { reserveForNext } from './lock-queue.ts'
import { lockTables } from './tables.ts'

const endsEveryMs = 60_000

export const locks = feature({
  wire: features.locks,
  tables: lockTables,
  open: (services) => ({
    handlers: lockHandlers(),
    audiences: { 'lock.changed': lockAudience },
    reactions: [{ to: 'item', react: (tx, heard) => reserveForNext(tx, services.settings, heard) }],
    chores: [
      {
        name: 'edit locks whose time is over',
        everyMs: endsEveryMs,
        run: async () => (await endEditLocks(services, services.now())) > 0,
      },
    ],
  }),
})
