// Two installations of one test: the source of the backup, and the empty one to which it is restored.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { quickFolder } from '../../../scripts/quick-folder.mjs'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { installation } from '../src/installation.ts'
import { type BackupOptions, backUp, type RestoreOptions, restore } from '../src/system/backup/index.ts'
import { emptyDatabase, openWorld, type World } from './harness.ts'

/** A folder that is removed when the test ends. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(quickFolder, 'cloudoc-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function backUpWorld(world: World, folder: string, more: Partial<BackupOptions> = {}) {
  return backUp({ ...installation, target: world.database, store: world.app.blobs, folder, product: 'test', ...more })
}

/** The target of a restore. */
export interface Place {
  readonly database: Exclude<DatabaseTarget, { url: string }>
  readonly folder: string
}

export async function emptyPlace(database?: Place['database']): Promise<Place> {
  return { database: database ?? (await emptyDatabase()), folder: await testFolder() }
}

export async function restoreTo(place: Place, folder: string, more: Partial<RestoreOptions> = {}) {
  const blobDir = join(place.folder, 'blobs')
  const store = await openLocalStore(blobDir)
  try {
    return await restore({
      ...installation,
      target: place.database,
      store,
      storeName: blobDir,
      folder,
      allowUnsafeDatabase: true,
      ...more,
    })
  } finally {
    await store.close()
  }
}

/** Restores into an empty installation and starts a server on it. */
export async function restoredWorld(folder: string, more: Partial<RestoreOptions> = {}): Promise<World> {
  const place = await emptyPlace()
  await restoreTo(place, folder, more)
  return openWorld({ peer: place })
}
