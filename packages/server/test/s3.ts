// An S3 server in its own process, which tests kill and restart, and stores on it.
import { mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { quickFolder } from '../../../scripts/quick-folder.mjs'
import type { S3Config } from '../src/config.ts'
import { openS3Store } from '../src/core/blobs/s3-store.ts'
import type { BlobStore } from '../src/core/blobs/store.ts'
import { createLog, type Log } from '../src/core/log.ts'
import { s3Account, s3LeastPart } from './s3-account.ts'
import { ServerProcess } from './server-process.ts'

const script = join(import.meta.dirname, 's3-server.ts')

/** A server whose buckets are the subfolders of a folder. */
export class S3Server {
  private process: ServerProcess
  private readonly folder: string
  readonly origin: string

  private constructor(process: ServerProcess, folder: string, origin: string) {
    this.process = process
    this.folder = folder
    this.origin = origin
  }

  static async start(folder = quickFolder): Promise<S3Server> {
    const process = new ServerProcess([folder, '0', ''], {}, script)
    return new S3Server(process, folder, await process.ready())
  }

  /** Resolves when it has stopped at the moment that it was started with. */
  async stopped(): Promise<void> {
    await this.process.says(/stopped at/)
  }

  get pid(): number {
    return this.process.child.pid ?? 0
  }

  async kill(): Promise<void> {
    this.process.child.kill('SIGKILL')
    await this.process.exited
  }

  /** Kills it, and restarts it at the same address. */
  async restart(stopAt = ''): Promise<void> {
    await this.kill()
    this.process = new ServerProcess([this.folder, new URL(this.origin).port, stopAt], {}, script)
    await this.process.ready()
  }

  configOf(folder: string): S3Config {
    return { ...s3Account, bucketUrl: `${this.origin}/${basename(folder)}`, directUrl: undefined }
  }
}

const buckets: string[] = []

/** Creates a folder that is a bucket of every such server, until `removeBuckets`. */
export async function makeBucket(): Promise<string> {
  const folder = await mkdtemp(join(quickFolder, 'cloudoc-bucket-'))
  buckets.push(folder)
  return folder
}

/** Removes the buckets that this test file has made. */
export async function removeBuckets(): Promise<void> {
  for (const folder of buckets.splice(0)) await rm(folder, { recursive: true, force: true })
}

export interface StoreOptions {
  readonly log?: Log
  readonly patienceMs?: number
  readonly answerWithinMs?: number
  readonly pausePoint?: (point: string) => Promise<void>
  readonly directUrl?: string
}

/** Opens a subfolder of the temporary folder as a bucket, with small parts. */
export function openTestStore(server: S3Server, folder: string, options: StoreOptions = {}): Promise<BlobStore> {
  const { directUrl, ...more } = options
  return openS3Store(
    { ...server.configOf(folder), directUrl },
    { log: createLog('silent'), partBytes: s3LeastPart, ...more },
  )
}
