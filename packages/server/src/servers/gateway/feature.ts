// Feature: the gateway to linked servers.
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { socketRoutes } from '../../core/push/index.ts'
import { type RemoteTimes, usualTimes } from '../links/index.ts'
import { pushRelay } from './push-relay.ts'
import { serveGateway } from './relay.ts'
import { createPeerSessions } from './sessions.ts'

/** The feature with these timeouts for answers of other servers. */
export const serverGatewayWithin = (times: RemoteTimes) =>
  feature({
    open({ db, secrets, now }) {
      const caller = { db, secrets, now, times }
      const sessions = createPeerSessions(caller)
      return {
        routes: (http, perform) => serveGateway(http, { caller, sessions, perform }),
        contributions: [contribute(socketRoutes, pushRelay({ caller, sessions }))],
      }
    },
  })

export const serverGateway = serverGatewayWithin(usualTimes)
