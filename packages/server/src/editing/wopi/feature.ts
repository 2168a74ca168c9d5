// Feature: co-editing on an office server, with its calls and the WOPI host.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents, createStoredVersions } from '../../drive/content/index.ts'
import { createOffice } from './discovery.ts'
import { serveWopi } from './host.ts'
import { wopiHandlers } from './index.ts'
import { wopiPaths } from './paths.ts'
import { endExpiredSharedLocks } from './shared-lock.ts'
import { wopiTables } from './tables.ts'

const endsEveryMs = 60_000

export const wopi = feature({
  wire: features.wopi,
  paths: wopiPaths,
  tables: wopiTables,
  open(services) {
    const { db, blobs, invalidations, settings, now, publicUrl } = services
    const office = createOffice(settings)
    return {
      handlers: wopiHandlers({ ...services, office }),
      routes: (http, perform) =>
        serveWopi(http, {
          ...{ perform, db, blobs, settings, office, now, publicUrl },
          contents: createCheckedContents(services),
          storedVersion: createStoredVersions(db, invalidations),
        }),
      chores: [
        {
          name: 'locks of files that were edited together',
          everyMs: endsEveryMs,
          async run() {
            await db.deleteFrom('shared_editor').where('until', '<=', now()).execute()
            return (await endExpiredSharedLocks(services, now())) > 0
          },
        },
      ],
    }
  },
})
