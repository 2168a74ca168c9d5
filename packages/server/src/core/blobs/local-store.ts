/*
 * The local store: contents in a folder. Write order: bytes to `staging/`, fsync; rename into the object's folder,
 * fsync of that folder; only then may a database row name the object. A small content is held in memory until it is
 * complete. It is then written to its final path or, if such contents arrive in large numbers, to a pack
 * (local-packs.ts). A failure before the row is written leaves an object that no row refers to.
 *
 * Objects are stored in 256 folders that are filled in rotation, so that one fsync serves all objects stored at the
 * same moment. The key is `{2 hex}/{sha256}.{random}`. Several processes may share the store: each stages in its own
 * folder, and the leftovers of dead processes are removed at start.
 */
import { hash, randomBytes, randomInt } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { batched, outcomeOf } from '../batcher.ts'
import { createBlockSums, sumsOf } from './block-sums.ts'
import { type FileOperations, type OpenFile, systemFiles } from './file-operations.ts'
import { begin, codeOf, pour, syncFolder } from './local-files.ts'
import { openLocalPacks, type Packing, usualPacking } from './local-packs.ts'
import { openLocalParts } from './local-parts.ts'
import { isPacked } from './pack-format.ts'
import { objectOf } from './read-object.ts'
import { type BlobStore, noSuchObject, type Staged, type StoredObject, smallContent } from './store.ts'

const keyForm = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[\w-]{12}$/
/** Staging files of another machine that are untouched for this long are abandoned. */
const abandonedAfterMs = 24 * 60 * 60_000

/** Number of objects stored in one folder before the next folder is used. */
const objectsPerFolder = 64

/** The file that names the installation that owns the contents. */
const markName = 'installation'
const folderNames = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The staging folders of this process. Only tests open a store more than once in a process. */
const own = new Set<string>()

/** Options of the local store that tests set. */
export interface LocalStoreOptions {
  /** The maximum size of a content that is held in memory while it arrives. */
  readonly heldInMemory?: number
  readonly packing?: Packing
}

/** Opens or creates the store. For tests, `pausePoint` names the moments between the steps of the write order. */
export async function openLocalStore(
  folder: string,
  pausePoint: (point: string) => Promise<void> = () => Promise.resolve(),
  files: FileOperations = systemFiles,
  { heldInMemory = smallContent, packing = usualPacking }: LocalStoreOptions = {},
): Promise<BlobStore> {
  const { mkdir, open, readdir, rename, rm, unlink, writeNew } = files
  const host = await hostLabel()
  const stagingName = `${host}-${process.pid}-${randomBytes(3).toString('hex')}`
  const staging = join(folder, 'staging', stagingName)
  own.add(stagingName)
  await mkdir(join(folder, 'staging'), { recursive: true })
  await removeAbandoned(files, join(folder, 'staging'), host)
  await mkdir(staging)
  for (const name of folderNames) await mkdir(join(folder, name), { recursive: true })
  const room = roomOf(files, folder)
  const { room: disk } = files
  const packs = await openLocalPacks({
    files,
    folder,
    owner: stagingName,
    isGone: (owner, writtenAt) => isAbandoned(owner, host, writtenAt),
    room,
    packing,
  })
  await syncFolder(files, folder)
  await syncAbove(files, resolve(folder))

  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw noSuchObject()
    return join(folder, key)
  }
  const folders = createFolderSync(files, folder)
  let kept = randomInt(folderNames.length * objectsPerFolder)

  /** Stores a content durably under an object's name. `put` creates a file of that name whose bytes are durable. */
  const keepBy = async (sha256: Buffer, put: (path: string) => Promise<void>): Promise<string> => {
    const hex = sha256.toString('hex')
    const name = folderNames[Math.floor(kept / objectsPerFolder) % folderNames.length] ?? '00'
    kept += 1
    const key = `${name}/${hex}.${randomBytes(9).toString('base64url')}`
    await put(join(folder, key))
    await pausePoint('content renamed')
    await folders.sync(name)
    return key
  }

  const keep = async (path: string, sha256: Buffer, move: FileOperations['rename'] = rename): Promise<string> => {
    await pausePoint('content staged')
    const key = await keepBy(sha256, (to) => move(path, to))
    await pausePoint('content kept')
    return key
  }

  const keepSmall = async (bytes: Uint8Array, sha256: Buffer): Promise<string> => {
    await pausePoint('content staged')
    const key =
      (await packs.keep(sha256, bytes)) ??
      (await keepBy(sha256, async (path) => {
        try {
          await writeNew(path, bytes)
        } catch (error) {
          await unlink(path).catch(() => {})
          throw error
        }
      }))
    await pausePoint('content kept')
    return key
  }

  const stage = async (content: AsyncIterable<Uint8Array>): Promise<Staged> => {
    const begun = await begin(content, heldInMemory)
    if ('bytes' in begun) {
      const { bytes } = begun
      const sha256 = hash('sha256', bytes, 'buffer')
      return {
        size: bytes.length,
        sha256,
        sums: sumsOf(bytes),
        keep: () => keepSmall(bytes, sha256),
        discard: () => Promise.resolve(),
      }
    }
    const path = join(staging, randomBytes(12).toString('base64url'))
    const handle = await open(path, 'wx').catch(async (error: unknown) => {
      await begun.leave()
      throw error
    })
    try {
      const sums = createBlockSums()
      const { size, sha256 } = await pour(handle, begun.content, { at: 0, most: Number.MAX_SAFE_INTEGER, sums })
      await handle.sync()
      await handle.close()
      return {
        size,
        sha256,
        sums: sums.end(),
        keep: () => keep(path, sha256),
        async discard() {
          await unlink(path).catch(() => {})
        },
      }
    } catch (error) {
      await handle.close().catch(() => {})
      await unlink(path).catch(() => {})
      throw error
    }
  }

  // Writes, because a disk that has become read-only still answers everything else. A disk that hangs is probed once.
  let probing: Promise<void> | undefined
  const probe = async (): Promise<void> => {
    const path = join(staging, `probe-${randomBytes(6).toString('hex')}`)
    await writeNew(path, Buffer.from('probe'))
    await unlink(path)
  }

  return {
    stage,
    ...(await openLocalParts({ files, folder, stage, keep })),
    open: async (key, range) =>
      isPacked(key) ? packs.open(key, range) : objectOf(await files.openToRead(pathOf(key)), range),
    async remove(key) {
      if (isPacked(key)) await packs.remove(key)
      else if (keyForm.test(key)) await rm(pathOf(key), { force: true })
    },
    async *list() {
      yield* packs.list()
      for (const name of folderNames) {
        for (const file of await readdir(join(folder, name))) {
          const key = `${name}/${file}`
          const object = keyForm.test(key) ? await objectAt(files, join(folder, key)) : undefined
          if (object !== undefined) yield { key, ...object }
        }
      }
    },
    giveBack: () => packs.giveBack(),
    room,
    place: resolve(folder),
    markedFor: (mark) => markedFor(files, { folder, staging }, mark),
    reach() {
      probing ??= probe().finally(() => {
        probing = undefined
      })
      return probing
    },
    ...(disk && { disk: () => disk(folder) }),
    async close() {
      await packs.close()
      await folders.close()
      own.delete(stagingName)
      await rm(staging, { recursive: true, force: true })
    },
  }
}

/** Names the installation that owns the contents, and returns which one it is. */
async function markedFor(
  files: FileOperations,
  { folder, staging }: { readonly folder: string; readonly staging: string },
  mark: string | undefined,
): Promise<string | undefined> {
  const path = join(folder, markName)
  if (mark !== undefined) {
    const fresh = join(staging, `${markName}-${randomBytes(6).toString('hex')}`)
    await files.writeNew(fresh, Buffer.from(mark))
    await files.rename(fresh, path)
    await syncFolder(files, folder)
  }
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}

/** Syncs the folders of the store: each is opened once for its fsyncs, not once per object. */
function createFolderSync({ open }: FileOperations, folder: string) {
  const folders = new Map<string, Promise<OpenFile>>()
  let closed = false
  const syncNow = async (name: string): Promise<void> => {
    if (closed) throw new Error('the store is closed')
    let opened = folders.get(name)
    if (opened === undefined) {
      opened = open(join(folder, name), 'r')
      folders.set(name, opened)
      opened.catch(() => folders.delete(name))
    }
    await (await opened).sync()
  }
  // A rename during a running sync of its folder waits for the next sync, together with all others.
  const sync = batched({ most: 1000, atOnce: 1 }, async (names: readonly string[]) => {
    const synced = new Map([...new Set(names)].map((name) => [name, outcomeOf(syncNow(name))]))
    return Promise.all(names.map((name) => synced.get(name) ?? outcomeOf(syncNow(name))))
  })

  return {
    sync,
    async close(): Promise<void> {
      closed = true
      for (const opened of folders.values()) await (await opened).close()
    },
  }
}

/**
 * Reserved free space (on small disks a twentieth): the database is often on the same disk and must be able to write.
 */
const reserve = 256 * 1024 * 1024
/** How long a reading of the free space is cached. */
const diskCheckEveryMs = 250

/** Available bytes. Negative while the reserve is being used. */
function roomOf({ room }: FileOperations, folder: string): () => Promise<number> {
  let looked = Number.NEGATIVE_INFINITY
  let found: Promise<number> = Promise.resolve(Number.POSITIVE_INFINITY)
  return () => {
    if (room !== undefined && performance.now() >= looked + diskCheckEveryMs) {
      looked = performance.now()
      found = room(folder).then(({ free, size }) => free - Math.min(reserve, size / 20))
      // A failed reading is not cached.
      found.catch(() => {
        looked = Number.NEGATIVE_INFINITY
      })
    }
    return found
  }
}

/**
 * Identifies the scope in which process ids are unique: the machine and, on Linux, the container. Containers on one
 * machine may use the machine's host name.
 */
async function hostLabel(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return Buffer.from(`${hostname()} ${namespace}`).toString('hex')
}

/** Removes what ended processes staged. */
async function removeAbandoned(files: FileOperations, staging: string, host: string): Promise<void> {
  const { readdir, rm, stat, unlink } = files
  for (const name of await readdir(staging)) {
    const path = join(staging, name)
    if (name.startsWith(`${host}-`)) {
      if (isAbandoned(name, host, 0)) await rm(path, { recursive: true, force: true })
      continue
    }
    for (const file of await readdir(path)) {
      const { mtimeMs } = await stat(join(path, file))
      if (isAbandoned(name, host, mtimeMs)) await unlink(join(path, file))
    }
  }
}

/** Whether the process of a staging folder has ended. For another machine only the age of its files is known. */
function isAbandoned(stagingName: string, host: string, writtenAt: number): boolean {
  const [madeOn, pid] = stagingName.split('-')
  if (madeOn !== host) return writtenAt < Date.now() - abandonedAfterMs
  return !own.has(stagingName) && !isOther(Number(pid))
}

/** Whether the pid belongs to a living process of this machine other than this one. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The size and age of an object. Undefined if it was removed meanwhile. */
async function objectAt(files: FileOperations, path: string): Promise<Omit<StoredObject, 'key'> | undefined> {
  try {
    const { size, ctimeMs } = await files.stat(path)
    return { size, modifiedAt: ctimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Makes the names of the parent folders durable, as far as this process may read them. */
async function syncAbove(files: FileOperations, folder: string): Promise<void> {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    try {
      await syncFolder(files, dirname(at))
    } catch (error) {
      if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error
    }
  }
}
