// The feature of uploads and downloads, with tus as an alternative protocol for uploads in parts.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents, createStoredVersions } from '../content/index.ts'
import { createDownloads } from './downloads.ts'
import { createUploads, removeExpiredUploads, serveTus, transferHandlers, uploadObjects } from './index.ts'
import { transferTables } from './tables.ts'
import { tusPaths } from './tus-paths.ts'

const expiryEveryMs = 1000

export const transfer = feature({
  wire: features.transfer,
  paths: tusPaths,
  tables: transferTables,
  open(services) {
    const { db, blobs, invalidations, log, now } = services
    const contents = createCheckedContents(services)
    const uploads = createUploads({ ...services, contents })
    return {
      handlers: transferHandlers({
        blobs,
        contents,
        uploads,
        storedVersion: createStoredVersions(db, invalidations),
        downloads: createDownloads(services, contents),
        log,
        secrets: services.secrets,
      }),
      objects: [uploadObjects],
      routes: (http, perform) => serveTus(http, { uploads, perform }),
      chores: [
        {
          name: 'uploads that nobody goes on with',
          everyMs: expiryEveryMs,
          run: async () => (await removeExpiredUploads(db, blobs, now())) > 0,
        },
      ],
    }
  },
})
