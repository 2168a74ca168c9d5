// The servers of a copy, each opened for the person who asked for it.
import type { FastifyInstance } from 'fastify'
import { refusalOf } from '../../core/call/dispatcher.ts'
import type { Services } from '../../core/services.ts'
import type { SessionLike } from '../../people/auth/index.ts'
import { openRemote, type Remote, type RemoteTimes } from '../links/index.ts'
import { openOwnServer } from './own-server.ts'
import { namedSide, ServerAway } from './run.ts'

/** What opening a server needs of the process. */
export interface SideParts extends Pick<Services, 'db' | 'now' | 'secrets'> {
  readonly times: RemoteTimes
  /** The HTTP server of this process, once it has its routes. */
  readonly http: () => Promise<FastifyInstance>
}

/** Opens a server for a person. All requests end with the signal. */
export async function openSide(
  parts: SideParts,
  like: SessionLike,
  serverId: number,
  signal: AbortSignal,
): Promise<Remote> {
  const { db, now, times } = parts
  const person = await db
    .selectFrom('account')
    .select(['id', 'account', 'name'])
    .where('id', '=', like.account_id)
    .executeTakeFirstOrThrow()
  try {
    if (serverId === 0) {
      const own = { db, now, times, http: await parts.http() }
      return namedSide(await openOwnServer(own, { ...like, accountName: person.name }, signal), 0)
    }
    const traveller = { accountId: person.id, account: person.account }
    return namedSide(await openRemote(parts, serverId, traveller, signal), serverId)
  } catch (error) {
    const code = refusalOf(error)?.code
    if (code === undefined) throw error
    // Who has no account there is not signed in there.
    throw new ServerAway(code === 'notFound' ? 'notLoggedIn' : code, serverId)
  }
}
