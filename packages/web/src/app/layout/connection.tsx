import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { refetchAll } from '../../core/area/area.ts'
import { companyName } from '../../core/i18n/company.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { version } from '../../core/page/version.ts'
import { connectionStore, useOnline } from '../../core/push/connection.ts'
import { renewSession, useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { CheckmarkCircle16Regular, PlugDisconnected16Regular } from '../../kit/icons.ts'
import { reconnect } from '../push-channel.ts'

/** How long the "connection restored" message is shown, in milliseconds. */
const backMs = 4000

/** True for a short time after missed updates have been delivered. */
function useCaughtUp(): boolean {
  const caughtUp = useStore(connectionStore, (state) => state.caughtUp)
  const [said, setSaid] = useState(caughtUp)
  useEffect(() => {
    const timer = setTimeout(() => setSaid(caughtUp), backMs)
    return () => clearTimeout(timer)
  }, [caughtUp])
  return caughtUp > said
}

/** Whether live updates arrive, and the version, at the end of the status bar. */
export function Connection(): ReactNode {
  const t = useT()
  const { serverSetting } = useSession()
  const { channel, looks, slow } = useStore(connectionStore)
  const caughtUp = useCaughtUp()
  const here = slow > 0 ? 'slow' : caughtUp ? 'caughtUp' : channel
  const said = channel === 'online' ? here : channel === 'offline' && looks > 0 ? 'waiting' : channel
  return (
    <div className="shell-connection">
      <span role="status">
        <i className={`shell-dot is-${channel}`} />
        {t(`app.channel.${said}`, { company: companyName(serverSetting.company_name) })}
      </span>
      {(channel === 'offline' || channel === 'refused') && (
        <Button kind="link" onClick={() => (channel === 'refused' ? void renewSession() : reconnect())}>
          {t('app.reconnect')}
        </Button>
      )}
      <span className="shell-version">{version.web}</span>
    </div>
  )
}

/** Shows that changes are not possible while offline, and for a moment that they are possible again. */
export function OfflineStrip(): ReactNode {
  const t = useT()
  const online = useOnline()
  const { looks, channel, caughtUp } = useStore(connectionStore)
  const justCaughtUp = useCaughtUp()
  /** The catch-up count at the time the connection was lost. Undefined once the "restored" message has been shown. */
  const [lostAt, setLostAt] = useState<number>()
  const isBack = online && lostAt !== undefined && caughtUp > lostAt
  useEffect(() => {
    if (!online) setLostAt(connectionStore.getState().caughtUp)
  }, [online])
  useEffect(() => {
    if (isBack && !justCaughtUp) setLostAt(undefined)
  }, [isBack, justCaughtUp])
  if (isBack && justCaughtUp) {
    return (
      <div className="shell-strip is-back">
        <CheckmarkCircle16Regular />
        {t('app.channel.caughtUp')}
      </div>
    )
  }
  if (online) {
    // The server is reachable; missed updates are still being loaded.
    if (lostAt === undefined || channel !== 'connecting') return null
    return (
      <div className="shell-strip">
        <PlugDisconnected16Regular />
        {t('app.channel.connecting')}
      </div>
    )
  }
  return (
    <div className="shell-strip">
      <PlugDisconnected16Regular />
      <span role="alert">{t('app.offline')}</span>
      {looks > 0 && <span>{t('app.offline.look', { n: looks })}</span>}
      <Button
        kind="link"
        onClick={() => {
          reconnect()
          refetchAll()
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
