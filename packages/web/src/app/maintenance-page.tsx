// Shown while the server is in maintenance mode. The page asks again from time to time and continues where it was.
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { api } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Button } from '../kit/button.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { loginPath, manualLoginParam } from './login-redirect.ts'
import { maintenanceStore } from './maintenance-store.ts'

const askEveryMs = 15_000

export function MaintenancePage(): ReactNode {
  const t = useT()
  const message = useStore(maintenanceStore, ({ message: said }) => said) ?? ''
  const [busy, setBusy] = useState(false)
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.getMyAccountInfo({}, { quiet: true })
      location.reload()
    } catch {
      setBusy(false)
    }
  }
  useEffect(() => {
    const asking = setInterval(() => void ask(), askEveryMs)
    return () => clearInterval(asking)
  }, [])
  return (
    <main style={{ height: '100%' }}>
      <StatePage heading="h1" title={t('app.maintenance')} text={message} code={t('app.maintenance.more')}>
        <Button kind="primary" autoFocus disabled={busy} onClick={() => void ask()}>
          {t('app.retry')}
        </Button>
        <Button onClick={() => location.assign(`${loginPath}?${manualLoginParam}=1`)}>
          {t('app.maintenance.admin')}
        </Button>
      </StatePage>
    </main>
  )
}
