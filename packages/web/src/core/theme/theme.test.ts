// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { currentSkin, followSkin, setSkin } from './theme.ts'

afterEach(() => {
  localStorage.clear()
  setSkin('blue')
})

it('a skin is applied to the whole page at once and kept [R003]', () => {
  setSkin('black')
  expect(document.documentElement.dataset.skin).toBe('black')
  expect(localStorage.getItem('skin')).toBe('black')
})

it('a skin chosen in another tab is followed, and nonsense is not [R003]', () => {
  const stop = followSkin()
  window.dispatchEvent(new StorageEvent('storage', { key: 'skin', newValue: 'green' }))
  expect(currentSkin()).toBe('green')
  window.dispatchEvent(new StorageEvent('storage', { key: 'skin', newValue: '"><script>' }))
  expect(currentSkin()).toBe('blue')
  stop()
})

it('the kept skin is taken up at start [R003]', () => {
  localStorage.setItem('skin', 'red')
  followSkin()()
  expect(currentSkin()).toBe('red')
})
