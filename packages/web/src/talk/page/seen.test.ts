// @vitest-environment happy-dom
// When a message counts as read: only while somebody looks at it.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whenSeen } from './seen.ts'

let [isVisible, isFocused] = [true, true]
beforeEach(() => {
  vi.useFakeTimers()
  ;[isVisible, isFocused] = [true, true]
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isVisible ? 'visible' : 'hidden'))
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused)
  globalThis.dispatchEvent(new Event('pointermove'))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** What a person sees, and how often it was counted as read. */
function shown(): { readonly count: () => number; readonly stop: () => void } {
  let count = 0
  const stop = whenSeen(() => (count += 1))
  return { count: () => count, stop }
}

it('what was in view for a second is read, once', () => {
  const { count } = shown()
  vi.advanceTimersByTime(900)
  expect(count()).toBe(0)
  vi.advanceTimersByTime(600)
  expect(count()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(count()).toBe(1)
})

it.each([
  ['a window behind others', () => (isFocused = false), () => (isFocused = true)],
  ['a locked screen', () => (isVisible = false), () => (isVisible = true)],
])('nothing is read in %s, and the second begins anew when somebody is back', (_, leave, comeBack) => {
  const { count } = shown()
  vi.advanceTimersByTime(750)
  leave()
  vi.advanceTimersByTime(60_000)
  comeBack()
  vi.advanceTimersByTime(750)
  expect(count()).toBe(0)
  vi.advanceTimersByTime(750)
  expect(count()).toBe(1)
})

it('nothing is read in front of an empty chair, until there is input', () => {
  vi.advanceTimersByTime(5 * 60_000)
  const { count } = shown()
  vi.advanceTimersByTime(60_000)
  expect(count()).toBe(0)
  globalThis.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(1500)
  expect(count()).toBe(1)
})

it('what has gone from view before is not read', () => {
  const { count, stop } = shown()
  vi.advanceTimersByTime(500)
  stop()
  vi.advanceTimersByTime(5000)
  expect(count()).toBe(0)
})
