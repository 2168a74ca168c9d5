// The drawer of a linked server: its state with the cause, its keys, and what can be done with the link.
import { fullTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { type Linked, refetchLinked } from './linked-list.ts'
import { causeText, notifyLinked } from './server-state.ts'

interface DrawerProps {
  readonly server: Linked
  /** The fingerprint of this server's key. */
  readonly ownKey: string
  readonly close: () => void
}

export function ServerDrawer({ server, ownKey, close }: DrawerProps): ReactNode {
  const t = useT()
  const { serverId, serverName: name, isPaused, state } = server
  const after = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      notifyLinked(error)
      return false
    } finally {
      await refetchLinked()
    }
  }
  const check = (): Promise<boolean> =>
    after(async () => {
      const found = await api.checkLinkedServer({ serverId })
      if (found.state === 'ok') toast({ kind: 'success', text: t('linkedServer.checked', { name, ms: found.ms }) })
      else toast({ kind: 'warning', text: `${t(`linkedServer.state.${found.state}`)} ${causeText(found)}` })
    })
  const remove = async (): Promise<void> => {
    const yes = await confirmBox({
      title: t('linkedServer.removeTitle'),
      text: t('linkedServer.removeText', { name }),
      ok: t('linkedServer.remove').replace('…', ''),
      danger: true,
    })
    if (yes && (await after(() => api.removeLinkedServer({ serverId })))) close()
  }
  const revoke = async (publicKey: string): Promise<void> => {
    const yes = await confirmBox({
      title: t('linkedServer.revokeTitle'),
      text: t('linkedServer.revokeText', { name }),
      ok: t('linkedServer.revoke'),
      danger: true,
    })
    if (yes) await after(() => api.revokeLinkedKey({ serverId, publicKey }))
  }
  const why = causeText(server)
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('linkedServer.state'), t(`linkedServer.state.${state}`)],
    [t('linkedServer.since'), server.since === 0 ? '—' : fullTime(server.since)],
    [t('linkedServer.seen'), server.seenAt === 0 ? t('linkedServer.never') : fullTime(server.seenAt)],
    [t('linkedServer.failures'), server.failures],
    [t('linkedServer.latency'), t('linkedServer.ms', { n: server.latencyMs })],
    [t('linkedServer.version'), server.version || '—'],
    [t('linkedServer.address'), server.apiHost],
    ...server.authorities.map(
      ({ subject, until }) =>
        [t('linkedServer.authority'), t('linkedServer.authorityOf', { subject, until: fullTime(until) })] as const,
    ),
    [t('linkedServer.code'), server.serverCode || '—'],
    [t('linkedServer.best'), server.bestServer || '—'],
    [t('linkedServer.confirmed'), server.confirmed],
    [t('linkedServer.knows'), t(server.knowsKey ? 'linkedServer.knows.yes' : 'linkedServer.knows.no')],
    [
      t('linkedServer.checkedWith'),
      server.checkedAt === 0
        ? t('linkedServer.notChecked')
        : t('linkedServer.checkedBy', { when: fullTime(server.checkedAt), who: server.checkedWith }),
    ],
  ]
  return (
    <aside className="ls-drawer" aria-label={name}>
      <header>
        <b>{name}</b>
        <Button size="small" onClick={close}>
          {t('linkedServer.close')}
        </Button>
      </header>
      <div className="ls-tools">
        <Button size="small" onClick={() => void check()}>
          {t('linkedServer.check')}
        </Button>
        <Button size="small" onClick={() => void after(() => openWindow('cloudoc-linked-server', { server, ownKey }))}>
          {t('linkedServer.edit')}
        </Button>
        <Button size="small" onClick={() => void after(() => api.pauseLinkedServer({ serverId, paused: !isPaused }))}>
          {t(isPaused ? 'linkedServer.resume' : 'linkedServer.pause')}
        </Button>
        <Button size="small" kind="danger" onClick={() => void remove()}>
          {t('linkedServer.remove')}
        </Button>
      </div>
      {why !== '' && (
        <p className="ls-why" role="status">
          {why}
        </p>
      )}
      <dl className="ls-facts">
        {facts.map(([label, value]) => (
          <div key={`${label} ${typeof value === 'string' ? value : ''}`}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <b className="ls-head">{t('linkedServer.keys')}</b>
      <ul className="ls-keys">
        {server.keys.map(({ publicKey, fingerprint, since, state: is }) => (
          <li key={publicKey}>
            <code className="ls-key">{fingerprint}</code>
            <small>
              {t(`linkedServer.key.${is}`)} · {fullTime(since)}
            </small>
            {is !== 'revoked' && (
              <Button
                size="small"
                kind="danger"
                aria-label={t('linkedServer.revokeOf', { key: fingerprint })}
                onClick={() => void revoke(publicKey)}
              >
                {t('linkedServer.revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </aside>
  )
}
