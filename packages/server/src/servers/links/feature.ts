// Feature: linked servers.
import { features } from '@cloudoc/contract'
import { implement } from '../../core/call/implement.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from './calls.ts'
import { doorHandlers } from './doors.ts'
import { checkPeer } from './greeting.ts'
import { registryHandlers } from './registry.ts'
import { serversTables } from './tables.ts'
import { type RemoteTimes, usualTimes } from './transport.ts'

/** A server that answers is asked this often how it is. */
const checkEveryMs = 5 * 60_000
const choreEveryMs = 10_000

/** The feature with these timeouts for answers of other servers. */
export const serversWithin = (times: RemoteTimes) =>
  feature({
    wire: features.servers,
    tables: serversTables,
    open(services) {
      const caller: Caller = { db: services.db, secrets: services.secrets, now: services.now, times }
      return {
        handlers: implement(features.servers.calls, { ...registryHandlers(caller), ...doorHandlers(services) }),
        chores: [
          {
            name: 'linked servers',
            everyMs: choreEveryMs,
            run: (signal) => checkDue(services, caller, signal),
          },
        ],
      }
    },
  })

export const servers = serversWithin(usualTimes)

/** Asks the servers that were not asked for a while, or failed and may be asked again. All at once: none waits for another. */
async function checkDue({ db, now }: Pick<Services, 'db' | 'now'>, caller: Caller, signal: AbortSignal): Promise<void> {
  const due = await db
    .selectFrom('linked_server')
    .select('id')
    .where('is_paused', '=', false)
    .where('public_key', '<>', '')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '<>', 'ok'), eb('retry_at', '<=', now())]),
        eb.and([eb('state', '=', 'ok'), eb('seen_at', '<=', now() - checkEveryMs)]),
      ]),
    )
    .execute()
  await Promise.all(due.map(({ id }) => checkPeer(caller, id, signal)))
}
