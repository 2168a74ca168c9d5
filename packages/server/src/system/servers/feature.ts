// Feature: linked servers.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { type RemoteTimes, serverHandlers } from './index.ts'
import { usualTimes } from './remote.ts'
import { serversTables } from './tables.ts'

/** The feature with these timeouts for answers of other servers. */
export const serversWithin = (times: RemoteTimes) =>
  feature({
    wire: features.servers,
    tables: serversTables,
    open: (services) => ({ handlers: serverHandlers(services, times) }),
  })

export const servers = serversWithin(usualTimes)
