/*
 * Makes a large installation in its own folder: `node bench/installation.ts <folder> <items> [<letters>]`, with that
 * many letters of text in each file. It is loaded with bulk-load settings; afterwards the folder is used like any data
 * folder.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { createLog } from '../src/core/log.ts'
import { setUp } from '../src/first-start.ts'
import { generate, type Installation, type Size } from './generate.ts'

/** The password of all users. */
export const password = 'Bench#2026'
/** The organisation is the same for every number of items. */
export const organisation = { people: 50_000, departments: 5000, grants: 100_000 }

const loading = {
  max_wal_size: '8GB',
  maintenance_work_mem: '1GB',
  max_parallel_maintenance_workers: '2',
  checkpoint_timeout: '30min',
}

/** Makes an installation if there is none; returns a description of its data. */
export async function openInstallation(folder: string, size: Size): Promise<Installation> {
  const about = join(folder, 'installation.json')
  const known = await readFile(about, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known) as Installation
  const dataDir = join(folder, 'postgres')
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false, settings: loading })
  try {
    const app = await createApp({
      database: postgres.target,
      blobDir: join(folder, 'blobs'),
      log: createLog('silent'),
      allowUnsafeDatabase: true,
      elected: false,
    })
    await setUp(app, { password, now: Date.now() })
    await app.close()
    const started = performance.now()
    const made = await generate(postgres.target, size, (line) =>
      process.stderr.write(`${Math.round((performance.now() - started) / 1000)} s: ${line}\n`),
    )
    await writeFile(about, JSON.stringify(made))
    return made
  } finally {
    await postgres.stop()
  }
}

if (import.meta.main) {
  const [folder = '', items = '100000', letters] = process.argv.slice(2)
  const texts = letters === undefined ? {} : { letters: Number(letters) }
  console.log(await openInstallation(folder, { items: Number(items), ...organisation, ...texts }))
}
