import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { assertSafe, migrate } from './migrate.ts'
import type { DatabaseTarget } from './target.ts'

/** Why a database is refused; undefined where it may be used. */
async function refusal(target: DatabaseTarget): Promise<string | undefined> {
  await migrate(target, migrations)
  const database = openDatabase(target, 1)
  try {
    await assertSafe(database.db)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await database.close()
  }
}

test('a database that could lose what it acknowledged, or finds no Chinese name, is refused in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-unsafe-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = (settings: Record<string, string> = {}) =>
    startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => {}, settings })

  const postgres = await start()
  onTestFinished(() => postgres.stop())
  const client = new pg.Client(postgres.target)
  await client.connect()
  await client.query('create database hasty')
  await client.query('alter database hasty set synchronous_commit = off')
  await client.query(`create database latin template template0 locale_provider libc locale 'C'`)
  await client.end()
  expect(await refusal(postgres.target)).toBeUndefined()
  expect(await refusal({ ...postgres.target, database: 'hasty' })).toMatch(/^[^\n]*synchronous_commit = off[^\n]*$/)
  expect(await refusal({ ...postgres.target, database: 'latin' })).toMatch(/^[^\n]*trigrams of Chinese[^\n]*$/)
  await postgres.stop()

  const torn = await start({ full_page_writes: 'off' })
  onTestFinished(() => torn.stop())
  expect(await refusal(torn.target)).toMatch(/^[^\n]*full_page_writes = off[^\n]*$/)
})
