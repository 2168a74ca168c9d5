// The stores that the killed installation keeps its contents in: what its server is told, and what a look from outside finds.
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { openLocalStore } from '../../src/core/blobs/local-store.ts'
import type { BlobStore } from '../../src/core/blobs/store.ts'
import { keysIn } from '../contents.ts'
import { openTestStore, S3Server } from '../s3.ts'
import { s3Account } from '../s3-account.ts'

export interface CrashStore {
  /** What the server is started with. */
  readonly env: NodeJS.ProcessEnv
  /** Bytes of a part of an upload. */
  readonly partBytes: number
  /** The longest content that people put in is so many times the usual one. */
  readonly longest: number
  open(): Promise<BlobStore>
  /** What lies there: how many objects, and the paths of everything else that holds bytes, but for the mark. */
  left(): Promise<{ objects: number; others: string[] }>
  /** The server that it is, where it is one. */
  readonly server?: S3Server
  /** Lets what is left of uploads inside the store be as old as the installation's clock says. */
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

/** A bucket of an S3 server that is a process of its own, so that it can be killed as well. */
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
    // Beyond the least that a part may have there, so that the store copies them.
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
