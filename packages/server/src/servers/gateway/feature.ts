// Feature: the gateway to linked servers.
import { feature } from '../../core/feature.ts'
import { type RemoteTimes, usualTimes } from '../links/index.ts'
import { serveGateway } from './relay.ts'
import { createPeerSessions } from './sessions.ts'

/** The feature with these timeouts for answers of other servers. */
export const serverGatewayWithin = (times: RemoteTimes) =>
  feature({
    open({ db, secrets, now }) {
      const caller = { db, secrets, now, times }
      const sessions = createPeerSessions(caller)
      return { routes: (http, perform) => serveGateway(http, { caller, sessions, perform }) }
    },
  })

export const serverGateway = serverGatewayWithin(usualTimes)
