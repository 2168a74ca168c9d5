// Announcements are rationed by time.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAnnouncer } from './announcer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('says the first message at once, and those of the next five seconds together', () => {
  const said: unknown[] = []
  const announcer = createAnnouncer<string>((what) => said.push(what))
  announcer.add(['a'])
  vi.advanceTimersByTime(0)
  expect(said).toEqual([['a']])
  announcer.add(['b'])
  announcer.add([])
  vi.advanceTimersByTime(3000)
  announcer.add(['c'])
  vi.advanceTimersByTime(1999)
  expect(said).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(said).toEqual([['a'], ['b', 'c']])
})

it('counts more than three, and says nothing of what was cleared', () => {
  const said: unknown[] = []
  const announcer = createAnnouncer<number>((what) => said.push(what))
  for (let n = 0; n < 50; n += 1) {
    announcer.add([n])
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(5000)
  expect(said).toEqual([[0], 49])
  announcer.add([1])
  announcer.clear()
  vi.advanceTimersByTime(10_000)
  expect(said).toHaveLength(2)
})
