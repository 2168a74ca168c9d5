// The contents in packs as objects of the store: reading, removing, listing.
import { join } from 'node:path'
import type { FileOperations } from './file-operations.ts'
import { unlessGone, writeAll } from './local-files.ts'
import { gone, headSize, headsOf, idForm, isZero, keyOf, placeOf, readHead, readUpTo, stateAt } from './pack-format.ts'
import { inMemory } from './read-object.ts'
import { type ByteRange, NotAsStored, noSuchObject, type OpenObject, type StoredObject } from './store.ts'

/** The objects in the packs of a folder. */
export function packedObjects(files: FileOperations, folder: string) {
  /** The ids of all packs. */
  const ids = async (): Promise<string[]> => (await files.readdir(folder)).filter((name) => idForm.test(name))

  return {
    async open(key: string, range?: ByteRange): Promise<OpenObject> {
      const { id, at, size } = placeOf(key)
      const record = await readRecord(files, join(folder, id), at, size)
      const bytes = record.subarray(0, headSize)
      const head = readHead(bytes, id)
      // A damaged head says nothing about the content. The content is compared with its hash where it matters.
      if (head === undefined ? isZero(bytes) : head.isGone || keyOf(id, { at, ...head }) !== key) throw noSuchObject()
      if (record.length < headSize + size) throw new NotAsStored('size')
      return inMemory(record.subarray(headSize), range)
    },

    async remove(key: string): Promise<void> {
      try {
        const { id, at } = placeOf(key)
        const path = join(folder, id)
        const record = await readRecord(files, path, at, 0)
        const head = readHead(record, id)
        if (head === undefined || keyOf(id, { at, ...head }) !== key) return
        const file = await files.open(path, 'r+')
        try {
          // Not synced: if the mark is lost, the collector finds again that no row refers to the content and repeats
          // it.
          await writeAll(file, Buffer.from(gone), at + stateAt)
        } finally {
          await file.close()
        }
      } catch (error) {
        unlessGone(error)
      }
    },

    async *list(): AsyncIterable<StoredObject> {
      for (const id of await ids()) {
        const file = await files.openToRead(join(folder, id)).catch(unlessGone)
        if (file === undefined) continue
        try {
          for await (const { at, head } of headsOf(file, id)) {
            if (head.isGone) continue
            yield { key: keyOf(id, { at, ...head }), size: head.size, modifiedAt: head.writtenAt }
          }
        } finally {
          await file.close()
        }
      }
    },
  }
}

async function readRecord(files: FileOperations, path: string, at: number, size: number): Promise<Buffer> {
  const file = await files.openToRead(path)
  try {
    const record = await readUpTo(file, Buffer.allocUnsafe(headSize + size), at)
    // The space that was freed may have been at the end of the pack.
    if (record.length < headSize) throw noSuchObject()
    return record
  } finally {
    await file.close()
  }
}
