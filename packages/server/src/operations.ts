// What operators and programs ask of a server beside the calls: is it well, how busy is it, what does it answer to.
import type { Calls } from '@cloudoc/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from './core/db/database.ts'
import type { Metrics } from './core/metrics.ts'
import { openApi } from './core/openapi.ts'
import { sameSecret } from './core/secrets.ts'

export interface OperationsParts {
  readonly db: Db
  readonly calls: Calls
  readonly metrics: Metrics
  /** Lets others than this machine read the metrics. */
  readonly metricsToken: string | undefined
  /** What is away that can be done without. */
  readonly away: () => string | undefined
}

/** Registers /healthz, /metrics and openapi.json. */
export function serveOperations(http: FastifyInstance, parts: OperationsParts): void {
  const { db, metrics, metricsToken } = parts
  // Making it takes as long as the rest of a start.
  let description: ReturnType<typeof openApi> | undefined
  http.get('/services2/openapi.json', () => Promise.resolve((description ??= openApi(parts.calls))))
  http.get('/healthz', async (_request, reply) => {
    try {
      // The first start makes one: before that nobody could sign in.
      const account = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
      if (account === undefined) return await reply.status(503).send({ status: 'starting' })
      const away = parts.away()
      return { status: 'ok', ...(away !== undefined && { away }) }
    } catch {
      return reply.status(503).send({ status: 'database unreachable' })
    }
  })
  http.get('/metrics', async (request, reply) => {
    // What a proxy on this machine passes on comes from loopback too, yet not from an operator here.
    const forwarded = request.headers['x-forwarded-for'] ?? request.headers['forwarded']
    const loopback = forwarded === undefined && /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const known = bearer !== undefined && metricsToken !== undefined && sameSecret(bearer, metricsToken)
    if (!loopback && !known) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await metrics.text())
  })
}
