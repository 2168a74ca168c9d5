// Feature: external links.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents, createStoredVersions } from '../../drive/content/index.ts'
import { createNotifyDownloads } from '../../drive/follow/index.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { linkParts } from '../../drive/rollback/index.ts'
import { createLogDownloads } from '../../drive/transfer/index.ts'
import { recordFields } from '../../drive/tree/index.ts'
import { createCachedChoice } from '../../drive/watermarks/index.ts'
import { createPreviews } from '../../viewing/preview/index.ts'
import { linkAccessRecords } from './access-records.ts'
import { hideEnded, linkHandlers, linkObjects, visitors } from './index.ts'
import { linksOfItems } from './item-links.ts'
import { linkRollback } from './rollback.ts'
import { linkTables } from './tables.ts'

const endedEveryMs = 60_000

export const externalLinks = feature({
  wire: features.externalLinks,
  tables: linkTables,
  open(services) {
    const { db, invalidations, now, queue } = services
    const contents = createCheckedContents(services)
    const storedVersion = createStoredVersions(db, invalidations)
    const objects = linkObjects(services)
    return {
      contributions: [
        contribute(recordFields, linksOfItems),
        contribute(linkParts, linkRollback),
        contribute(accessSources, linkAccessRecords),
      ],
      handlers: linkHandlers(
        {
          ...services,
          contents,
          storedVersion,
          showing: createPreviews({ contents, storedVersion, queue }),
          notifyDownloads: createNotifyDownloads(services),
          logDownloads: createLogDownloads(db),
          cachedChoice: createCachedChoice(services),
        },
        objects,
      ),
      objects: [objects],
      outsiders: [visitors(services)],
      chores: [{ name: 'links that have ended', everyMs: endedEveryMs, run: () => hideEnded(db, now()) }],
    }
  },
})
