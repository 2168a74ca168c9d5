// An error message instead of data that could not be loaded.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'

/** Shows the reason, and a retry button. */
export function LoadFailure({ error, retry }: { readonly error: Error; readonly retry: () => unknown }): ReactNode {
  const t = useT()
  return (
    <StatePage title={t('company.failed')} text={error.message}>
      <Button onClick={() => void retry()}>{t('company.again')}</Button>
    </StatePage>
  )
}
