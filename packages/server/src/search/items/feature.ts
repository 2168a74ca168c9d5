// The feature of searching items by name and content; its index follows the changes.
import { features } from '@cloudoc/contract'
import type { ItemEvent } from '../../core/events.ts'
import { feature } from '../../core/feature.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { createMarks } from '../../drive/follow/index.ts'
import { searchChecks } from './checks.ts'
import { contentTextJobs, filesOf, requestText, textListeners } from './content-text.ts'
import { indexNames, nameBatch, searchHandlers } from './index.ts'
import { backfillScans, createScans, scanTextJob } from './scan-text.ts'
import { searchTables } from './tables.ts'

/** Interval at which names are indexed. Searches find queued names anyway, and batches cost less. */
const namesEveryMs = 5000
const scansEveryMs = 10_000

export const search = feature({
  wire: features.search,
  tables: searchTables,
  checks: searchChecks,
  open: (services) => {
    const scans = createScans(services)
    return {
      handlers: searchHandlers({
        marks: createMarks(services),
        hasOcr: services.ocr !== undefined,
        secrets: services.secrets,
      }),
      jobs: [
        ...contentTextJobs({
          db: services.db,
          contents: createCheckedContents(services),
          askForDrawn: (write, asked) => scans.askFor(write, asked),
          listeners: () => services.contributed(textListeners),
        }),
        scanTextJob(services, scans),
      ],
      readers: [
        {
          name: 'words of contents',
          kinds: ['item'],
          async read(tx, events: readonly StoredEvent<ItemEvent>[], now) {
            // An event reader, so that saving does not wait for indexing.
            const files = filesOf(events)
            await requestText(tx, now, files)
            await scans.askOf(tx, now, files)
            return []
          },
        },
      ],
      chores: [
        {
          name: 'names',
          everyMs: namesEveryMs,
          run: async () => (await indexNames(services.db, services.now())) >= nameBatch,
        },
        {
          name: 'scans',
          everyMs: scansEveryMs,
          run: async () => backfillScans(services.db, services.now(), await scans.isOn()),
        },
      ],
    }
  },
})
