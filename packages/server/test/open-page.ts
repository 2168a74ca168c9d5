// A page that stays open while its server restarts, and how errors meanwhile are reported.
import { setTimeout as delay } from 'node:timers/promises'
import { isFrame } from '@cloudoc/contract'
import { changeIn } from './follower.ts'
import type { Listener } from './harness.ts'
import type { Remote } from './remote.ts'

export const describeError = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}` : String(error)

/**
 * A page that stays open: it reconnects when its socket closes, and resumes from the last identity that it has seen.
 */
export class Page {
  sockets = 0
  refetches = 0
  /** The folders that it was notified of, once per notification. */
  readonly seen: string[] = []
  private live: Listener | undefined
  private at: { lastIdentity: string; epoch: string } | undefined
  private ends = false
  private readonly running: Promise<void>

  constructor(origin: string, person: Remote) {
    this.running = this.run(origin, person)
  }

  hears(name: string): boolean {
    return this.live?.frames.some((frame) => changeIn(frame)?.fName === name) === true
  }

  async end(): Promise<void> {
    this.ends = true
    await this.live?.close()
    await this.running
  }

  private async run(origin: string, person: Remote): Promise<void> {
    while (!this.ends) {
      const live = await person.listen(origin, this.at).catch(() => delay(200))
      if (live === undefined) continue
      this.live = live
      this.sockets += 1
      const [welcome] = live.frames
      if (welcome !== undefined && isFrame(welcome, 'welcome')) {
        if (welcome.data.refetch) this.refetches += 1
        this.at ??= { lastIdentity: welcome.data.lastIdentity, epoch: welcome.data.epoch }
      }
      await live.closed
      for (const frame of live.frames) {
        if (!isFrame(frame, 'folderChange')) continue
        this.seen.push(frame.data.fName)
        this.at = { lastIdentity: frame.identity, epoch: frame.epoch }
      }
    }
  }
}
