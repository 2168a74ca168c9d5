// A database that cannot run an installation is refused in one line, and nothing is created in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { defaultConnections, openDatabase } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { assertDurable, assertFit } from './fitness.ts'
import type { DatabaseTarget } from './target.ts'

let postgres: EmbeddedPostgres
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloudoc-unfit-'))
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => {} })
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function asSuperuser<T extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<T[]> {
  const client = new pg.Client({ ...postgres.target, database })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** Returns why a database is refused. Undefined if it is accepted. */
async function refusal(target: DatabaseTarget): Promise<string | undefined> {
  const database = openDatabase(target, 1)
  try {
    await assertDurable(database.db)
    await assertFit(target, defaultConnections)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await database.close()
  }
}

const as = (user: string, database: string): DatabaseTarget => ({ ...postgres.target, user, database, password: 'x' })

test.each([
  ['no setting and no locale that loses anything', '', '', undefined],
  ['commits that are not kept', '', 'alter database it set synchronous_commit = off', /synchronous_commit = off/],
  [
    'an encoding without Chinese',
    `template template0 encoding 'LATIN1' locale 'C'`,
    '',
    /encoding LATIN1.*CREATE DATABASE "it"/,
  ],
  [
    'a locale without letters',
    `template template0 locale_provider libc locale 'C'`,
    '',
    /trigrams of Chinese.*C\.UTF-8/,
  ],
])('%s', async (_what, options, more, line) => {
  await asSuperuser(`create database it ${options}`)
  onTestFinished(async () => void (await asSuperuser('drop database it with (force)')))
  if (more !== '') await asSuperuser(more)
  const found = await refusal({ ...postgres.target, database: 'it' })
  if (line === undefined) return expect(found).toBeUndefined()
  expect(found).toMatch(line)
  expect(found).not.toContain('\n')
  expect(await asSuperuser(`select from pg_class where relnamespace = 'public'::regnamespace`, 'it')).toEqual([])
})

test.each([
  ['who may not make the extension', '', '', /CREATE EXTENSION pg_trgm;$/],
  ['who may make no tables', '', 'create extension pg_trgm', /ALTER DATABASE "its" OWNER TO "clerk";$/],
  [
    'who has too few connections',
    'connection limit 10',
    'create extension pg_trgm; grant create on schema public to clerk',
    /10 connections.*needs 16.*CONNECTION LIMIT 32/,
  ],
  ['who has all that is needed', '', 'create extension pg_trgm; grant create on schema public to clerk', undefined],
])('a role %s', async (_what, options, more, line) => {
  await asSuperuser(`create role clerk login password 'x' ${options}`)
  await asSuperuser('create database its')
  onTestFinished(async () => {
    await asSuperuser('drop database its with (force)')
    await asSuperuser('drop role clerk')
  })
  if (more !== '') await asSuperuser(more, 'its')
  const found = await refusal(as('clerk', 'its'))
  if (line === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(line)
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Returns why a database behind pgbouncer is refused. Undefined if it is accepted. */
async function refusalBehindPooler(mode: 'session' | 'transaction'): Promise<string | undefined> {
  const { host, port: socket, user, database } = postgres.target
  // As root, the tests run pgbouncer as nobody, who may not enter the folder of the socket.
  const relay = createServer((near) => {
    const far = connect(join(host, `.s.PGSQL.${socket}`))
    near.pipe(far).pipe(near)
    for (const one of [near, far]) one.on('error', () => {})
  })
  const between = await listen(relay)
  onTestFinished(() => void relay.close())
  const free = createServer()
  const port = await listen(free)
  free.close()
  const place = mkdtempSync(join(tmpdir(), 'cloudoc-pooler-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const config = join(place, 'pgbouncer.ini')
  writeFileSync(join(place, 'users.txt'), `"${user}" "x"\n`)
  writeFileSync(
    config,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${between} user=${user}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(place, 'users.txt')}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 20',
      'ignore_startup_parameters = extra_float_digits',
      '',
    ].join('\n'),
  )
  const pooler = spawn(inject('pooler'), [...(process.geteuid?.() === 0 ? ['-u', 'nobody'] : []), config], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    pooler.kill('SIGKILL')
    await once(pooler, 'exit')
  })
  const through = { host: '127.0.0.1', port, user, database, password: 'x' }
  await expect
    .poll(async () => {
      const client = new pg.Client(through)
      client.on('error', () => {})
      return client.connect().then(
        () => client.end(),
        () => 'not yet',
      )
    })
    .toBeUndefined()
  return refusal(through)
}

longTest(
  'a pooler that gives connections for a session may be between, one that does so for a transaction may not',
  async () => {
    expect(await refusalBehindPooler('session')).toBeUndefined()
    expect(await refusalBehindPooler('transaction')).toMatch(/pool_mode to session/)
  },
)
