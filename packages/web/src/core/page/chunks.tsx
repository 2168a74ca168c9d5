// Code chunks loaded on demand ([R066]). After a server update the old chunks are gone, and only a page reload helps.
// The user decides when to reload, because there may be drafts.
import { limits } from '@cloudoc/domain'
import { lazy, type ReactNode } from 'react'

/** A chunk that failed to load. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
  readonly code: 'CHUNK_LOAD_FAILED' | 'CSS_CHUNK_LOAD_FAILED'

  constructor(cause: unknown) {
    super('Loading chunk failed', { cause })
    const isStyle = cause instanceof Error && /CSS/.test(cause.message)
    this.code = isStyle ? 'CSS_CHUNK_LOAD_FAILED' : 'CHUNK_LOAD_FAILED'
  }
}

/** Loads a chunk. If it fails or takes too long, it throws ChunkError. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), limits.chunkTimeoutMs)
  })
  try {
    return await Promise.race([load(), late])
  } catch (cause) {
    throw new ChunkError(cause)
  } finally {
    clearTimeout(timer)
  }
}

/** A page loaded when it is shown. */
export function lazyPage<K extends string>(load: () => Promise<Record<K, () => ReactNode>>, name: K) {
  return lazy(async () => ({ default: (await loadChunk(load))[name] }))
}
