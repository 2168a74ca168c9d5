// Stands in for app.ts in the server that is killed: it waits for its orders, and dies at the point they name.
import { once } from 'node:events'
import { type App, type AppOptions, createApp as open } from '../../src/app.ts'

/** What the parent process sends before anything is opened. */
export interface Orders {
  /** Where to die, at the how-manieth time. */
  readonly dieAt?: { readonly point: string; readonly time: number }
  /** Milliseconds that the clock is ahead, so that grace times are over. */
  readonly ahead: number
}

export type * from '../../src/app.ts'

export async function createApp(options: AppOptions): Promise<App> {
  const [{ dieAt, ahead }] = (await once(process, 'message')) as [Orders]
  // The parent ends this process when it wants to; nothing may wait for it.
  process.channel?.unref()
  let left = dieAt?.time ?? 0
  return open({
    ...options,
    now: () => Date.now() + ahead,
    partBytes: 1000,
    pause(point) {
      if (point !== dieAt?.point) return Promise.resolve()
      left -= 1
      if (left > 0) return Promise.resolve()
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    },
  })
}
