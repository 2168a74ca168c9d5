// Finding items by name and content as a feature; what is searched follows the changes.
import { features } from '@cloudoc/contract'
import type { ItemEvent } from '../../core/events.ts'
import { feature } from '../../core/feature.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import { createCheckedContents } from '../content/index.ts'
import { createMarks } from '../follow/index.ts'
import { searchChecks } from './checks.ts'
import { contentTextJob, readSaved } from './contents.ts'
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
    jobs: [contentTextJob({ db: services.db, contents: createCheckedContents(services) })],
    readers: [
      {
        name: 'words of contents',
        kinds: ['item'],
        async read(tx, events: readonly StoredEvent<ItemEvent>[], now) {
          await readSaved(tx, events, now)
          return []
        },
      },
    ],
    chores: [
      {
        name: 'names',
        everyMs: namesEveryMs,
        run: async () => (await indexNames(services.db, services.now())) >= namesAtOnce,
      },
    ],
  }),
})
