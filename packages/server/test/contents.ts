// The stored state of contents in an installation: rows, objects, and staged files or upload parts.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../src/core/blobs/store.ts'
import type { World } from './harness.ts'

/** The keys of all objects in a store. */
export async function keysIn(store: BlobStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys
}

/** Counts everything that an upload may leave behind. */
export async function contentsOf(world: World) {
  const count = async (table: 'blob' | 'version') => {
    const row = await world.app.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return row.n
  }
  const paths = await readdir(join(world.folder, 'blobs'), { recursive: true, withFileTypes: true })
  const files = paths.filter((entry) => entry.isFile() && !entry.parentPath.includes('/multipart/'))
  const staged = files.filter(({ parentPath }) => /blobs\/(staging|uploads)/.test(parentPath)).length
  // Incomplete multipart uploads in an S3 store.
  const arriving = paths.filter(({ parentPath }) => parentPath.endsWith('/multipart')).length
  return {
    blobs: await count('blob'),
    versions: await count('version'),
    objects: (await keysIn(world.app.blobs)).length,
    staged: staged + arriving,
  }
}

/** Counts only what is added from now on, for tests of a file that share a world. */
export async function countFrom(world: World): Promise<() => ReturnType<typeof contentsOf>> {
  const before = await contentsOf(world)
  return async () => {
    const { blobs, versions, objects, staged } = await contentsOf(world)
    return {
      blobs: blobs - before.blobs,
      versions: versions - before.versions,
      objects: objects - before.objects,
      staged: staged - before.staged,
    }
  }
}

export const nothing = { blobs: 0, versions: 0, objects: 0, staged: 0 }
