/*
 * This server as one of the two sides of a copy. Its requests take a connection inside the process, and are requests of
 * the person like all others: the same rules, limits, log entries and events apply.
 */
import { randomInt } from 'node:crypto'
import { Agent, type Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { type Duplex, duplexPair } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/database.ts'
import { requestOutbound } from '../../core/outbound-http.ts'
import { beginWorkSession, type SessionLike } from '../../people/auth/index.ts'
import { type Remote, type RemoteTimes, refusing, remoteFor } from '../links/index.ts'

/** The client types of such sessions, as at linked servers. */
const clientTypes = { from: 200, to: 255 }
/** Nothing is asked at this address: the connections lead to the server of the process. */
const origin = 'http://this-server.invalid'

interface HereParts {
  readonly db: Db
  readonly now: () => number
  readonly http: FastifyInstance
  readonly times: RemoteTimes
}

interface Person extends SessionLike {
  readonly accountName: string
}

/** What a socket has beside a stream, as far as the HTTP modules call it. */
function asSocket(stream: Duplex, remoteAddress: string): Duplex {
  const nothing = (): Duplex => stream
  return Object.assign(stream, {
    remoteAddress,
    ...{ setTimeout: nothing, setKeepAlive: nothing, setNoDelay: nothing, ref: nothing, unref: nothing },
  })
}

/** Connections to the HTTP server of this process, which it takes as coming from an address. */
class InnerConnections extends Agent {
  readonly #server: Server
  readonly #address: string

  constructor(server: Server, address: string) {
    super({ keepAlive: false })
    this.#server = server
    this.#address = address
  }

  override createConnection(): Duplex {
    const [ours, theirs] = duplexPair()
    // A broken connection is reported by the request.
    theirs.on('error', () => {})
    this.#server.emit(
      this.#server instanceof HttpsServer ? 'secureConnection' : 'connection',
      asSocket(theirs, this.#address),
    )
    return asSocket(ours, this.#address)
  }
}

/** Opens this server for a person. All requests end with the signal. */
export async function openOwnServer(
  { db, now, http, times }: HereParts,
  { accountName, ...like }: Person,
  signal: AbortSignal,
): Promise<Remote> {
  await http.ready()
  const clientType = randomInt(clientTypes.from, clientTypes.to + 1)
  const token = await beginWorkSession(db, like, { now: now(), clientType, agent: 'Cloudoc server' })
  const connections = new InnerConnections(http.server, like.address)
  const visit = AbortSignal.any([signal, AbortSignal.timeout(times.visitMs)])
  return remoteFor({
    ...{ accountName, times, signal: visit },
    send: (path, asked) =>
      refusing(() =>
        requestOutbound(`${origin}${path}`, {
          ...asked,
          connections,
          headers: { ...asked.headers, authorization: `Bearer ${token}` },
        }),
      ),
  })
}
