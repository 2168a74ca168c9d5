/** What is asked for within this many milliseconds is done once. */
const batchMs = 60
/** What is asked for while it is done waits longer: more of it will follow. */
const rerunMs = 500

/**
 * Makes of some work one that may be asked for at any rate: it begins a moment after the first asking and, when it was
 * asked for while it ran, once more after it. What thousands of pushes ask for becomes a few requests, one at a time, and
 * the last of them begins after the last push. A failure is the work's own to tell.
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
