/** Requests within this many milliseconds are batched into one run. */
const batchMs = 60
/** Requests during a run wait longer, because more are likely to follow. */
const rerunMs = 500

/**
 * Batches repeated requests for some work. The work starts shortly after the first request, and once more if it was
 * requested while it ran. Thousands of pushes cause only a few runs, one at a time, and the last one starts after the
 * last push. The work handles its own failures.
 */
export function createBatcher(work: () => Promise<unknown>): () => void {
  let state: 'idle' | 'waiting' | 'running' | 'again' = 'idle'
  const wait = (ms: number): void => {
    state = 'waiting'
    setTimeout(() => {
      state = 'running'
      void work().finally(() => {
        if (state === 'again') wait(rerunMs)
        else state = 'idle'
      })
    }, ms)
  }
  return () => {
    if (state === 'idle') wait(batchMs)
    else if (state === 'running') state = 'again'
  }
}
