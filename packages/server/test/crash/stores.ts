// The content stores of the killed installation: the options for the server, and the state that an inspection from
// outside finds.
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { openLocalStore } from '../../src/core/blobs/local-store.ts'
import type { BlobStore } from '../../src/core/blobs/store.ts'
import { keysIn } from '../contents.ts'
import { openTestStore, S3Server } from '../s3.ts'
import { s3Account } from '../s3-account.ts'

export interface CrashStore {
  /** The environment that the server is started with. */
  readonly env: NodeJS.ProcessEnv
  /** Part size of an upload in bytes. */
  readonly partBytes: number
  /** The longest uploaded content, as a multiple of the usual size. */
  readonly longest: number
  open(): Promise<BlobStore>
  /**
   * The contents of the store: the number of objects, and the paths of all other files that hold bytes, except the
   * marker.
   */
  left(): Promise<{ objects: number; others: string[] }>
  /** The store's server, where it has one. */
  readonly server?: S3Server
  /** Sets the age of abandoned uploads in the store to match the installation's clock. */
  age(): Promise<void>
  close(): Promise<void>
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

export function folderStore(data: string): CrashStore {
  const folder = join(data, 'blobs')
  return {
    env: {},
    partBytes: 1000,
    longest: 1,
    open: () => openLocalStore(folder),
    async left() {
      const store = await openLocalStore(folder)
      const objects = await keysIn(store)
      await store.close()
      return {
        objects: objects.length,
        others: (await filesIn(folder)).filter((file) => !/^([0-9a-f]{2}\/|packs\/|installation$)/.test(file)),
      }
    },
    age: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** A bucket of an S3 server that runs in its own process, so that it can be killed as well. */
export async function s3Store(data: string): Promise<CrashStore> {
  const server = await S3Server.start(dirname(data))
  const objects = join(data, 'blobs')
  await mkdir(objects)
  return {
    env: {
      BLOB_URL: `s3:${server.configOf(data).bucketUrl}`,
      S3_ACCESS_KEY_ID: s3Account.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Account.secretAccessKey,
      S3_REGION: s3Account.region,
    },
    // More than the store's minimum for parts, so that it copies them.
    partBytes: 70_000,
    longest: 40,
    server,
    open: () => openTestStore(server, data),
    async left() {
      const files = await filesIn(objects)
      const whole = files.filter((file) => file.startsWith('objects/'))
      return { objects: whole.length, others: files.filter((file) => !whole.includes(file) && file !== 'installation') }
    },
    async age() {
      const multipart = join(objects, 'multipart')
      for (const id of await readdir(multipart).catch(() => [])) await utimes(join(multipart, id), 0, 0)
    },
    close: () => server.kill(),
  }
}
