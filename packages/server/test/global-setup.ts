import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createApp } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createLog } from '../src/core/log.ts'
import { setUp } from '../src/first-start.ts'
import { password, storedPassword } from './passwords.ts'

type Cluster = Exclude<DatabaseTarget, { url: string }>

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that all server tests share; holds the database `cloudoc_template` to clone, of an installation that has been started once. */
    cluster: Cluster
    /** Path of nats-server; empty where it is not installed. */
    nats: string
    /** Path of pgbouncer; empty where it is not installed. */
    pooler: string
    /** Path of nginx; empty where it is not installed. */
    nginx: string
    /** Path of HAProxy; empty where it is not installed. */
    haproxy: string
    /** Where the contents of the tests lie: tests of uploads and downloads run on the local store and again on S3. */
    store: 's3' | undefined
    /** True under `npm run test:full`: the long versions. */
    full: boolean
  }
}

interface Shared {
  readonly started: Promise<{ readonly target: Cluster; readonly stop: () => Promise<void> }>
  users: number
}

/** Projects of one run load this file each; what they share lies where all of them find it. */
const run = globalThis as typeof globalThis & { cloudocCluster?: Shared }

/** One PostgreSQL without fsync for all test files of all projects. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (run.cloudocCluster ??= { started: start(), users: 0 })
  shared.users += 1
  const { target, stop } = await shared.started
  project.provide('cluster', target)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    delete run.cloudocCluster
    await stop()
  }
}

async function start(): Shared['started'] {
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    log: () => {},
    // It would go round all these databases the whole time.
    settings: { max_connections: '800', autovacuum: 'off' },
  })
  const stop = async (): Promise<void> => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { target } = postgres
    const client = new pg.Client(target)
    await client.connect()
    await client.query('create database cloudoc_template')
    await client.end()
    // Its keys, company and administrator take longer to make than to copy.
    const app = await createApp({
      database: { ...target, database: 'cloudoc_template' },
      blobDir: join(folder, 'blobs'),
      log: createLog('silent'),
      allowUnsafeDatabase: true,
      elected: false,
    })
    await setUp(app, { password, now: Date.now() })
    await app.db
      .updateTable('account')
      .set({ password_hash: await storedPassword() })
      .execute()
    await app.close()
    return { target, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
