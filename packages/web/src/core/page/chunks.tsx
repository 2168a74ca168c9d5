// Parts of the program that are loaded when they are needed ([R066]). After an update of the server the old parts are
// gone: then only reloading the page helps, and only the person decides when, for there may be drafts.
import { limits } from '@cloudoc/domain'
import { lazy, type ReactNode } from 'react'

/** A part that did not come. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
  readonly code: 'CHUNK_LOAD_FAILED' | 'CSS_CHUNK_LOAD_FAILED'

  constructor(cause: unknown) {
    super('Loading chunk failed', { cause })
    const isStyle = cause instanceof Error && /CSS/.test(cause.message)
    this.code = isStyle ? 'CSS_CHUNK_LOAD_FAILED' : 'CHUNK_LOAD_FAILED'
  }
}

/** Loads a part; one that does not come, or not in time, fails with ChunkError. */
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

/** A page that comes when it is shown. */
export function lazyPage<K extends string>(load: () => Promise<Record<K, () => ReactNode>>, name: K) {
  return lazy(async () => ({ default: (await loadChunk(load))[name] }))
}
