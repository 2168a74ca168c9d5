/*
 * Operator commands beside the server: `node main.ts backup <folder>`, with the server's own flags to select the
 * installation. Exit code 0: done; 1: done in part, or failed; 2: the operator can fix it.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { formatSize, separatedPowers } from '@cloudoc/domain'
import { runningBuild } from './build.ts'
import { type Config, loadConfig } from './config.ts'
import { openStore } from './core/blobs/open-store.ts'
import type { BlobStore } from './core/blobs/store.ts'
import { openDatabase } from './core/db/database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './core/db/embedded-postgres.ts'
import { refuseHalfRestored, restoringMark } from './core/db/restoring.ts'
import type { DatabaseTarget } from './core/db/target.ts'
import { createLog } from './core/log.ts'
import { installation } from './installation.ts'
import { databaseStep, folderStep, step, storeStep } from './operator-mistakes.ts'
import { RecoveryRefused, recoverPower } from './people/organisation/index.ts'
import { type ExportedHeads, exportHeads, type Problem, verifyAudit } from './system/audit/index.ts'
import {
  BackupBroken,
  BackupRefused,
  backUp,
  keepNewest,
  openSnapshot,
  type Progress,
  restore,
  verify,
} from './system/backup/index.ts'
import { type Finding, fsck, isWhole } from './system/fsck/index.ts'
import { backedUp } from './system/overview/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Each command takes its arguments and returns the exit code. */
export const maintenance: Readonly<Record<string, (args: readonly string[], env: Environment) => Promise<number>>> = {
  async backup(args, env) {
    const { folder, checks, keep, flags } = read('backup', args)
    const config = loadConfig(flags, env)
    return withDatabase(config, false, async (target) => {
      const done = await withStore(config, (store, onProgress) =>
        backUp({ target, tables: installation.tables, store, folder, product: runningBuild().version, onProgress }),
      )
      const { manifest, copied } = done
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      print(`Backup: ${done.path}`)
      print(`${rows} rows, ${manifest.objects.count} contents (${formatSize(manifest.objects.totalBytes)}),`)
      print(`of which ${copied.count} (${formatSize(copied.bytes)}) are new in this folder.`)
      const damaged = manifest.damaged?.count ?? 0
      if (damaged > 0)
        print(`${damaged} contents could not be read: see ${join(done.path, 'damaged.tsv')} and run fsck.`)
      const sound = checks ? await check(done.path) : true
      if (sound) await recordBackup(target)
      if (sound && keep > 0) print(`${await keepNewest(folder, keep)} old backups are removed.`)
      return damaged === 0 && sound ? 0 : 1
    })
  },

  async restore(args, env) {
    const { folder, checks, rehash, flags } = read('restore', args)
    if (checks) return (await check(folder)) ? 0 : 1
    const config = loadConfig(flags, env)
    const { path } = await openSnapshot(folder)
    const work = markRestoring(config, path, (onBegun) =>
      withDatabase(config, true, async (target) => {
        const { snapshot, damaged } = await withStore(config, (store, onProgress) =>
          restore({
            target,
            migrations: installation.migrations,
            store,
            storeName: config.s3?.bucketUrl ?? config.blobDir,
            folder: path,
            rehash,
            onStarted: onBegun,
            onProgress,
          }),
        )
        print(`Restored: ${snapshot.path}, as it was at ${snapshot.manifest.takenAt}.`)
        if (damaged > 0)
          print(`${damaged} contents were damaged before the backup: see ${join(snapshot.path, 'damaged.tsv')}.`)
        return damaged === 0 ? 0 : 1
      }),
    )
    return work.catch((error: unknown) => {
      if (!(error instanceof BackupBroken)) throw error
      process.stderr.write(`${error.message}\n`)
      return 1
    })
  },

  /** `audit verify [file of exported heads]`, `audit heads`. */
  async audit(args, env) {
    const [what = '', ...rest] = args
    const [kept, flags] = rest[0]?.startsWith('-') === false ? [rest[0], rest.slice(1)] : [undefined, rest]
    if (what !== 'verify' && what !== 'heads')
      throw new BackupRefused('usage: npm run audit -- verify [<kept heads>] | heads [flags of npm start]')
    const config = loadConfig(flags, env)
    return withDatabase(config, false, (target) =>
      withStore(config, async (store) => {
        const database = openDatabase(target, 2)
        const progress = showProgress()
        try {
          const { db } = database
          await step(refuseHalfRestored(db), databaseStep)
          if (what === 'heads') {
            print(JSON.stringify(await step(exportHeads(db), databaseStep), null, 2))
            return 0
          }
          const heads = kept === undefined ? undefined : await step(readHeads(kept), folderStep)
          const onProgress = (done: number, of: number): void =>
            progress.show({ doing: 'rows computed', done, of, bytes: 0 })
          const { rows, problems, problemCount } = await step(
            verifyAudit(db, store, { exported: heads, onProgress }),
            databaseStep,
          )
          progress.end()
          for (const problem of problems) print(problemLine(problem))
          if (problemCount > problems.length) print(`… and ${problemCount - problems.length} more`)
          print(
            problemCount === 0 ? `The audit is whole: ${rows} rows.` : `${rows} rows, ${problemCount} of them wrong.`,
          )
          return problemCount === 0 ? 0 : 1
        } finally {
          progress.end()
          await database.close()
        }
      }),
    )
  },

  /** `recover <account> <power>`: gives a power to an account where nobody can give it any more. */
  async recover(args, env) {
    const [account = '', power = '', ...rest] = args
    const known = separatedPowers.find((one) => one === power)
    if (account === '' || account.startsWith('-') || known === undefined)
      throw new RecoveryRefused(
        `usage: npm run recover -- <account> ${separatedPowers.join('|')} [--force] [--enable] [flags of npm start]`,
      )
    const own = new Set(['--force', '--enable'])
    const config = loadConfig(
      rest.filter((flag) => !own.has(flag)),
      env,
    )
    return withDatabase(config, false, async (target) => {
      const database = openDatabase(target, 1)
      try {
        const { db } = database
        await step(refuseHalfRestored(db), databaseStep)
        const work = recoverPower(db, {
          account,
          power: known,
          force: rest.includes('--force'),
          enable: rest.includes('--enable'),
          now: Date.now(),
        })
        const given = await step(work, databaseStep)
        print(`${given.account} (${given.name}) holds the power ${known} now.`)
        if (given.isEnabled) print('The account can sign in again.')
        print('This is recorded in the audit.')
        return 0
      } finally {
        await database.close()
      }
    })
  },

  async fsck(args, env) {
    const own = new Set<string>(args.filter((arg) => arg === '--rehash' || arg === '--repair'))
    const config = loadConfig(
      args.filter((arg) => !own.has(arg)),
      env,
    )
    return withDatabase(config, false, (target) =>
      withStore(config, async (blobs, onProgress) => {
        const database = openDatabase(target, 2)
        try {
          const { db } = database
          await step(refuseHalfRestored(db), databaseStep)
          const rehash = own.has('--rehash')
          const onContents = (done: number, of: number) => onProgress({ doing: 'contents read', done, of, bytes: 0 })
          const checking = fsck({
            db,
            checks: installation.checks,
            blobs,
            rehash,
            repair: own.has('--repair'),
            onContents,
          })
          const findings = await step(step(checking, storeStep), databaseStep)
          for (const finding of findings) print(lineOf(finding))
          return isWhole(findings) ? 0 : 1
        } finally {
          await database.close()
        }
      }),
    )
  },
}

async function readHeads(file: string): Promise<ExportedHeads> {
  const read = JSON.parse(await readFile(resolve(file), 'utf8')) as Partial<ExportedHeads>
  if (typeof read.publicKey !== 'string' || !Array.isArray(read.heads))
    throw new BackupRefused(`${file} holds no heads: npm run audit -- heads writes them.`)
  return read as ExportedHeads
}

/** A problem with one row of the audit, for an operator. */
function problemLine({ what, seq, auditId, count }: Problem): string {
  const row = seq === 0 ? `the row with the id ${auditId}` : `row ${seq}${auditId === 0 ? '' : ` (id ${auditId})`}`
  switch (what) {
    case 'altered':
      return `ALTERED   ${row} is not what it was when it was sealed`
    case 'removed':
      return `REMOVED   ${row}${count > 1 ? ` and ${count - 1} behind it are` : ' is'} gone`
    case 'inserted':
      return `INSERTED  ${row}${count > 1 ? ` and ${count - 1} behind it were` : ' was'} put in later`
    case 'cut':
      return `CUT       from ${row} on ${count} at the end are gone`
    case 'head':
      return `HEAD      the signature up to ${row} is not that of this chain`
  }
}

function lineOf({ says, breaks, examples, mended }: Finding): string {
  if (breaks === 0) return `ok      ${says}`
  const more = breaks > examples.length ? [`… and ${breaks - examples.length} more`] : []
  return [`${mended ? 'MENDED' : 'BROKEN'}  ${says}: ${breaks}`, ...examples, ...more].join('\n        ')
}

interface Wanted {
  readonly folder: string
  readonly checks: boolean
  readonly rehash: boolean
  /** Number of backups to retain; 0: all. */
  readonly keep: number
  /** The remaining arguments are the server's. */
  readonly flags: readonly string[]
}

function read(name: 'backup' | 'restore', args: readonly string[]): Wanted {
  const more = name === 'backup' ? '[--keep <number>]' : '[--rehash]'
  const usage = `usage: npm run ${name} -- <folder> [--verify] ${more} [flags of npm start]`
  const [folder = '', ...rest] = args
  if (folder === '' || folder.startsWith('-')) throw new BackupRefused(usage)
  const own = new Set(name === 'backup' ? ['--verify'] : ['--verify', '--rehash'])
  const flags = rest.filter((flag) => !own.has(flag))
  const at = name === 'backup' ? flags.indexOf('--keep') : -1
  const [, given = ''] = at === -1 ? [] : flags.splice(at, 2)
  if (at !== -1 && !/^[1-9]\d{0,5}$/.test(given)) throw new BackupRefused(usage)
  const [checks, rehash] = [rest.includes('--verify'), rest.includes('--rehash')]
  return { folder: resolve(folder), checks, rehash, keep: Number(given), flags }
}

/**
 * Runs a restore. Until the database itself exists, a mark in the data folder tells that it is being restored. A
 * failure before the database is marked has restored nothing. A killed process leaves the folder as it is.
 */
async function markRestoring<T>(
  config: Config,
  backup: string,
  work: (onBegun: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const mark = restoringMark(config.dataDir)
  const unmark = (): Promise<void> => rm(mark, { force: true })
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) {
    await step(mkdir(config.dataDir, { recursive: true, mode: 0o700 }), folderStep)
    await step(writeFile(mark, backup), folderStep)
  }
  try {
    return await work(unmark)
  } finally {
    await unmark()
  }
}

/** Records that a backup exists, for the overview. */
async function recordBackup(target: DatabaseTarget): Promise<void> {
  const database = openDatabase(target, 1)
  try {
    await backedUp.write(database.db, { at: Date.now() })
  } finally {
    await database.close()
  }
}

/** Runs work on the database of an installation, starting it if no server runs. */
async function withDatabase<T>(
  config: Config,
  mayBeNew: boolean,
  work: (target: DatabaseTarget) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) return step(work({ url: config.databaseUrl }), databaseStep)
  const dataDir = join(config.dataDir, 'postgres')
  const running = await findEmbeddedPostgres(dataDir)
  if (running !== undefined) return step(work(running), databaseStep)
  if (!mayBeNew && !existsSync(join(dataDir, 'PG_VERSION'))) {
    throw new BackupRefused(`${config.dataDir} holds no installation.`)
  }
  const postgres = await step(startEmbeddedPostgres({ dataDir, log: () => {} }), folderStep)
  // Exiting by itself also stops PostgreSQL.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  try {
    return await step(work(postgres.target), databaseStep)
  } finally {
    await postgres.stop()
  }
}

/** Runs work on the blobs of an installation, and shows its progress. */
async function withStore<T>(
  config: Config,
  work: (store: BlobStore, onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const store = await openStore(config, createLog('error'))
  const progress = showProgress()
  try {
    return await work(store, progress.show)
  } finally {
    progress.end()
    await store.close()
  }
}

async function check(folder: string): Promise<boolean> {
  const progress = showProgress()
  const { snapshot, problems } = await verify(folder, progress.show).finally(progress.end)
  for (const problem of problems) print(problem)
  const { count, totalBytes } = snapshot.manifest.objects
  if (problems.length === 0) print(`${snapshot.path} is whole: ${count} contents, ${formatSize(totalBytes)}.`)
  return problems.length === 0
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line that is overwritten on a terminal; elsewhere an occasional line. */
function showProgress(): { show: (progress: Progress) => void; end: () => void } {
  const terminal = process.stdout.isTTY
  const everyMs = terminal ? 200 : 10_000
  let next = performance.now() + everyMs
  let shown = false
  return {
    show({ doing, done, of, bytes }) {
      if (performance.now() < next) return
      next = performance.now() + everyMs
      shown = true
      const line = `${doing}: ${done} of ${of}, ${formatSize(bytes)}`
      process.stdout.write(terminal ? `\r\u001b[K${line}` : `${line}\n`)
    },
    end() {
      if (shown && terminal) process.stdout.write('\r\u001b[K')
    },
  }
}
