// Feature: WebDAV.
import { feature } from '../../core/feature.ts'
import { davPaths } from './paths.ts'
import { serveDav } from './serve.ts'
import { davTables } from './tables.ts'

const endsEveryMs = 60_000

export const dav = feature({
  paths: davPaths,
  tables: davTables,
  open(services) {
    const { db, now } = services
    return {
      routes: (http, perform, performCall) => serveDav(http, { ...services, perform, performCall }),
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
