// Removes old backups and the blobs that only they refer to.
import { readdir, rename, rm, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  BackupBroken,
  type ObjectLine,
  objectLines,
  objectsName,
  openSnapshot,
  partialSuffix,
  type Snapshot,
  snapshotNames,
} from './format.ts'
import { checkFile } from './verify.ts'

/**
 * Retains the newest `count` backups in the folder; returns how many were removed. Holds the names of one folder of
 * blobs in memory at a time.
 */
export async function keepNewest(folder: string, count: number): Promise<number> {
  const base = resolve(folder)
  const names = await snapshotNames(base)
  const old = names.slice(0, -count)
  if (old.length === 0) return 0
  // The lists of retained blobs must be readable before anything is removed.
  const kept: Snapshot[] = []
  for (const name of names.slice(-count)) {
    const snapshot = await openSnapshot(join(base, name))
    const { objects } = snapshot.manifest
    const problem = await checkFile(join(snapshot.path, objects.file), objects)
    if (problem !== undefined) throw new BackupBroken(`${problem}: no old backup is removed`)
    kept.push(snapshot)
  }
  for (const name of old) {
    await rename(join(base, name), join(base, `${name}${partialSuffix}`))
    await rm(join(base, `${name}${partialSuffix}`), { recursive: true })
  }
  const lists = kept.map(({ path, manifest }) => new Peekable(objectLines(join(path, manifest.objects.file))))
  const folders = (await readdir(join(base, objectsName))).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort()
  for (const prefix of folders) {
    const named = new Set<string>()
    for (const list of lists) for (const sha256 of await list.upTo(`${prefix}g`)) named.add(sha256)
    for (const name of await readdir(join(base, objectsName, prefix))) {
      if (!named.has(name)) await unlink(join(base, objectsName, prefix, name))
    }
  }
  return old.length
}

/** A list of blobs, read in parallel with the folders of blobs. */
class Peekable {
  private readonly lines: AsyncGenerator<ObjectLine>
  private next: ObjectLine | undefined

  constructor(lines: AsyncGenerator<ObjectLine>) {
    this.lines = lines
  }

  /** The hashes that sort before that text. */
  async upTo(end: string): Promise<string[]> {
    const found: string[] = []
    while (true) {
      this.next ??= (await this.lines.next()).value as ObjectLine | undefined
      if (this.next === undefined || this.next.sha256 >= end) return found
      found.push(this.next.sha256)
      this.next = undefined
    }
  }
}
