/*
 * Contents in a folder. Write order: bytes to `staging/`, fsync; rename into the object's folder, fsync of that folder;
 * only then may a database row name the object. Whatever breaks before the row is an object that nothing names.
 *
 * Objects lie in 256 folders by the first byte of their hash; the key is `{2 hex}/{sha256}.{random}`.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, ByteRange, Staged } from './store.ts'

/** Large reads: half the system calls, and level with sendfile from here on. */
const readSize = 512 * 1024
/** Small chunks of a body are gathered to this size before they are written. */
const writeSize = 256 * 1024
const keyForm = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[\w-]{12}$/

/** Opens or makes the store; what an earlier process left in staging belongs to nobody and is removed. */
export async function openLocalStore(folder: string): Promise<BlobStore> {
  const staging = join(folder, 'staging')
  await mkdir(staging, { recursive: true })
  for (const name of await readdir(staging)) await rm(join(staging, name), { force: true })
  for (let byte = 0; byte < 256; byte += 1) {
    await mkdir(join(folder, byte.toString(16).padStart(2, '0')), { recursive: true })
  }
  await syncFolder(folder)

  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error('no such object')
    return join(folder, key)
  }

  return {
    async stage(content) {
      const path = join(staging, randomBytes(12).toString('base64url'))
      const hash = createHash('sha256')
      let size = 0
      const handle = await open(path, 'wx')
      try {
        let gathered: Uint8Array[] = []
        let held = 0
        for await (const chunk of content) {
          hash.update(chunk)
          size += chunk.length
          gathered.push(chunk)
          held += chunk.length
          if (held >= writeSize) {
            await writeAll(handle, gathered)
            gathered = []
            held = 0
          }
        }
        await writeAll(handle, gathered)
        await handle.sync()
        await handle.close()
      } catch (error) {
        await handle.close().catch(() => {})
        await unlink(path).catch(() => {})
        throw error
      }
      return staged(folder, path, size, hash.digest())
    },
    open: (key, range?: ByteRange) => createReadStream(pathOf(key), { highWaterMark: readSize, ...range }),
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

function staged(folder: string, path: string, size: number, sha256: Buffer): Staged {
  return {
    size,
    sha256,
    async keep() {
      const hex = sha256.toString('hex')
      const key = `${hex.slice(0, 2)}/${hex}.${randomBytes(9).toString('base64url')}`
      await rename(path, join(folder, key))
      await syncFolder(join(folder, hex.slice(0, 2)))
      return key
    },
    async discard() {
      await unlink(path).catch(() => {})
    },
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  if (chunks.length === 0) return
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

/** Makes renames and new names in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
