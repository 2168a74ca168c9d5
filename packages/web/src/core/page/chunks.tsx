// Parts of the program that are loaded when they are needed ([R066]). After an update of the server the old parts are
// gone: then only reloading the page helps, and only the person decides when, for there may be drafts.
import { limits } from '@cloudoc/domain'
import { lazy, type ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { useT } from '../i18n/i18n.ts'

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

/** Stands where a part should be that did not come, or broke. */
export function ChunkFailure({ error }: { readonly error: unknown }): ReactNode {
  const t = useT()
  const missing = error instanceof ChunkError
  const ofStyle = missing && error.code === 'CSS_CHUNK_LOAD_FAILED'
  return (
    <div role="alert" style={{ display: 'grid', flex: 1 }}>
      <StatePage
        heading="h3"
        title={t(missing ? 'chunk.title' : 'chunk.broke')}
        text={missing ? (ofStyle ? `${error.message} (${error.code})` : error.message) : t('chunk.brokeMore')}
      >
        <Button kind="primary" onClick={() => location.reload()}>
          {t('chunk.reload')}
        </Button>
      </StatePage>
    </div>
  )
}
