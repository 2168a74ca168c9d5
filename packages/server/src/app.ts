// Assembles the server: the services of a process, and its features, which are listed in features.ts.

import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Calls,
  type InstallationSetting,
  join,
  type PushCatalogue,
  pushesOf,
  servesOldChannel,
} from '@cloudoc/contract'
import { controlAddress, denial, editControlAddress, gates, partBytesOf } from '@cloudoc/domain'
import type { FastifyInstance } from 'fastify'
import { runningBuild } from './build.ts'
import type { Certificate, ClamdAddress, S3Config } from './config.ts'
import type { AccountActor } from './core/actor.ts'
import type { Packing } from './core/blobs/local-packs.ts'
import { openStore } from './core/blobs/open-store.ts'
import type { BlobStore } from './core/blobs/store.ts'
import { watchStore } from './core/blobs/watched-store.ts'
import { admissions, joinAdmissions } from './core/call/admission.ts'
import type { BodyTimes } from './core/call/body-time.ts'
import { createCallPerformer, createPerformers, createPerformerWithin, registerCalls } from './core/call/dispatcher.ts'
import type { Handlers } from './core/call/implement.ts'
import { type Chore, runChores } from './core/chores.ts'
import { followClock } from './core/clock.ts'
import { findFonts } from './core/confined/fonts.ts'
import { createOcr } from './core/confined/ocr.ts'
import { createOffice, type Office } from './core/confined/office.ts'
import { createWasmOffice } from './core/confined/wasm-office.ts'
import type { Counter } from './core/counters.ts'
import { defaultConnections, openDatabase } from './core/db/database.ts'
import { assertDurable, assertFit } from './core/db/fitness.ts'
import { createInvalidations } from './core/db/invalidations.ts'
import { isMigrated, migrate } from './core/db/migrate.ts'
import { refuseHalfRestored } from './core/db/restoring.ts'
import { createRefusals } from './core/db/tables.ts'
import type { DatabaseTarget } from './core/db/target.ts'
import { type WatchTimes, watchDatabase } from './core/db/watch.ts'
import { contributedBy } from './core/extension-points.ts'
import { createNatsFanout, createPostgresFanout, type Fanout } from './core/fanout.ts'
import type { Feature, FeatureParts } from './core/feature.ts'
import { elect } from './core/leader-election.ts'
import { remainingLeavers } from './core/leavers.ts'
import type { Log } from './core/log.ts'
import { createMetrics, type Gauge, type Metrics } from './core/metrics.ts'
import type { Audiences } from './core/push/audience.ts'
import {
  createHub,
  createReaders,
  createSequencer,
  eventsTopic,
  type Hub,
  readBatch,
  sequenceBatch,
  socketRoutes,
  upgradeToPush,
} from './core/push/index.ts'
import { createQueue } from './core/queue/queue.ts'
import { createCommit } from './core/reactions.ts'
import { loadSecrets } from './core/secrets.ts'
import type { FillDemo, Services } from './core/services.ts'
import { createSettings } from './core/settings.ts'
import { createGatekeeper } from './drive/tree/index.ts'
import { officeOrigin } from './editing/wopi/index.ts'
import { clientAddress, openHttp } from './http-server.ts'
import { allFeatures, installationOf } from './installation.ts'
import { serveOperations } from './operations.ts'
import {
  authenticate,
  cookieOf,
  createSessions,
  isAdmitted,
  isAllowed,
  type Sessions,
  sessionCookie,
} from './people/auth/index.ts'
import { serveWeb } from './web-pages.ts'

/** The options of an installation; tests and main.ts set them differently. */
export interface AppOptions {
  readonly database: DatabaseTarget
  /** The database is embedded in this process, so no other process writes to it. */
  readonly ownsDatabase?: boolean
  readonly blobDir: string
  /** The S3 store of the blobs, instead of the folder. */
  readonly s3?: S3Config | undefined
  /** Folder of the built web client. */
  readonly webDir?: string
  /** Folders with the files of former releases of the web client, newest first. */
  readonly formerAssets?: readonly string[]
  /** Folder with the settings file of clients, `setting.json` ([R369]). */
  readonly customDir?: string
  readonly tls?: Certificate | undefined
  /** Reads the certificate from its files, which may have been renewed. */
  readonly readCertificate?: () => Certificate | undefined
  readonly trustedProxies?: readonly string[]
  /** Folder of backups from the console. By default beside the contents. */
  readonly backupDir?: string
  /** Whether every request is logged. */
  readonly accessLog?: boolean
  /** The public address of the server, for links. */
  readonly publicUrl?: string | undefined
  readonly metricsToken?: string | undefined
  /** Timeouts of bodies sent by unknown or refused callers; tests use short ones. */
  readonly bodyTimes?: BodyTimes
  /** Every blob is read again within this many days; absent or 0: never. */
  readonly scrubDays?: number
  /** Scans uploads for viruses; absent: no scan. */
  readonly clamd?: ClamdAddress | undefined
  /** The public key (SPKI in PEM) of whoever issues licences; absent: no licence is demanded. */
  readonly licenceKey?: string | undefined
  /** Fills the installation with the demo company; absent: it is not offered. */
  readonly fillDemo?: FillDemo | undefined
  /** The LibreOffice executable; absent: only the built-in readers are used. */
  readonly soffice?: string | undefined
  /** The folder of LibreOffice's WebAssembly build, used where there is no executable. */
  readonly wasmOffice?: string | undefined
  /** A folder of fonts that the operator adds for it. */
  readonly fonts?: string | undefined
  /** The Tesseract executable; absent: no text recognition. */
  readonly tesseract?: string | undefined
  readonly log: Log
  /** The clock, instead of the one shared by all processes; tests set it. */
  readonly now?: () => number
  /** A monotonic clock in milliseconds; tests advance it. */
  readonly steady?: () => number
  /** Checks every answer against its schema. */
  readonly strictAnswers?: boolean
  /** Accepts a database that could lose data; tests run on one without fsync. */
  readonly allowUnsafeDatabase?: boolean
  /** A named point where tests can pause. */
  readonly pause?: (point: string) => Promise<void>
  /** Opens the blob store; tests pass one that records or fails. */
  readonly openBlobs?: (pause: (point: string) => Promise<void>) => Promise<BlobStore>
  /** Bytes per part of an upload; tests use small ones. */
  readonly partBytes?: number
  /** When small blobs share files in a folder; in tests all of them do. */
  readonly packing?: Packing
  /** Takes part in background work; true unless a test needs a process that never does. */
  readonly elected?: boolean
  /** Number of database connections, besides four for background work. */
  readonly connections?: number
  /** Timeouts of an unresponsive database; tests use short ones. */
  readonly databaseTimes?: WatchTimes & { readonly connectWithinMs: number }
  /** The NATS server that carries nudges between processes; absent: PostgreSQL does. */
  readonly fanoutUrl?: string | undefined
  /** The features of the server; tests add their own. */
  readonly features?: readonly Feature[]
  /** Nudges between processes; tests pass one that drops them. */
  readonly fanout?: Fanout
}

export interface App {
  readonly http: FastifyInstance
  readonly db: Services['db']
  readonly blobs: BlobStore
  /** The services of every feature. */
  readonly services: Services
  /** Sequences and delivers everything committed so far; background work does the same by itself. */
  readonly settle: () => Promise<void>
  /** From now on /healthz reports that the server is about to stop; everything else continues. */
  announceStop(): void
  /** Closes everything; running transfers may finish first, for that long. */
  close(transfersMs?: number): Promise<void>
}

/** The default time a stop waits for requests in flight, and for background work. */
const usualTransfersMs = 1500
const backgroundMs = 500
const dayMs = 24 * 60 * 60_000

const offersOldChannel = ({ setting, old_push }: InstallationSetting): boolean =>
  servesOldChannel({ ...setting, old_push })

/** What everything else is opened on: the database, which is migrated, the clock, the store of contents. */
async function openBase(options: AppOptions, metrics: Metrics) {
  const pause = options.pause ?? (() => Promise.resolve())
  const { migrations } = installationOf(options.features ?? allFeatures)
  const { connections: size = defaultConnections } = options
  const time = { now: options.now ?? Date.now }
  const database = openDatabase(options.database, size, {
    now: () => time.now(),
    connectWithinMs: options.databaseTimes?.connectWithinMs,
    waited: (milliseconds) => metrics.waited(milliseconds),
  })
  const { db } = database
  try {
    await refuseHalfRestored(db)
    const isReady = await isMigrated(db, migrations)
    if (options.allowUnsafeDatabase !== true) await assertDurable(db)
    if ('url' in options.database) await assertFit(options.database, size)
    if (!isReady) await migrate(options.database, migrations, { log: options.log })
  } catch (error) {
    await database.close()
    throw error
  }
  const watch = watchDatabase(database, options.log, options.databaseTimes)
  const { log } = watch
  const clock = await followClock(db, log)
  const now = options.now ?? clock.now
  time.now = now
  const secrets = await loadSecrets(db)
  const settings = createSettings(db)
  const store = await (options.openBlobs?.(pause) ??
    openStore({ s3: undefined, ...options }, log, pause, options.packing))
  const blobs = watchStore(
    store,
    (operation, milliseconds, failed) => metrics.stored(operation, milliseconds, failed),
    log,
  )
  const invalidations = createInvalidations(db, { writes: options.ownsDatabase === true ? database.writes : undefined })
  const fanout = options.fanout ?? fanoutOf(options, secrets.epoch)
  return { database, db, watch, log, clock, now, pause, secrets, settings, blobs, invalidations, fanout }
}
type Base = Awaited<ReturnType<typeof openBase>>

/** What services find only when all features are started. */
interface Started extends Pick<Joined, 'reactions' | 'counters' | 'audiences' | 'leavers' | 'contributed'> {
  readonly hub: Pick<Hub, 'listening' | 'say' | 'present'>
  readonly gatekeeper: Pick<ReturnType<typeof createGatekeeper>, 'accessEach'>
}

function servicesOf(options: AppOptions, base: Base, queue: Services['queue'], started: () => Started): Services {
  const { db, blobs, log, now, pause, secrets, settings, invalidations, fanout } = base
  const features = options.features ?? allFeatures
  const backupDir = options.backupDir ?? resolve(dirname(options.blobDir), 'backups')
  const services: Services = {
    ...{ db, blobs, log, now, pause, secrets, settings, invalidations, queue, fanout },
    commit: createCommit(() => started().reactions),
    pushes: join<PushCatalogue>(
      features.map(({ wire }) => wire && pushesOf(wire)),
      'push',
    ),
    tables: installationOf(features).tables,
    counters: () => started().counters,
    audiences: () => started().audiences,
    leavers: () => started().leavers,
    contributed: (point) => started().contributed(point),
    listening: () => started().hub.listening(),
    say: (sessionIds, push) => started().hub.say(sessionIds, push),
    async meet(reader, asked) {
      // The callers are not calls, which have caught up at their start: logins to the live channel and waiting mails.
      await invalidations.catchUp()
      return started().gatekeeper.accessEach(reader, asked)
    },
    async sees(reader, asked) {
      const met = await services.meet(reader, asked)
      return met.map((access) => access !== undefined && denial(gates.see, access.facts) === undefined)
    },
    partBytes: (size) => options.partBytes ?? partBytesOf(size),
    present: () => started().hub.present(),
    publicUrl: options.publicUrl,
    certificate: () => (options.readCertificate?.() ?? options.tls)?.cert,
    backups: {
      folder: backupDir,
      target: options.database,
      product: runningBuild().version,
      isBesideData: backupDir.startsWith(dirname(options.blobDir)),
    },
    scrubCycleMs: (options.scrubDays ?? 0) * dayMs,
    clamd: options.clamd,
    licenceKey: options.licenceKey,
    fillDemo: options.fillDemo,
    office: officeOf(options),
    ocr: options.tesseract === undefined ? undefined : createOcr(options.tesseract),
  }
  return services
}

/** The parts of all features, joined by kind. */
function joinParts(parts: readonly FeatureParts[], tables: Services['tables']) {
  const spoken = parts.flatMap((part) => part.leavers ?? [])
  return {
    jobs: parts.flatMap((part) => part.jobs ?? []),
    reactions: parts.flatMap((part) => part.reactions ?? []),
    leavers: [...spoken, ...remainingLeavers(tables, spoken)],
    contributed: contributedBy(parts.flatMap((part) => part.contributions ?? [])),
    counters: join<Readonly<Record<string, Counter>>>(
      parts.map((part) => part.counters),
      'counter',
    ),
    audiences: join<Audiences>(
      parts.map((part) => part.audiences),
      'audience',
    ),
    readers: parts.flatMap((part) => part.readers ?? []),
    chores: parts.flatMap((part) => part.chores ?? []),
    gauges: parts.flatMap((part) => part.gauges ?? []),
    handlers: join<Handlers<Calls>>(
      parts.map((part) => part.handlers),
      'handler',
    ),
  }
}
type Joined = ReturnType<typeof joinParts>

/** The gauges of the process itself. */
function processGauges(
  { database, watch, blobs }: Base,
  { schema, hub, isLeader }: { readonly schema: string; readonly hub: Hub; readonly isLeader: () => boolean },
): readonly Gauge[] {
  return [
    {
      name: 'cloudoc_build_info',
      help: 'The build that runs.',
      labels: ['version', 'commit', 'schema'],
      read: () => Promise.resolve([{ labels: { ...runningBuild(), schema }, value: 1 }]),
    },
    {
      name: 'cloudoc_database_connections',
      help: 'Connections to the database that are in use or idle, and who waits for one.',
      labels: ['state'],
      read() {
        const { busy, idle, waiting } = database.use()
        return Promise.resolve(
          Object.entries({ busy, idle, waiting }).map(([state, value]) => ({ labels: { state }, value })),
        )
      },
    },
    {
      name: 'cloudoc_database_answer_seconds',
      help: 'Time that the shortest question takes now.',
      read: () => watch.latency(),
    },
    {
      name: 'cloudoc_store_reachable',
      help: '1 while the store of contents answers and has room.',
      read: async () => ((await blobs.away()) === undefined ? 1 : 0),
    },
    { name: 'cloudoc_push_sockets', help: 'Open push channels.', read: () => hub.size },
    {
      name: 'cloudoc_elected',
      help: '1 while this process does the elected work.',
      read: () => (isLeader() ? 1 : 0),
    },
  ]
}

/** The live channel: its sockets, the positions of events, and who reads them. */
function openPush(
  options: AppOptions,
  base: Base,
  {
    services,
    audiences,
    sessions,
    isLeader,
  }: {
    readonly services: Services
    readonly audiences: Audiences
    readonly sessions: Sessions
    readonly isLeader: () => boolean
  },
) {
  const { db, log, now, pause, secrets, fanout } = base
  // Programs ask; channels are for people.
  const mayListen = (actor: AccountActor, address: string): boolean =>
    actor.program === undefined && isAllowed(actor.settings, address) && isAdmitted(actor, address, now())
  const hub = createHub({
    ...{ db, fanout, log, now, audiences, sessions },
    sees: services.sees,
    mayCome: (actor, { address, wire }) =>
      mayListen(actor, address) && (wire.name === 'json' || offersOldChannel(actor.settings)),
    strictAnswers: options.strictAnswers ?? false,
    epoch: secrets.epoch,
    pushes: services.pushes,
    steady: options.steady ?? (() => performance.now()),
  })
  const readers = createReaders({ db, now, committed: () => sequencer.committed() })
  const sequencer = createSequencer({
    ...{ db, fanout, pause, isLeader },
    async numbered() {
      hub.wake()
      readers.wake()
      await fanout.publish(eventsTopic)
    },
  })
  return { hub, readers, sequencer, mayListen }
}
type Live = ReturnType<typeof openPush>

/** The work of the elected process. */
const electedChores = ({ readers: eventReaders, chores }: Joined, { readers, sequencer }: Live): readonly Chore[] => [
  { name: 'positions of events', everyMs: 0, run: (signal) => sequencer.number(signal) },
  ...eventReaders.map((reader) => ({
    name: `events ${reader.name}`,
    everyMs: 0,
    run: (signal: AbortSignal) => readers.run(reader, signal),
  })),
  ...chores.filter(({ everywhere }) => everywhere !== true),
]

interface Served {
  readonly services: Services
  readonly parts: readonly FeatureParts[]
  readonly joined: Joined
  readonly live: Live
  readonly sessions: Sessions
  readonly gatekeeper: ReturnType<typeof createGatekeeper>
  readonly metrics: Metrics
  readonly closing: () => boolean
  readonly isAnnounced: () => boolean
}

/** The HTTP server with the calls of all features, their other addresses, the page and the live channel. */
function serveHttp(options: AppOptions, base: Base, served: Served): FastifyInstance {
  const { db, log, now, pause, settings, invalidations, blobs, fanout, watch } = base
  const { services, parts, joined, live, sessions, gatekeeper, metrics, closing, isAnnounced } = served
  const features = options.features ?? allFeatures
  const http = openHttp({ ...options, closing: () => isAnnounced() || closing(), isDraining: isAnnounced })
  const { perform, within } = createPerformers({
    ...{ db, log, now, pause, gatekeeper },
    strictAnswers: options.strictAnswers ?? false,
    commit: services.commit,
    refusalOfRow: createRefusals(services.tables),
    admit: joinAdmissions(joined.contributed(admissions)),
    committed: () => live.sequencer.committed(),
    catchUp: () => invalidations.catchUp(),
    objects: parts.flatMap((part) => part.objects ?? []),
    outsiders: parts.flatMap((part) => part.outsiders ?? []),
    addressOf: (request) => request.ip,
    authenticate: (request, how) => authenticate({ db, sessions, invalidations, now }, request, how),
    stillActs: async (actor) => ({ ...actor, ...(await sessions.byId(actor.sessionId, now())) }),
    async actingAnew(tx, sessionIds) {
      return (await sessions.byIds(sessionIds, now(), tx)).actors
    },
    observe: (call, milliseconds, result) => metrics.observe(call, milliseconds, result),
  })
  const calls = join<Calls>(
    features.map((feature) => feature.wire?.calls),
    'call',
  )
  registerCalls(http, calls, joined.handlers, perform)
  const performCall = createCallPerformer(calls, joined.handlers, perform)
  const performWithin = createPerformerWithin(calls, joined.handlers, within)
  for (const part of parts) part.routes?.(http, perform, performCall, performWithin)
  serveOperations(http, {
    ...{ watch, features, metrics },
    isStopping: isAnnounced,
    metricsToken: options.metricsToken,
    away: async () => [await blobs.away(), fanout.away].filter((away) => away !== undefined),
  })
  const { webDir: folder, customDir: customFolder, formerAssets = [] } = options
  serveWeb(http, { folder, customFolder, formerAssets }, async () => {
    const current = await settings.current()
    return {
      framed: officeOrigin(current),
      control: current.setting.local_edit ? `${controlAddress} ${editControlAddress}` : undefined,
    }
  })
  upgradeToPush(http.server, {
    hub: live.hub,
    closing,
    cookieOf: (request) => cookieOf(request, sessionCookie),
    addressOf: clientAddress(options.trustedProxies ?? []),
    serves: async (wire) => wire.name === 'json' || offersOldChannel(await settings.current()),
    others: joined.contributed(socketRoutes),
    async callerOf(cookie, address) {
      const { actors } = await sessions.byTokens([cookie], now())
      const actor = actors.get(cookie)
      if (actor === undefined || typeof actor === 'string' || !live.mayListen(actor, address)) return undefined
      const { sessionId } = actor
      return { actor, holds: async () => (await sessions.stillValid([sessionId], now())).held.has(sessionId) }
    },
  })
  return http
}

/** Opens everything; the HTTP server does not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { features = allFeatures } = options
  const { tables, migrations } = installationOf(features)
  const metrics = createMetrics()
  const base = await openBase(options, metrics)
  const { database, db, watch, log, clock, now, pause, settings, blobs, invalidations, fanout } = base
  const works = options.elected !== false
  const queue = createQueue({ database, fanout, kinds: () => joined.jobs, log, now, pause, works })
  const services = servicesOf(options, base, queue, () => ({ ...joined, gatekeeper, hub: live.hub }))
  const parts = features.map((feature) => feature.open?.(services) ?? {})
  const joined = joinParts(parts, tables)
  const sessions = createSessions(db, settings, invalidations)
  const gatekeeper = createGatekeeper(db, now, invalidations)
  const isLeader = (): boolean => elected?.isLeader() === true
  const live = openPush(options, base, { services, audiences: joined.audiences, sessions, isLeader })
  const { hub } = live

  queue.start()
  const ending = new AbortController()
  const chores = electedChores(joined, live)
  const elected = works ? elect(options.database, (signal) => runChores(chores, signal, log)) : undefined
  const everywhere = runChores(
    works ? joined.chores.filter((chore) => chore.everywhere === true) : [],
    ending.signal,
    log,
  )
  const schema = Object.keys(migrations).toSorted().at(-1) ?? ''
  metrics.add([...processGauges(base, { schema, hub, isLeader }), ...joined.gauges])

  let isAnnounced = false
  const http = serveHttp(options, base, {
    ...{ services, parts, joined, live, sessions, gatekeeper, metrics },
    closing: () => ending.signal.aborted,
    isAnnounced: () => isAnnounced,
  })

  return {
    http,
    db,
    blobs,
    services,
    async settle() {
      for (let more = true; more; ) {
        more = (await sequenceBatch(db, pause)) > 0
        for (const reader of joined.readers) {
          const done = await readBatch(db, reader, now())
          more ||= done.more || done.wrote > 0
        }
        // Events that a reader of the elected work has written meanwhile.
        more ||= (await sequenceBatch(db, pause)) > 0
        hub.wake()
      }
      hub.wake()
    },
    announceStop() {
      isAnnounced = true
    },
    async close(transfersMs = usualTransfersMs) {
      ending.abort()
      // Another process takes over while this one waits for its transfers.
      const handedOver = elected?.stop()
      await hub.close()
      const cut = setTimeout(() => http.server.closeAllConnections(), transfersMs)
      http.server.closeIdleConnections()
      await http.close()
      clearTimeout(cut)
      clock.close()
      await watch.close()
      // The queue notifies others of the jobs that it returns.
      const returned = queue.stop().then(() => fanout.close())
      const background = Promise.all([handedOver, everywhere, returned, services.office?.close()])
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

function officeOf({ soffice, wasmOffice, fonts }: AppOptions): Office | undefined {
  if (soffice !== undefined) return createOffice(soffice, undefined, findFonts(fonts))
  return wasmOffice === undefined ? undefined : createWasmOffice(wasmOffice, findFonts(fonts))
}
