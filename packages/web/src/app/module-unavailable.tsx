import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../core/i18n/i18n.ts'
import { Button } from '../kit/button.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { homePath } from './login-redirect.ts'
import './module-texts.ts'

/** Shown at a documented address whose module is not available yet ([R394]). */
export function ModuleNotAvailable(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <StatePage heading="h1" title={t('app.notYet')} text={t('app.notYet.more')}>
      <Button kind="primary" onClick={() => void navigate(homePath)}>
        {t('app.notYet.toFiles')}
      </Button>
    </StatePage>
  )
}

/** Shown at the addresses of a feature that an operator has switched off. */
export function ModuleOff(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <StatePage heading="h1" title={t('features.off')} text={t('features.off.more')}>
      <Button kind="primary" onClick={() => void navigate(homePath)}>
        {t('app.notYet.toFiles')}
      </Button>
    </StatePage>
  )
}

/** Shown if the user may not use the module. Tells the user that a security administrator can grant access. */
export function ModuleNotPermitted(): ReactNode {
  const t = useT()
  return <StatePage heading="h1" title={t('app.notOpen')} text={t('app.notOpen.more')} />
}
