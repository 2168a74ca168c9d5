// Stands in for app.ts in the server that is killed: it waits for its orders, and dies at the point they name.
import { once } from 'node:events'
import { type App, type AppOptions, createApp as open } from '../../src/app.ts'
import { openS3Store } from '../../src/core/blobs/s3-store.ts'
import { s3LeastPart } from '../s3-account.ts'

/** What the parent process sends before anything is opened. */
export interface Orders {
  /** Where to die, at the how-manieth time. */
  readonly dieAt?: { readonly point: string; readonly time: number }
  /** Milliseconds that the clock is ahead, so that grace times are over. */
  readonly ahead: number
  /** Bytes of a part of an upload. */
  readonly partBytes: number
  /** Whether each small content goes to a pack, in a folder. */
  readonly packs: boolean
}

/** So long a request to S3 is tried: short, so that a store that is away is met as well. */
const patienceMs = 600

/** Small, so that many are begun and filled. */
const packBytes = 256 * 1024

export type * from '../../src/app.ts'

export async function createApp(options: AppOptions): Promise<App> {
  const [{ dieAt, ahead, partBytes, packs }] = (await once(process, 'message')) as [Orders]
  // The parent ends this process when it wants to; nothing may wait for it.
  process.channel?.unref()
  const { s3, log } = options
  let left = dieAt?.time ?? 0
  return open({
    ...options,
    ...(s3 === undefined
      ? {}
      : { openBlobs: (pausePoint) => openS3Store(s3, { log, pausePoint, patienceMs, partBytes: s3LeastPart }) }),
    now: () => Date.now() + ahead,
    partBytes,
    ...(packs && { packing: { after: 0, bytes: packBytes } }),
    pause(point) {
      if (point !== dieAt?.point) return Promise.resolve()
      left -= 1
      if (left > 0) return Promise.resolve()
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    },
  })
}
