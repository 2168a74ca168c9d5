// Feature: copies between linked servers.
import { features } from '@cloudoc/contract'
import type { FastifyInstance } from 'fastify'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { jobEndings } from '../../core/queue/endings.ts'
import { type RemoteTimes, usualTimes } from '../links/index.ts'
import { copyEnding, copyHandlers } from './index.ts'
import { copyJob } from './job.ts'
import { removeOldCopies } from './rows.ts'
import { serverCopyTables } from './tables.ts'

const hourMs = 60 * 60_000

/** The feature with these timeouts for answers of other servers. */
export const serverCopiesWithin = (times: RemoteTimes) =>
  feature({
    wire: features.serverCopies,
    tables: serverCopyTables,
    open(services) {
      const { db, now } = services
      const { promise: http, resolve } = Promise.withResolvers<FastifyInstance>()
      const parts = { ...services, times, http: () => http }
      return {
        handlers: copyHandlers(parts),
        routes: (server) => resolve(server),
        jobs: [copyJob(parts)],
        contributions: [contribute(jobEndings, copyEnding)],
        chores: [{ name: 'old copies between servers', everyMs: hourMs, run: () => removeOldCopies(db, now()) }],
      }
    },
  })

export const serverCopies = serverCopiesWithin(usualTimes)
