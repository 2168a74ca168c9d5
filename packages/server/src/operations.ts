// Endpoints for operators and programs besides the calls: health, metrics and the API description.
import type { FastifyInstance } from 'fastify'
import type { DatabaseWatch } from './core/db/watch.ts'
import { asyncApi } from './core/describe/asyncapi.ts'
import { openApi } from './core/describe/openapi.ts'
import type { Feature } from './core/feature.ts'
import type { Metrics } from './core/metrics.ts'
import { sameSecret } from './core/secrets.ts'

const json = (description: string, schema: object = { type: 'object' }): object => ({
  description,
  content: { 'application/json': { schema } },
})
const isWell = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string' },
    away: {
      type: 'string',
      description: 'What is away without which a part can be done: contents, room for contents, NATS.',
    },
  },
}
const described = (operationId: string, summary: string, more: string): object => ({
  operationId,
  tags: ['operations'],
  summary,
  description: more,
  security: [],
})
const notFound = { 404: { $ref: '#/components/responses/NotFound' } }

/** Their description in openapi.json. */
const operationPaths = {
  '/healthz': {
    get: {
      ...described('healthz', 'Tells whether the server can answer', 'For whoever watches it.'),
      responses: {
        200: json('it can', isWell),
        503: json('it starts or stops, or its database is away', isWell),
        ...notFound,
      },
    },
  },
  '/metrics': {
    get: {
      ...described(
        'metrics',
        'Figures for Prometheus',
        'For this machine, and for who sends METRICS_TOKEN as bearer; for others it is not there.',
      ),
      security: [{}, { bearer: [] }],
      responses: {
        200: { description: 'figures', content: { 'text/plain': { schema: { type: 'string' } } } },
        ...notFound,
      },
    },
  },
  '/services2/asyncapi.json': {
    get: {
      ...described('asyncapi', 'The description of the live channel', 'AsyncAPI 3.1.'),
      responses: {
        200: json('the description of the live channel'),
        500: { $ref: '#/components/responses/ServerException' },
        ...notFound,
      },
    },
  },
  '/services2/openapi.json': {
    get: {
      ...described('openapi', 'This description', 'OpenAPI 3.1.'),
      responses: {
        200: json('this description'),
        500: { $ref: '#/components/responses/ServerException' },
        ...notFound,
      },
    },
  },
} as const

export interface OperationsParts {
  readonly watch: DatabaseWatch
  /** Whether the server is about to stop, and load balancers should avoid it. */
  readonly isStopping: () => boolean
  readonly features: readonly Feature[]
  readonly metrics: Metrics
  /** Lets other machines read the metrics. */
  readonly metricsToken: string | undefined
  /** Unavailable services without which the server still works in part; answered within two seconds. */
  readonly away: () => Promise<readonly string[]>
}

const describe = (features: readonly Feature[]): ReturnType<typeof openApi> =>
  openApi(
    features.flatMap(({ wire }) => wire ?? []),
    Object.assign({}, ...features.map(({ paths }) => paths), operationPaths) as Record<string, object>,
  )

/** Registers /healthz, /metrics and openapi.json. */
export function serveOperations(http: FastifyInstance, parts: OperationsParts): void {
  const { watch, metrics, metricsToken } = parts
  // Generated on demand: it takes as long as the rest of a start.
  let description: ReturnType<typeof openApi> | undefined
  http.get('/services2/openapi.json', () => Promise.resolve((description ??= describe(parts.features))))
  let channel: ReturnType<typeof asyncApi> | undefined
  http.get('/services2/asyncapi.json', () =>
    Promise.resolve((channel ??= asyncApi(parts.features.flatMap(({ wire }) => wire ?? [])))),
  )
  http.get('/healthz', async (_request, reply) => {
    if (parts.isStopping()) return reply.status(503).send({ status: 'stopping' })
    // The first start creates an account; before that nobody can sign in.
    const [accounts, away] = await Promise.all([
      watch.ask((db) => db.selectFrom('account').select('id').limit(1).execute()).catch(() => undefined),
      parts.away(),
    ])
    if (accounts === undefined) return reply.status(503).send({ status: 'database unreachable' })
    if (accounts.length === 0) return reply.status(503).send({ status: 'starting' })
    return { status: 'ok', ...(away.length > 0 && { away: away.join(', ') }) }
  })
  http.get('/metrics', async (request, reply) => {
    // Requests forwarded by a proxy on this machine come from loopback too, but not from a local operator.
    const forwarded = request.headers['x-forwarded-for'] ?? request.headers['forwarded']
    const loopback = forwarded === undefined && /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const known = bearer !== undefined && metricsToken !== undefined && sameSecret(bearer, metricsToken)
    if (!loopback && !known) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await metrics.text())
  })
}
