import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { quickFolder } from '../../../scripts/quick-folder.mjs'
import { createApp } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createLog } from '../src/core/log.ts'
import { setUp } from '../src/first-start.ts'
import { password, storedPassword } from './passwords.ts'

type Cluster = Exclude<DatabaseTarget, { url: string }>

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The PostgreSQL cluster that all server tests share. It holds the template database `cloudoc_template` of an
     * installation that has been started once.
     */
    cluster: Cluster
    /** Path of nats-server; empty if not installed. */
    nats: string
    /** Path of pgbouncer; empty if not installed. */
    pooler: string
    /** Path of nginx; empty if not installed. */
    nginx: string
    /** Path of HAProxy; empty if not installed. */
    haproxy: string
    /** The content store of the tests: tests of uploads and downloads run on the local store and again on S3. */
    store: 's3' | undefined
    /** True under `npm run test:full`, which runs the long versions. */
    full: boolean
  }
}

interface Shared {
  readonly started: Promise<{ readonly target: Cluster; readonly stop: () => Promise<void> }>
  users: number
}

/** Every project of a run loads this file. Shared state is stored on `globalThis`, where all of them find it. */
const run = globalThis as typeof globalThis & { cloudocCluster?: Shared }

/** Starts one PostgreSQL without fsync for all test files of all projects. */
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
  const folder = mkdtempSync(join(quickFolder, 'cloudoc-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    log: () => {},
    // Autovacuum would cycle through all these databases the whole time.
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
    // Keys, company and administrator take longer to create than to copy.
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
