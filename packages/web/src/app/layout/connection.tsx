import { PlugDisconnected16Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { connectionStore, useOnline } from '../../core/connection.ts'
import { useT } from '../../core/i18n.ts'
import { useSession } from '../../core/session.ts'
import { version } from '../../core/version.ts'
import { openWindow } from '../../core/window-manager/index.ts'
import { refreshDrive } from '../../drive/index.ts'
import { Button } from '../../kit/button.tsx'
import { reconnect } from '../start.ts'

/** Whether live updates arrive, and the version, at the end of the status bar. */
export function Connection(): ReactNode {
  const t = useT()
  const { serverSetting } = useSession()
  const channel = useStore(connectionStore, (state) => state.channel)
  return (
    <div className="shell-connection">
      <span role="status">
        <i className={`shell-dot is-${channel}`} />
        {t(`app.channel.${channel}`, { company: serverSetting.company_name })}
      </span>
      {channel === 'offline' && (
        <Button kind="link" onClick={reconnect}>
          {t('app.reconnect')}
        </Button>
      )}
      <span className="shell-version">{version.web}</span>
    </div>
  )
}

/** Says that nothing can be changed now. */
export function OfflineStrip(): ReactNode {
  const t = useT()
  if (useOnline()) return null
  return (
    <div className="shell-strip" role="alert">
      <PlugDisconnected16Regular />
      {t('app.offline')}
      <Button
        kind="link"
        onClick={() => {
          reconnect()
          refreshDrive()
        }}
      >
        {t('app.retry')}
      </Button>
      <Button kind="link" onClick={() => void openWindow('connection-diagnostics', {})}>
        {t('diagnostics.title')}
      </Button>
    </div>
  )
}
