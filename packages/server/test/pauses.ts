// Named pauses: a test stops the server at a point, does something else, and lets it continue.

interface PendingPause {
  readonly point: string
  readonly reached: () => void
  readonly released: Promise<void>
}

/** One stop of the server at a point. */
export interface Stop {
  /** Resolves when the server has reached the point. */
  readonly reached: Promise<void>
  release(): void
}

/** The `pause` function of a world. It stops only at points that are held. */
export class Pauses {
  /** All points passed so far, in order. */
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

  /** Makes the server wait the next time it reaches `point`. */
  hold(point: string): Stop {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.held.push({ point, reached: reached.resolve, released: released.promise })
    return { reached: reached.promise, release: released.resolve }
  }
}
