// Work outside the main thread: in a worker that ends with its caller, or in the page where workers are not available.
import { expect, test } from 'vitest'
import { runInWorker, serveWorker } from './worker-task.ts'

/** A worker that has not started yet, as seen by the page. */
class Idle {
  onmessage: ((event: { data: unknown }) => void) | undefined
  onerror: (() => void) | undefined
  asked: unknown[] = []
  isOver = false
  postMessage(asked: unknown): void {
    this.asked.push(asked)
  }
  terminate(): void {
    this.isOver = true
  }
}
const here = async () => (n: number) => n * 2
const parts = (worker: Idle) => ({ start: () => worker as unknown as Worker, here })
const { signal } = new AbortController()

test('is asked for once, says how far it is, and ends when it is done', async () => {
  const worker = new Idle()
  const steps: number[][] = []
  const made = runInWorker(parts(worker), 21, { signal, onStep: (...step) => steps.push(step) })
  worker.onmessage?.({ data: { done: 1, of: 4 } })
  worker.onmessage?.({ data: { made: 42 } })
  expect([await made, steps, worker.asked, worker.isOver]).toEqual([42, [[1, 4]], [21], true])
})

// [R174] Both sides of a version conflict are compared by a worker outside the page's thread, which ends with the
// window.
test('[R174] called off, its worker ends at once, and whoever waited is told', async () => {
  const worker = new Idle()
  const calling = new AbortController()
  const made = runInWorker(parts(worker), 21, { signal: calling.signal })
  calling.abort(new Error('off'))
  await expect(made).rejects.toThrow('off')
  expect(worker.isOver).toBe(true)
  await expect(runInWorker(parts(new Idle()), 1, { signal: calling.signal })).rejects.toThrow('off')
})

test('is done in the page where no worker starts, or one breaks', async () => {
  const none = () => {
    throw new Error('no workers')
  }
  expect(await runInWorker({ start: none, here }, 4, { signal })).toBe(8)
  const worker = new Idle()
  const made = runInWorker(parts(worker), 5, { signal })
  worker.onerror?.()
  expect(await made).toBe(10)
})

test('what fails in the worker says why', async () => {
  const said: unknown[] = []
  const scope = globalThis as { self?: unknown }
  const own = scope.self
  const worker: { postMessage: (data: unknown) => void; onmessage?: (event: { data: unknown }) => Promise<void> } = {
    postMessage: (data) => said.push(data),
  }
  scope.self = worker
  serveWorker((n: number, onStep) => (onStep(1, 2), n === 0 ? Promise.reject(new Error('nothing')) : n))
  await worker.onmessage?.({ data: 3 })
  await worker.onmessage?.({ data: 0 })
  scope.self = own
  expect(said).toEqual([{ done: 1, of: 2 }, { made: 3 }, { done: 1, of: 2 }, { failed: 'nothing' }])
})
