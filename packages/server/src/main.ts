// Starts the server: configuration, database, HTTP. What the operator can mend is said in one line, with exit code 2.

import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { type Config, ConfigError, helpText, loadConfig } from './config.ts'
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from './core/db/embedded-postgres.ts'
import { UnsafeDatabase } from './core/db/migrate.ts'
import { createLog } from './core/log.ts'
import { setUp } from './first-start.ts'
import { webFolder } from './web-folder.ts'

const stopWithinMs = 5000

/** A mistake of the operator's, as one line; undefined where the fault is ours. */
function operatorMistake(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof UnsafeDatabase || error instanceof EmbeddedPostgresError) {
    return error.message
  }
  const { code, message, syscall } = (error ?? {}) as { code?: string; message?: string; syscall?: string }
  if (code === 'EADDRINUSE') return 'The port is in use; choose another with --port.'
  if (code === 'EACCES' && syscall === 'listen')
    return 'The port may not be opened by this user; choose one above 1023.'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST is no address of this machine.'
  const unreachable = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '28P01',
    '28000',
    '3D000',
    '57P03',
    '08001',
  ]
  if (code !== undefined && unreachable.includes(code)) return `The database cannot be used: ${message ?? code}`
  return undefined
}

/** What has been opened so far, so that a stop during the start leaves nothing behind. */
interface Opened {
  postgres?: EmbeddedPostgres
  app?: App
}

async function stop({ app, postgres }: Opened): Promise<void> {
  await app?.close()
  await postgres?.stop()
}

async function start(config: Config, opened: Opened): Promise<void> {
  const log = createLog('info')
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  say(`Data: ${config.dataDir}`)
  if (config.databaseUrl === undefined) {
    opened.postgres = await startEmbeddedPostgres({
      dataDir: join(config.dataDir, 'postgres'),
      log: (line) => log.info({ from: 'postgres' }, line),
      onExit: () => {
        log.fatal('PostgreSQL has stopped; the server stops with it')
        process.exit(1)
      },
    })
  }
  const app = await createApp({
    database: opened.postgres?.target ?? { url: config.databaseUrl ?? '' },
    blobDir: config.blobDir,
    webDir: webFolder,
    tls: config.tls,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    log,
  })
  opened.app = app
  // Listening comes first: a port in use must not swallow the one time that the password is shown.
  await app.http.listen({ port: config.port, host: config.host })
  const password = await setUp(app, { password: config.adminPassword, now: Date.now() })
  if (password !== undefined && config.adminPassword === undefined) say(`Administrator: admin / ${password}`)
  const { port } = app.http.server.address() as AddressInfo
  const scheme = config.tls === undefined ? 'http' : 'https'
  const shown = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  const address = `${scheme}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
  if (config.tls === undefined && !/^(127\.|localhost$|::1$)/.test(config.host)) {
    say('Warning: listening beyond this machine without TLS; passwords and files travel in the clear.')
  }
  if (config.demo) await fill(address, password, say)
  say(`Cloudoc is ready at ${config.publicUrl ?? address}`)
}

/** Fills an empty installation with the demo company; one that is in use stays as it is, and says so. */
async function fill(origin: string, adminPassword: string | undefined, say: (line: string) => void): Promise<void> {
  if (adminPassword === undefined) {
    say('Demo: this installation is in use already and stays as it is; start with an empty --data folder.')
    return
  }
  const { fillWithDemo } = await import('@cloudoc/devkit/demo')
  await fillWithDemo({ origin, adminPassword, say })
}

async function main(): Promise<void> {
  const config = loadConfig(process.argv.slice(2), process.env)
  if (config.help) {
    process.stdout.write(`${helpText()}\n`)
    return
  }
  const opened: Opened = {}
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), stopWithinMs).unref()
      stop(opened).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
  try {
    await start(config, opened)
  } catch (error) {
    // What breaks because the server is being stopped is no failure of the start.
    if (stopping) return
    await stop(opened).catch(() => {})
    throw error
  }
}

main().catch((error: unknown) => {
  const mistake = operatorMistake(error)
  process.stderr.write(`${mistake ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  process.exit(mistake === undefined ? 1 : 2)
})
