// Feature: copies between linked servers.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { type RemoteTimes, usualTimes } from '../links/index.ts'
import { copyHandlers } from './index.ts'

/** The feature with these timeouts for answers of other servers. */
export const serverCopiesWithin = (times: RemoteTimes) =>
  feature({
    wire: features.serverCopies,
    open: (services) => ({ handlers: copyHandlers(services, times) }),
  })

export const serverCopies = serverCopiesWithin(usualTimes)
