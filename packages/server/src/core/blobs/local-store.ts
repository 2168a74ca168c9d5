/*
 * Contents in a folder. Write order: bytes to `staging/`, fsync; rename into the object's folder, fsync of that folder;
 * only then may a database row name the object. Whatever breaks before the row is an object that nothing names.
 *
 * Objects lie in 256 folders by the first byte of their hash; the key is `{2 hex}/{sha256}.{random}`. Several processes
 * may share the folder: each stages in a folder of its own, and what dead ones left there is removed at start.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { BlobStore, ByteRange, Staged } from './store.ts'

/** Large reads: half the system calls, and level with sendfile from here on. */
const readSize = 512 * 1024
/** Small chunks of a body are gathered to this size before they are written. */
const writeSize = 256 * 1024
const keyForm = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[\w-]{12}$/
/** What another machine staged and has not touched for so long is nobody's any more. */
const abandonedAfterMs = 24 * 60 * 60_000

/** The staging folders of this process; a store is opened more than once in it only by tests. */
const own = new Set<string>()

/** Opens or makes the store. `pausePoint` names the moments between the steps of the write order, for tests. */
export async function openLocalStore(
  folder: string,
  pausePoint: (point: string) => Promise<void> = () => Promise.resolve(),
): Promise<BlobStore> {
  const host = Buffer.from(hostname()).toString('hex')
  const stagingName = `${host}-${process.pid}-${randomBytes(3).toString('hex')}`
  const staging = join(folder, 'staging', stagingName)
  own.add(stagingName)
  await mkdir(join(folder, 'staging'), { recursive: true })
  await removeAbandoned(join(folder, 'staging'), host)
  await mkdir(staging)
  for (let byte = 0; byte < 256; byte += 1) {
    await mkdir(join(folder, byte.toString(16).padStart(2, '0')), { recursive: true })
  }
  await syncFolder(folder)

  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error('no such object')
    return join(folder, key)
  }
  // Folders are opened once for their fsyncs, not for every object.
  const folders = new Map<string, Promise<FileHandle>>()
  const sync = async (name: string): Promise<void> => {
    let opened = folders.get(name)
    if (opened === undefined) {
      opened = open(join(folder, name), 'r')
      folders.set(name, opened)
      opened.catch(() => folders.delete(name))
    }
    await (await opened).sync()
  }

  const staged = (path: string, size: number, sha256: Buffer): Staged => ({
    size,
    sha256,
    async keep() {
      await pausePoint('content staged')
      const hex = sha256.toString('hex')
      const name = hex.slice(0, 2)
      const key = `${name}/${hex}.${randomBytes(9).toString('base64url')}`
      await rename(path, join(folder, key))
      await pausePoint('content renamed')
      await sync(name)
      await pausePoint('content kept')
      return key
    },
    async discard() {
      await unlink(path).catch(() => {})
    },
  })

  return {
    async stage(content) {
      const path = join(staging, randomBytes(12).toString('base64url'))
      const hash = createHash('sha256')
      let size = 0
      const handle = await open(path, 'wx')
      try {
        let gathered: Uint8Array[] = []
        let held = 0
        // The next part is read and hashed while one is being written.
        let writing = Promise.resolve()
        for await (const chunk of content) {
          hash.update(chunk)
          size += chunk.length
          gathered.push(chunk)
          held += chunk.length
          if (held >= writeSize) {
            await writing
            writing = writeAll(handle, gathered)
            writing.catch(() => {})
            gathered = []
            held = 0
          }
        }
        await writing
        await writeAll(handle, gathered)
        await handle.sync()
        await handle.close()
      } catch (error) {
        await handle.close().catch(() => {})
        await unlink(path).catch(() => {})
        throw error
      }
      return staged(path, size, hash.digest())
    },
    open: (key, range?: ByteRange) => createReadStream(pathOf(key), { highWaterMark: readSize, ...range }),
    remove: (key) => rm(pathOf(key), { force: true }),
    async close() {
      for (const opened of folders.values()) await (await opened).close()
      own.delete(stagingName)
      await rm(staging, { recursive: true, force: true })
    },
  }
}

/** Removes what processes staged that are no more. Of another machine nothing is known but how old its files are. */
async function removeAbandoned(staging: string, host: string): Promise<void> {
  for (const name of await readdir(staging)) {
    const path = join(staging, name)
    const [madeOn, pid] = name.split('-')
    if (madeOn === host) {
      if (!own.has(name) && !isOther(Number(pid))) await rm(path, { recursive: true, force: true })
      continue
    }
    for (const file of await readdir(path)) {
      const { mtimeMs } = await stat(join(path, file))
      if (mtimeMs < Date.now() - abandonedAfterMs) await unlink(join(path, file))
    }
  }
}

/** Whether a process of this machine lives that is not this one. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
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
