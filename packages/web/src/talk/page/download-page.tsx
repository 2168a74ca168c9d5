import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'

/** What a chat window shows whose main program has been closed ([R306], X81). */
export function DownloadPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <StatePage title={t('im.download.title')} heading="h1" text={t('im.download.text')}>
      <Button kind="primary" onClick={() => void navigate('/im/index')}>
        {t('im.download.open')}
      </Button>
    </StatePage>
  )
}
