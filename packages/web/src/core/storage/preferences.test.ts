// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { prefer, preferencesStore, savePreferences } from './preferences.ts'

const written = () => JSON.parse(localStorage.getItem('preferences') ?? 'null') as { transfers: number } | null

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  savePreferences()
  vi.useRealTimers()
})

// [R087] Settings are written 200 ms after the last change, at most 500 ms after the first.
it('a preference holds at once and is written 200 ms after the last change, 500 ms after the first at most [R087]', () => {
  prefer({ transfers: 1 })
  expect(preferencesStore.getState().transfers).toBe(1)
  vi.advanceTimersByTime(199)
  expect(written()).toBeNull()
  vi.advanceTimersByTime(1)
  expect(written()?.transfers).toBe(1)
  for (let i = 2; i <= 5; i += 1) {
    prefer({ transfers: i })
    vi.advanceTimersByTime(110)
  }
  expect(written()?.transfers, 'while it is still being changed').toBe(1)
  prefer({ transfers: 6 })
  vi.advanceTimersByTime(60)
  expect(written()?.transfers).toBe(6)
})

it('begins where it was left by its documented key [R305]', () => {
  prefer({ startup: 'last' })
  savePreferences()
  expect(localStorage.getItem('startup')).toBe('last')
})
