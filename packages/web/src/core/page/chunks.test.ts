// @vitest-environment happy-dom
import { limits } from '@cloudoc/domain'
import { afterEach, expect, it, vi } from 'vitest'
import { loadChunk } from './chunks.tsx'

afterEach(() => vi.useRealTimers())

// [R390] A part of the program that has not come after 120,000 ms is given up.
it('a part that does not come within 120 s is one that did not come [R066] [R390]', async () => {
  vi.useFakeTimers()
  const seen: unknown[] = []
  void loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => seen.push(error))
  await vi.advanceTimersByTimeAsync(limits.chunkTimeoutMs - 1)
  expect(seen).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(limits.chunkTimeoutMs).toBe(120_000)
  expect(seen).toEqual([expect.objectContaining({ message: 'Loading chunk failed', code: 'CHUNK_LOAD_FAILED' })])
})

it('a style that does not come carries its own code [R066]', async () => {
  const loading = loadChunk(() => Promise.reject(new Error('Unable to preload CSS for /assets/x.css')))
  await expect(loading).rejects.toMatchObject({ code: 'CSS_CHUNK_LOAD_FAILED' })
})
