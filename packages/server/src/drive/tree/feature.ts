// The feature of items: their table, their sums, and the consistency checks of both.
import { feature } from '../../core/feature.ts'
import { treeChecks } from './checks.ts'
import { treeTables } from './tables.ts'
import { foldTallies, removeExpiredDays, tallyMost } from './tallies.ts'

const foldEveryMs = 1000
const forgetEveryMs = 60 * 60_000

export const tree = feature({
  tables: treeTables,
  checks: treeChecks,
  open: ({ db, now, settings }) => {
    const timeZone = async (): Promise<string> => (await settings.current()).setting.download_time_zone
    return {
      chores: [
        {
          name: 'sums',
          everyMs: foldEveryMs,
          run: async () => (await foldTallies(db, now(), await timeZone())) === tallyMost,
        },
        {
          name: 'growth long ago',
          everyMs: forgetEveryMs,
          run: async () => removeExpiredDays(db, now(), await timeZone()),
        },
      ],
    }
  },
})
