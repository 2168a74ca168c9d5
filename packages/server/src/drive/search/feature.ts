// Finding items by name as a feature; the index of names follows the changes.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks } from '../follow/index.ts'
import { searchChecks } from './checks.ts'
import { indexNames, namesAtOnce, searchHandlers } from './index.ts'
import { searchTables } from './tables.ts'

/** Names wait so long for their index, where searches find them all the same; together they cost less. */
const namesEveryMs = 5000

export const search = feature({
  wire: features.search,
  tables: searchTables,
  checks: searchChecks,
  open: (services) => ({
    handlers: searchHandlers({ marks: createMarks(services) }),
    chores: [{ name: 'names', everyMs: namesEveryMs, run: async () => (await indexNames(services.db)) >= namesAtOnce }],
  }),
})
