// Named pauses: a test holds the server at a point, does something else meanwhile, and lets it go on.

interface PendingPause {
  readonly point: string
  readonly reached: () => void
  readonly released: Promise<void>
}

/** One stop of the server at a point. */
export interface Stop {
  /** Resolves when the server stands there. */
  readonly reached: Promise<void>
  release(): void
}

/** Points that a world is given as `pause`; nothing stops unless it is held. */
export class Pauses {
  /** Every point passed so far, in order. */
  readonly passed: string[] = []
  private readonly held: PendingPause[] = []

  readonly at = async (point: string): Promise<void> => {
    this.passed.push(point)
    const next = this.held.findIndex((one) => one.point === point)
    const [stop] = next < 0 ? [] : this.held.splice(next, 1)
    if (stop === undefined) return
    stop.reached()
    await stop.released
  }

  /** The next time the server comes to `point`, it waits there. */
  hold(point: string): Stop {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.held.push({ point, reached: reached.resolve, released: released.promise })
    return { reached: reached.promise, release: released.resolve }
  }
}
