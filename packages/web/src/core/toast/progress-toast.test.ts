import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgressToast } from './progress-toast.ts'
import { toastStore } from './toast.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const said = () => toastStore.getState().toasts.map(({ text }) => text)

test('what takes long is said until it is over, also where it fails; what is quick is not', async () => {
  const quick = Promise.resolve(1)
  expect(await withProgressToast('work', 'working', quick)).toBe(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(said()).toEqual([])
  const long = Promise.withResolvers<never>()
  const done = withProgressToast('work', 'working', long.promise).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000)
  expect(said()).toEqual(['working'])
  long.reject(new Error('refused'))
  expect(await done).toEqual(new Error('refused'))
  expect(said()).toEqual([])
})
