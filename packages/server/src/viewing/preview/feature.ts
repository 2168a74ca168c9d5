// The preview feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents, createStoredVersions } from '../../drive/content/index.ts'
import { createDownloads } from '../../drive/transfer/index.ts'
import { applicants, type FindApplicant } from '../../drive/watermarks/index.ts'
import { conversionJobs } from './convert.ts'
import { dropConversionUsage } from './fair-queue.ts'
import { previewHandlers } from './index.ts'
import { createPieceNotifier } from './piece-notifier.ts'
import { dropPages, dropUnused } from './renditions.ts'
import { reviewedVersions } from './reviewed.ts'
import { previewTables } from './tables.ts'

const unusedEveryMs = 60_000

export const preview = feature({
  wire: features.preview,
  tables: previewTables,
  open(services) {
    const { db, blobs, invalidations, settings, queue, publicUrl, office, now } = services
    const contents = createCheckedContents(services)
    const news = createPieceNotifier()
    const applicantOf: FindApplicant = async (reader, reviewed) => {
      for (const find of services.contributed(applicants)) {
        const found = await find(reader, reviewed)
        if (found !== undefined) return found
      }
      return undefined
    }
    const reviewed = reviewedVersions(now, applicantOf)
    return {
      handlers: previewHandlers({
        ...{ contents, blobs, queue, publicUrl, news, applicantOf, reviewed },
        downloads: createDownloads(services, contents),
        hasOffice: office !== undefined,
        storedVersion: createStoredVersions(db, invalidations),
      }),
      objects: [reviewed],
      jobs: conversionJobs({ db, blobs, contents, settings, office, news, now }),
      chores: [
        {
          name: 'renditions that are too many',
          everyMs: unusedEveryMs,
          async run() {
            const { preview_space: most } = (await settings.current()).inner
            return most > 0 && (await dropUnused(db, most)) > 0
          },
        },
        {
          name: 'pages of renditions that are whole',
          everyMs: unusedEveryMs,
          run: async () => (await dropPages(db, now())) > 0,
        },
        {
          name: 'usage of conversions long ago',
          everyMs: unusedEveryMs,
          run: async () => (await dropConversionUsage(db, now())) > 0,
        },
      ],
    }
  },
})
