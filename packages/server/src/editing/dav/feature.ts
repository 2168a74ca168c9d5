// Feature: WebDAV.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createStoredVersions } from '../../drive/content/index.ts'
import { endWithEditLock } from './locks.ts'
import { davPaths } from './paths.ts'
import { serveDav } from './serve.ts'
import { davTables } from './tables.ts'
import { createUploadTargets } from './upload-targets.ts'

const endsEveryMs = 60_000

export const dav = feature({
  wire: features.dav,
  paths: davPaths,
  tables: davTables,
  open(services) {
    const { db, now, invalidations } = services
    const storedVersion = createStoredVersions(db, invalidations)
    const uploadTargets = createUploadTargets(db, now)
    return {
      handlers: {},
      routes: (http, perform, performCall, performWithin) =>
        serveDav(http, { ...services, perform, performCall, performWithin, storedVersion, uploadTargets }),
      reactions: [{ to: 'item', react: endWithEditLock }],
      chores: [
        {
          name: 'locks of WebDAV clients',
          everyMs: endsEveryMs,
          async run() {
            await db.deleteFrom('dav_lock').where('expires_at', '<=', now()).execute()
            return false
          },
        },
      ],
    }
  },
})
