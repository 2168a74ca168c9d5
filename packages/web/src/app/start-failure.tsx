import type { ReactNode } from 'react'
import { useT } from '../core/i18n.ts'
import { Button } from '../kit/button.tsx'
import './start-failure.css'

/** The server could not be asked who is signed in. */
export function StartFailure({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  const t = useT()
  return (
    <main className="start-failure">
      <h1>{t('app.startFailed')}</h1>
      <p>{t('app.startFailedMore')}</p>
      <Button kind="primary" autoFocus onClick={onRetry}>
        {t('app.retry')}
      </Button>
    </main>
  )
}
