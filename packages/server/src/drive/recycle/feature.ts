// The recycle bin feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { purgeChunk, recycleHandlers } from './index.ts'
import { recycleTables } from './tables.ts'

const purgeEveryMs = 1000

export const recycle = feature({
  wire: features.recycle,
  tables: recycleTables,
  open: ({ db }) => ({
    handlers: recycleHandlers(),
    chores: [
      {
        name: 'what was deleted for good',
        everyMs: purgeEveryMs,
        run: async () => (await purgeChunk(db)) > 0,
      },
    ],
  }),
})
