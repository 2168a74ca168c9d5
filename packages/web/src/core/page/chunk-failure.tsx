// Shown instead of a part of the page whose code did not load, or that failed ([R066]).
import type { ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { useT } from '../i18n/i18n.ts'
import { ChunkError } from './chunks.tsx'

/** Shown instead of a part whose code did not load, or that failed. */
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
