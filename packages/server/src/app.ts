// Joins the server: what it has one of, which handler answers which call, what runs in the background.
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { calls, PUSH_PATH, pushes } from '@cloudoc/contract'
import { codeMessage, codes, partBytesOf, rightsGroup } from '@cloudoc/domain'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import type { S3Config } from './config.ts'
import type { Packing } from './core/blobs/local-packs.ts'
import { openStore } from './core/blobs/open-store.ts'
import type { BlobStore } from './core/blobs/store.ts'
import { compressAnswers } from './core/call/compress.ts'
import {
  createPerformer,
  type DispatcherParts,
  localeOf,
  refusalOf,
  registerCalls,
  statusOf,
} from './core/call/dispatcher.ts'
import { refuseUnreadable } from './core/call/unreadable.ts'
import { followClock } from './core/clock.ts'
import { openDatabase } from './core/db/database.ts'
import { createInvalidations, createInvalidationsTidier } from './core/db/invalidations.ts'
import { assertSafe, migrate } from './core/db/migrate.ts'
import { refuseHalfRestored } from './core/db/restoring.ts'
import type { DatabaseTarget } from './core/db/target.ts'
import { elect, pause } from './core/elected.ts'
import { createNatsFanout, createPostgresFanout, type Fanout } from './core/fanout.ts'
import { endIdleConnections } from './core/idle-connections.ts'
import { foldTallies, removeExpired } from './core/jobs.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { openApi } from './core/openapi.ts'
import { createHub, eventsTopic, pushHandlers, sequenceBatch } from './core/push/index.ts'
import { loadSecrets, sameSecret } from './core/secrets.ts'
import { createSettings } from './core/settings.ts'
import { createStoredVersions, endSecrets } from './drive/content/index.ts'
import { fileHandlers } from './drive/files/index.ts'
import { createLibrary, visibleLibraries } from './drive/libraries/index.ts'
import { endEditLocks, lockHandlers } from './drive/locks/index.ts'
import { holdWorkspaces, quotaHandlers } from './drive/quotas/index.ts'
import { purgeChunk, recycleHandlers } from './drive/recycle/index.ts'
import { itemAudience, rightsHandlers } from './drive/rights/index.ts'
import { indexNames, namesAtOnce, searchHandlers } from './drive/search/index.ts'
import { createUploads, serveTus, transferHandlers, uploadObjects } from './drive/transfer/index.ts'
import { createFirstPages, createGatekeeper, recordOf } from './drive/tree/index.ts'
import { authenticate, authHandlers, cookieOf, createSessions, sessionCookie } from './people/auth/index.ts'
import { type OrganisationHooks, organisationHandlers } from './people/organisation/index.ts'
import { type RemoteTimes, serverHandlers } from './system/servers/index.ts'
import { damagedContents, keepUp } from './system/upkeep/index.ts'
import { serveWeb } from './web-pages.ts'

/** What an installation is made of; tests and main.ts fill it differently. */
export interface AppOptions {
  readonly database: DatabaseTarget
  /** No other process writes to the database: it is embedded in this one. */
  readonly ownsDatabase?: boolean
  readonly blobDir: string
  /** Where the contents lie instead. */
  readonly s3?: S3Config | undefined
  /** Folder of the built web client. */
  readonly webDir?: string
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly trustedProxies?: readonly string[]
  readonly metricsToken?: string | undefined
  /** In how many days every content is read again; absent or 0: never. */
  readonly scrubDays?: number
  readonly log: Log
  /** The clock, instead of the one that all processes share; tests fix it. */
  readonly now?: () => number
  /** Milliseconds on a clock that is never set; tests move it on. */
  readonly steady?: () => number
  /** Checks every answer against its schema. */
  readonly strictAnswers?: boolean
  /** Refuses a database that could lose data; tests run on one without fsync. */
  readonly allowUnsafeDatabase?: boolean
  /** A named point that tests can stop at. */
  readonly pause?: (point: string) => Promise<void>
  /** Opens the store of contents; tests give one that remembers or fails. */
  readonly openBlobs?: (pause: (point: string) => Promise<void>) => Promise<BlobStore>
  /** Bytes of a part of an upload; tests take small ones. */
  readonly partBytes?: number
  /** When small contents share files, in a folder; tests let all of them do so. */
  readonly packing?: Packing
  /** How long linked servers may take; tests take short times. */
  readonly remoteTimes?: RemoteTimes | undefined
  /** Takes part in the elected work; on unless a test needs a process that never does. */
  readonly elected?: boolean
  /** Connections to the database, beside two for background work. */
  readonly connections?: number
  /** NATS that carries the nudges between processes; absent: PostgreSQL does. */
  readonly fanoutUrl?: string | undefined
  /** Nudges between processes; tests give one that is deaf. */
  readonly fanout?: Fanout
}

export interface App {
  readonly http: FastifyInstance
  readonly db: ReturnType<typeof openDatabase>['db']
  readonly blobs: BlobStore
  readonly hooks: OrganisationHooks
  /** Sequences and delivers everything committed so far; background work does the same on its own. */
  readonly settle: () => Promise<void>
  close(): Promise<void>
}

const jobEveryMs = 1000
const batchEveryMs = 20
/** Names wait so long for their index, where searches find them all the same; together they cost less. */
const namesEveryMs = 5000
/** A stop waits so long for requests in flight, and so long for background work; then both are cut off. */
const drainMs = 1500
const backgroundMs = 500
const expiryEveryMs = 60_000
const dayMs = 24 * 60 * 60_000

/** Rights that everybody in the company, and everybody in a department, start with in their library. */
const hooks: OrganisationHooks = {
  async accountCreated(tx, { id, name, now }) {
    await createLibrary(tx, { kind: 'personal', name, ownerId: id, createdBy: id, now })
  },
  async groupCreated(tx, { id, name, now, by }) {
    await holdWorkspaces(tx, by)
    const entry = { groupId: id, rights: rightsGroup.edit }
    const people = { createdBy: by.accountId, managerIds: [by.accountId] }
    await createLibrary(tx, { kind: 'department', name, groupId: id, now, ...people, entry })
  },
}

/** Does some work again and again until the signal, also when it fails. */
async function again(signal: AbortSignal, log: Log, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work(signal)
    } catch (error) {
      log.error({ err: error }, 'background work failed and is tried again')
      await pause(jobEveryMs, signal)
    }
  }
}

/** Opens everything; the HTTP server does not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { log } = options
  const pausePoint = options.pause ?? (() => Promise.resolve())
  const strictAnswers = options.strictAnswers ?? false
  const database = openDatabase(options.database, options.connections)
  const { db } = database
  try {
    await refuseHalfRestored(db)
    await migrate(options.database)
    if (options.allowUnsafeDatabase !== true) await assertSafe(db)
  } catch (error) {
    await database.close()
    throw error
  }
  const clock = await followClock(db, log)
  const now = options.now ?? clock.now
  const secrets = await loadSecrets(db)
  const settings = createSettings(db)
  const blobs = await (options.openBlobs?.(pausePoint) ??
    openStore({ s3: undefined, ...options }, log, pausePoint, options.packing))
  const invalidations = createInvalidations(db, { writes: options.ownsDatabase === true ? database.writes : undefined })
  const sessions = createSessions(db, settings, invalidations)
  const fanout = options.fanout ?? fanoutOf(options, secrets.epoch)

  const hub = createHub({
    db,
    fanout,
    log,
    now,
    strictAnswers,
    epoch: secrets.epoch,
    pushes,
    audiences: { item: itemAudience },
    steady: options.steady ?? (() => performance.now()),
    sessions,
  })

  // Nudged by every commit of this process, and through the fan-out by those of others.
  let wakeSequencer: () => void = () => {}
  const committedTopic = 'cloudoc_committed'
  const elected =
    options.elected === false
      ? undefined
      : elect(options.database, async (signal) => {
          const cycleMs = (options.scrubDays ?? 0) * dayMs
          // Each by itself: who writes on and on holds up no chore, and no chore holds up what people are told.
          await Promise.all([
            again(signal, log, numberEvents),
            again(signal, log, createChores()),
            keepUp({ db, blobs, now, log, pause: pausePoint, cycleMs }, signal),
          ])
        })

  /** Numbers what has been committed and tells of it; waits for more. */
  async function numberEvents(signal: AbortSignal): Promise<void> {
    const nudged = new Promise<void>((resolve) => {
      wakeSequencer = resolve
    })
    while (!signal.aborted && (await sequenceBatch(db, pausePoint)) > 0) {
      hub.wake()
      await fanout.publish(eventsTopic)
      // Under load one batch numbers what many writers committed meanwhile.
      await pause(batchEveryMs, signal)
    }
    await Promise.race([nudged, pause(jobEveryMs, signal)])
  }

  /** What is put off for the moment: names to be indexed, sums to be folded, what is deleted for good or has expired. */
  function createChores(): (signal: AbortSignal) => Promise<void> {
    const tidyInvalidations = createInvalidationsTidier(db)
    let nextExpiry = 0
    let nextNames = 0
    return async (signal) => {
      if (performance.now() >= nextNames && (await indexNames(db)) < namesAtOnce)
        nextNames = performance.now() + namesEveryMs
      await foldTallies(db)
      const purged = await purgeChunk(db)
      if (now() >= nextExpiry) {
        nextExpiry = now() + expiryEveryMs
        await removeExpired(db, now())
        await tidyInvalidations()
        while ((await endSecrets(db, now())) > 0);
        while ((await endEditLocks(db, now())) > 0);
      }
      if (purged === 0 && performance.now() < nextNames) await pause(jobEveryMs, signal)
    }
  }

  fanout.subscribe(committedTopic, () => wakeSequencer())
  const committed = (): void => {
    if (elected?.holding() === true) wakeSequencer()
    else void fanout.publish(committedTopic)
  }

  const metrics = createMetrics({
    sockets: () => hub.size,
    holding: () => elected?.holding() === true,
    damaged: () => damagedContents(db),
  })

  // What goes wrong before a call is reached: a body that cannot be read, an address that cannot be decoded.
  const refuse = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const code = refusalOf(error)?.code ?? 'serverException'
    if (code === 'serverException') log.error({ err: error }, 'a request failed')
    return reply
      .status(statusOf(code))
      .send({ result: codes[code].code, data: null, msg: codeMessage(code, localeOf(request)) })
  }

  const http = fastify({
    logger: false,
    frameworkErrors: (error, request, reply) => void refuse(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: refuseUnreadable,
    trustProxy:
      options.trustedProxies !== undefined && options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    serverFactory: (handler) => {
      // Limits of a connection belong to the constructor, or slow clients stay; downloads name many items in one line.
      const limits = {
        headersTimeout: 30_000,
        requestTimeout: 0,
        connectionsCheckingInterval: 10_000,
        maxHeaderSize: 160 * 1024,
      }
      const server =
        options.tls === undefined
          ? createHttpServer(limits, handler)
          : createHttpsServer({ ...limits, ...options.tls }, handler)
      server.keepAliveTimeout = 15_000
      endIdleConnections(server)
      return server
    },
  }) as unknown as FastifyInstance

  let closing = false
  http.addHook('onRequest', (_request, reply, done) => {
    if (closing) reply.header('connection', 'close')
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'SAMEORIGIN')
    done()
  })
  compressAnswers(http)
  http.setErrorHandler(refuse)

  const dispatching: DispatcherParts = {
    db,
    log,
    now,
    strictAnswers,
    committed,
    pause: pausePoint,
    catchUp: () => invalidations.catchUp(),
    gatekeeper: createGatekeeper(db, now, invalidations),
    objects: [uploadObjects],
    addressOf: (request) => request.ip,
    authenticate: (request, how) => authenticate({ db, sessions, invalidations, now }, request, how),
    stillActs: async (actor) => ({ ...actor, ...(await sessions.byId(actor.sessionId, now())) }),
    async actingAnew(tx, sessionIds) {
      return (await sessions.byIds(sessionIds, now(), tx)).actors
    },
    observe: (call, milliseconds, result) => metrics.observe(call, milliseconds, result),
  }
  const partBytes = (size: number) => options.partBytes ?? partBytesOf(size)
  const uploads = createUploads({ blobs, partBytes, pause: pausePoint })
  const perform = createPerformer(dispatching)
  registerCalls(
    http,
    calls,
    {
      ...authHandlers({
        secrets,
        settings,
        async rootFolders(reader, actor, at) {
          return (await visibleLibraries(reader, actor, at)).map((access) => {
            const { fId, fName, itemIdStr, rights } = recordOf(access, actor)
            return { fId, fName, fType: 2, itemIdStr, rights, kind: access.library.kind }
          })
        },
      }),
      ...organisationHandlers(hooks),
      ...fileHandlers({ blobs, firstPages: createFirstPages(invalidations) }),
      ...lockHandlers(),
      ...recycleHandlers(),
      ...searchHandlers(),
      ...rightsHandlers(),
      ...quotaHandlers(),
      ...transferHandlers({ blobs, uploads, storedVersion: createStoredVersions(db, invalidations), log }),
      ...serverHandlers({ blobs }, options.remoteTimes),
      ...pushHandlers(),
    },
    perform,
  )
  serveTus(http, { uploads, perform })

  const description = openApi(calls)
  http.get('/services2/openapi.json', () => Promise.resolve(description))
  http.get('/healthz', async (_request, reply) => {
    try {
      // The first start makes one: before that nobody could sign in.
      const account = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
      if (account === undefined) return await reply.status(503).send({ status: 'starting' })
      return { status: 'ok', ...(fanout.away !== undefined && { away: fanout.away }) }
    } catch {
      return reply.status(503).send({ status: 'database unreachable' })
    }
  })
  http.get('/metrics', async (request, reply) => {
    // What a proxy on this machine passes on comes from loopback too, yet not from an operator here.
    const forwarded = request.headers['x-forwarded-for'] ?? request.headers['forwarded']
    const loopback = forwarded === undefined && /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const known = bearer !== undefined && options.metricsToken !== undefined && sameSecret(bearer, options.metricsToken)
    if (!loopback && !known) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await metrics.text())
  })
  serveWeb(http, options.webDir)

  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 4096 })
  http.server.on('upgrade', (request, socket, head) => {
    // Until ws takes the socket over nobody else listens for its errors, and one without a listener ends the process.
    socket.on('error', () => socket.destroy())
    const pathname = URL.parse(request.url ?? '/', 'http://localhost')?.pathname
    const origin = request.headers.origin
    const sameOrigin = origin === undefined || URL.parse(origin)?.host === request.headers.host
    if (pathname !== PUSH_PATH || closing) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
      return
    }
    // The cookie of a page counts only for pages of our own.
    const cookie = origin !== undefined && sameOrigin ? cookieOf(request, sessionCookie) : undefined
    sockets.handleUpgrade(request, socket, head, (opened) => hub.accept(opened, cookie))
  })

  return {
    http,
    db,
    blobs,
    hooks,
    async settle() {
      while ((await sequenceBatch(db, pausePoint)) > 0) hub.wake()
      hub.wake()
    },
    async close() {
      closing = true
      await hub.close()
      const cut = setTimeout(() => http.server.closeAllConnections(), drainMs)
      http.server.closeIdleConnections()
      await http.close()
      clearTimeout(cut)
      clock.close()
      const background = Promise.all([elected?.stop(), fanout.close()])
      await Promise.race([background, delay(backgroundMs, undefined, { ref: false })])
      await database.close()
      await blobs.close()
    },
  }
}

function fanoutOf({ database, fanoutUrl, log }: AppOptions, installation: string): Fanout {
  const fallback = createPostgresFanout(database)
  return fanoutUrl === undefined ? fallback : createNatsFanout({ url: fanoutUrl, installation, log, fallback })
}
