// Work that costs less for many than for one: what waits while some is under way is done together next.

/** What became of one of many. */
export type Outcome<O> = { readonly value: O } | { readonly error: unknown }

/** How a promise ends. */
export async function outcomeOf<O>(promise: Promise<O>): Promise<Outcome<O>> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}

export interface BatchOptions {
  /** How many are done together at most. */
  readonly most: number
  /** How many gatherings are under way at once. */
  readonly atOnce: number
  /** How long those that are here wait for those that are known to come, in milliseconds. */
  readonly patienceMs?: number
  /** Begins when everything that has arrived at the process has been looked at: for work that all of them will ask for. */
  readonly atEndOfTick?: boolean
}

/**
 * Answers a function for one that works on many: the first is begun at once, and what is asked for meanwhile follows
 * together. Nothing joins a gathering that has begun, so each asker gets what was true after it asked. An input may be a
 * promise: it is known to come, and is waited for as long as patience allows; where it fails, its asker fails alone.
 */
export function batched<I, O>(
  { most, atOnce, patienceMs = 0, atEndOfTick = false }: BatchOptions,
  work: (inputs: readonly I[]) => Promise<readonly Outcome<O>[]>,
): (input: I | Promise<I>) => Promise<O> {
  let waiting: { input: I; resolve: (value: O) => void; reject: (error: unknown) => void }[] = []
  let running = 0
  let coming = 0
  let impatient = false
  let patience: NodeJS.Timeout | undefined
  let turnEnds = false

  const next = (): void => {
    if (waiting.length === 0 || running >= atOnce) return
    if (coming > 0 && waiting.length < most && patienceMs > 0 && !impatient) {
      patience ??= setTimeout(() => {
        impatient = true
        next()
      }, patienceMs)
      return
    }
    clearTimeout(patience)
    patience = undefined
    impatient = false
    const together = waiting.slice(0, most)
    waiting = waiting.slice(most)
    running += 1
    work(together.map(({ input }) => input))
      .then(
        (outcomes) => {
          for (const [at, { resolve, reject }] of together.entries()) {
            const outcome = outcomes[at]
            if (outcome === undefined) reject(new Error('nothing became of one of many'))
            else if ('error' in outcome) reject(outcome.error)
            else resolve(outcome.value)
          }
        },
        (error: unknown) => {
          for (const { reject } of together) reject(error)
        },
      )
      .finally(() => {
        running -= 1
        next()
      })
  }

  const enter = (input: I): Promise<O> =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!atEndOfTick) return next()
      if (turnEnds) return undefined
      turnEnds = true
      setImmediate(() => {
        turnEnds = false
        next()
      })
    })

  return async (input) => {
    if (!(input instanceof Promise)) return enter(input)
    coming += 1
    const arrived = await outcomeOf(input)
    coming -= 1
    if ('value' in arrived) return enter(arrived.value)
    next()
    throw arrived.error
  }
}
