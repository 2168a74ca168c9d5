// Starts the server: configuration, database, HTTP. Errors that the operator can fix are printed in one line, with exit
// code 2.

import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Server as TlsServer } from 'node:tls'
import { type App, createApp } from './app.ts'
import { runningBuild } from './build.ts'
import { type Config, helpText, loadConfig } from './config.ts'
import { claimStore } from './core/blobs/claim.ts'
import { findTesseract } from './core/confined/ocr.ts'
import { findOffice } from './core/confined/office.ts'
import { findWasmOffice } from './core/confined/wasm-office.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './core/db/embedded-postgres.ts'
import { hurtingSettings } from './core/db/fitness.ts'
import { refuseBrokenOffRestore } from './core/db/restoring.ts'
import { createLog, type Log } from './core/log.ts'
import type { FillDemo } from './core/services.ts'
import { type DemoServer, linkDemoServers, startDemoServers } from './demo-servers.ts'
import { emptyDocument } from './documents/index.ts'
import { dateAsOnDisk } from './drive/content/index.ts'
import { setUp, writePasswordFile } from './first-start.ts'
import { formerAssets, keepAssets } from './former-assets.ts'
import { assertFree, listenOnSecondPort, takeUpCertificates } from './http-server.ts'
import { maintenance } from './maintenance.ts'
import { databaseStep, folderStep, listenStep, operatorMistake, step, storeStep } from './operator-mistakes.ts'
import { addressesOf, openStartScreen } from './start-screen.ts'
import { dateAuditAsOnDisk } from './system/audit/index.ts'
import { openSetup } from './system/setup/index.ts'
import { webFolder } from './web-folder.ts'

/** Time of a stop in addition to its waiting times. */
const stopWithinMs = 4000
/** The files of the page are kept for later releases once the start is over: the next update is not that near. */
const keepAssetsAfterMs = 60_000
/** The delay before an ended PostgreSQL is restarted; it grows with repeated failures. */
const reviveEveryMs = 500
const slowestRevival = 10

/** What has been opened so far, so that a stop during the start cleans up everything. */
interface Opened {
  postgres?: EmbeddedPostgres
  app?: App
  /** The servers on further ports. */
  furtherServers?: Server[]
  /** The processes of the other servers of the demo. */
  demoServers?: DemoServer[]
  stopping?: true
}

async function stop(opened: Opened, { stopDelay, stopTransfers }: Pick<Config, 'stopDelay' | 'stopTransfers'>) {
  opened.stopping = true
  opened.app?.announceStop()
  if (opened.app !== undefined && stopDelay > 0) await delay(stopDelay * 1000)
  for (const server of opened.furtherServers ?? []) server.close()
  for (const server of opened.demoServers ?? []) server.stop()
  await opened.app?.close(stopTransfers * 1000)
  await opened.postgres?.stop()
}

/**
 * Starts PostgreSQL, and restarts it whenever it ends by itself: calls fail until it is back, and all parts of the
 * server reconnect.
 */
async function supervisePostgres(config: Config, opened: Opened, log: Log): Promise<void> {
  const launch = () =>
    startEmbeddedPostgres({
      dataDir: join(config.dataDir, 'postgres'),
      log: (line) => log.info({ from: 'postgres' }, line),
      onExit: (reason) => void revive(reason),
    })
  const revive = async (reason: string): Promise<void> => {
    if (opened.stopping) return
    log.error({ reason }, 'PostgreSQL has ended and is started again')
    // A full disk prevents the start until space is freed, however long that takes.
    for (let attempt = 1; ; attempt += 1) {
      try {
        const revived = await launch()
        opened.postgres = revived
        if (opened.stopping) await revived.stop()
        return
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL did not start')
        await delay(Math.min(attempt, slowestRevival) * reviveEveryMs)
        if (opened.stopping) return
      }
    }
  }
  opened.postgres = await launch()
}

async function start(config: Config, opened: Opened): Promise<void> {
  const dataDir = config.databaseUrl === undefined || config.s3 === undefined ? config.dataDir : undefined
  const screen = openStartScreen(process.stdout, dataDir, `Cloudoc ${runningBuild().version}`)
  const { say } = screen
  const log = createLog(config.logLevel, screen.log)
  // A port in use is noticed before anything is started or migrated.
  const furtherPorts = [config.pushPort, config.imPort, config.imPushPort].filter((port) => port !== undefined)
  for (const port of [config.port, ...furtherPorts]) await step(assertFree({ port, host: config.host }), listenStep)
  if (config.databaseUrl === undefined) {
    await refuseBrokenOffRestore(config.dataDir)
    await screen.step('Start PostgreSQL', () => step(supervisePostgres(config, opened, log), folderStep))
  }
  const [assets, kept] = [join(webFolder, 'assets'), join(config.dataDir, 'page-files')]
  // Without a built page there is nothing to serve.
  const former = await formerAssets(assets, kept).catch(() => [])
  const opening = () =>
    createApp({
      database: opened.postgres?.target ?? { url: config.databaseUrl ?? '' },
      ownsDatabase: opened.postgres !== undefined,
      connections: config.databaseConnections,
      blobDir: config.blobDir,
      s3: config.s3,
      fanoutUrl: config.fanoutUrl,
      webDir: webFolder,
      formerAssets: former,
      customDir: join(config.dataDir, 'custom'),
      tls: config.tls,
      readCertificate: config.rereadTls,
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl,
      metricsToken: config.metricsToken,
      scrubDays: config.scrubDays,
      clamd: config.clamd,
      licenceKey: config.licenceKey,
      fillDemo: ({ account, password, report }) =>
        opened.app === undefined ? Promise.resolve(false) : fillWith(opened.app, { account, password, report }),
      soffice: findOffice(config.soffice),
      wasmOffice: findWasmOffice(config.soffice),
      fonts: config.fonts,
      tesseract: findTesseract(config.tesseract),
      backupDir: config.backupDir,
      accessLog: config.accessLog,
      log,
    })
  const app = await screen.step('Prepare the database', () => step(opening(), databaseStep))
  opened.app = app
  await step(claimStore(app.db, app.blobs, app.services.secrets.epoch), storeStep)
  const hurting = config.databaseUrl === undefined ? [] : await step(hurtingSettings(app.db), databaseStep)
  if (hurting.length > 0) say(`Warning: the configuration of the database will hurt: ${hurting.join('; ')}.`)
  // Listening comes first: a port in use must not prevent the one-time output of the password.
  await step(app.http.listen({ port: config.port, host: config.host }), listenStep)
  for (const port of furtherPorts) {
    const server = await step(listenOnSecondPort(app.http, { port, host: config.host }), listenStep)
    opened.furtherServers = [...(opened.furtherServers ?? []), server]
  }
  // The demo company is already set up.
  const setting = config.demo ? undefined : openSetup
  const password = await setUp(app, {
    password: config.adminPassword,
    now: Date.now(),
    setting,
    // Output without a terminal is stored in journals, which many may read.
    onGenerated(generated) {
      if (!screen.isTerminal) say(`Administrator: admin, password in ${writePasswordFile(config.dataDir, generated)}`)
    },
  })
  if (config.tls !== undefined) {
    takeUpCertificates(app.http.server as unknown as TlsServer, config.tls, config.rereadTls, log)
  }
  const { port } = app.http.server.address() as AddressInfo
  const scheme = config.tls === undefined ? 'http' : 'https'
  const addresses = addressesOf({ scheme, host: config.host, port })
  if (config.tls === undefined && !/^(127\.|localhost$|::1$)/.test(config.host)) {
    say('Warning: listening beyond this machine without TLS; passwords and files travel in the clear.')
  }
  if (config.demo) await screen.step('Fill the demo company', () => fill(app, password, say))
  if (config.demo && config.servers > 1) {
    const demo = { port, count: config.servers - 1, dataDir: config.dataDir, password, env: process.env }
    opened.demoServers = startDemoServers(demo)
    const origin = addressesOf({ scheme, host: '127.0.0.1', port })[0] ?? ''
    await screen.step('Start and link the other demo servers', () =>
      linkDemoServers(opened.demoServers ?? [], { origin, password, say }),
    )
  }
  const keep = (): void =>
    void keepAssets(assets, kept).catch((error: unknown) => log.warn({ err: error }, 'files of the page are not kept'))
  setTimeout(keep, keepAssetsAfterMs).unref()
  screen.ready({
    addresses: config.publicUrl === undefined ? addresses : [config.publicUrl],
    password: config.adminPassword === undefined ? password : undefined,
    dataDir,
  })
}

/** Fills an empty installation with the demo company. One that is in use remains unchanged, with a message. */
async function fill({ http, db }: App, adminPassword: string | undefined, say: (line: string) => void): Promise<void> {
  if (adminPassword === undefined) {
    say('Demo: this installation is in use already and stays as it is; start with an empty --data folder.')
    return
  }
  await fillWith({ http, db }, { account: 'admin', password: adminPassword, report: say })
}

/** Fills the installation through its own calls. Returns false if it is not empty. */
async function fillWith(
  { http, db }: Pick<App, 'http' | 'db'>,
  { account, password, report }: Parameters<FillDemo>[0],
): Promise<boolean> {
  const { fillWithDemo } = await import('@cloudoc/devkit/demo')
  const filled = await fillWithDemo({
    adminAccount: account,
    adminPassword: password,
    emptyDocument,
    report,
    async send({ method, path, headers, body }) {
      const payload = typeof body === 'string' || body === undefined ? body : Buffer.from(body)
      return (await http.inject({ method, url: path, headers, ...(payload !== undefined && { payload }) })).json()
    },
  })
  if (!filled) return false
  await dateAsOnDisk(db)
  await dateAuditAsOnDisk(db)
  return true
}

async function main(): Promise<void> {
  const config = loadConfig(process.argv.slice(2), process.env)
  if (config.help) {
    process.stdout.write(`${helpText()}\n`)
    return
  }
  if (config.version) {
    const { version, commit } = runningBuild()
    process.stdout.write(`${version} (${commit})\n`)
    return
  }
  const opened: Opened = {}
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      const waits = (config.stopDelay + config.stopTransfers) * 1000
      setTimeout(() => process.exit(1), waits + stopWithinMs).unref()
      stop(opened, config).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
  try {
    await start(config, opened)
  } catch (error) {
    // Errors caused by stopping the server are not failures of the start.
    if (stopping) return
    await stop(opened, { stopDelay: 0, stopTransfers: 0 }).catch(() => {})
    throw error
  }
}

// A parent process with an IPC channel takes this process down with it, even if it was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

const [command = '', ...rest] = process.argv.slice(2)
const maintain = Object.hasOwn(maintenance, command) ? maintenance[command] : undefined
const work = maintain === undefined ? main() : maintain(rest, process.env).then((code) => process.exit(code))
work.catch((error: unknown) => {
  const mistake = operatorMistake(error)
  process.stderr.write(`${mistake ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  process.exit(mistake === undefined ? 1 : 2)
})
