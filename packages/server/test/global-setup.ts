import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/core/db/database.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { migrate } from '../src/core/db/migrate.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { loadSecrets } from '../src/core/secrets.ts'
import { installation } from '../src/installation.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that all server tests share; holds the database `cloudoc_template` to clone, migrated and with its keys. */
    cluster: Exclude<DatabaseTarget, { url: string }>
    /** Path of nats-server; empty where it is not installed. */
    nats: string
    /** Where the contents of the tests lie: tests of uploads and downloads run on the local store and again on S3. */
    store: 's3' | undefined
    /** True under `npm run test:full`: the long versions. */
    full: boolean
  }
}

/** One PostgreSQL without fsync for all test files, with a migrated database to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
    const template = { ...target, database: 'cloudoc_template' }
    await migrate(template, installation.migrations)
    // An RSA key takes longer to make than everything else of a fresh installation together.
    const database = openDatabase(template)
    await loadSecrets(database.db)
    await database.close()
    project.provide('cluster', target)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
