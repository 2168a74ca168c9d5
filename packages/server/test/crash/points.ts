// Replaces app.ts in the server that is killed: it waits for its orders, and kills the process at the point that they
// name.
import { once } from 'node:events'
import { type App, type AppOptions, createApp as open } from '../../src/app.ts'
import { openS3Store } from '../../src/core/blobs/s3-store.ts'
import { s3LeastPart } from '../s3-account.ts'

/** The orders that the parent process sends before anything is opened. */
export interface Orders {
  /** The point at which to die, and at which pass of it. */
  readonly dieAt?: { readonly point: string; readonly time: number }
  /** How many milliseconds the clock is ahead, so that grace times are over. */
  readonly ahead: number
  /** Part size of an upload in bytes. */
  readonly partBytes: number
  /** Whether every small content goes to a pack, in a folder store. */
  readonly packs: boolean
}

/** How long a request to S3 is retried: short, so that the tests also cover an unavailable store. */
const patienceMs = 600

/** Small, so that many packs are created and filled. */
const packBytes = 256 * 1024

export type * from '../../src/app.ts'

export async function createApp(options: AppOptions): Promise<App> {
  const [{ dieAt, ahead, partBytes, packs }] = (await once(process, 'message')) as [Orders]
  // The parent may end this process at any time. Nothing may wait for the channel.
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
