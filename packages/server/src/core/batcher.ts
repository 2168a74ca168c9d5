// Batching of work that costs less for many than for one: inputs that wait while a batch runs form the next batch.

/** The outcome of one member of a batch. */
export type Outcome<O> = { readonly value: O } | { readonly error: unknown }

/** Converts the settlement of a promise to an outcome. */
export async function outcomeOf<O>(promise: Promise<O>): Promise<Outcome<O>> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}

export interface BatchOptions {
  /** Maximum size of a batch. */
  readonly most: number
  /** Number of batches running concurrently. */
  readonly atOnce: number
  /** How long arrived inputs wait for announced ones, in milliseconds. */
  readonly patienceMs?: number
  /**
   * The batch starts after everything that has arrived at the process was handled: for work that all of it will
   * request.
   */
  readonly atEndOfTick?: boolean
}

/**
 * Turns a function on many inputs into one on a single input. The first call starts a batch at once, and calls during
 * it form the next batch. Nothing joins a batch that has started, so each caller gets a result that is valid after its
 * call. An input may be a promise: it is announced, and is awaited within `patienceMs`. If it fails, only its caller
 * fails.
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
