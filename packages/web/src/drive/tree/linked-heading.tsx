// The heading of a linked server in the tree: its name, its state in words, and what the user can do about it.
import { shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { type LinkedServer, signInAt, signOutAt } from '../../core/session/linked-servers.ts'
import { rootsAt } from '../../items/lists/folder-queries.ts'
import { Button } from '../../kit/button.tsx'
import { MoreHorizontal16Regular } from '../../kit/icons.ts'
import { signInWithQuestion } from '../files/path/sign-in-first.tsx'

interface HeadingProps {
  readonly server: LinkedServer
  /** The user sees no library there. */
  readonly isEmpty: boolean
  /** Its libraries could not be read. */
  readonly failed: Error | null
  /** The heading has a menu. Not in a picker. */
  readonly hasMenu: boolean
}

async function retry(server: LinkedServer): Promise<void> {
  if (server.session === 'failed') await signInAt(server.serverId)
  await queryClient.refetchQueries({ queryKey: rootsAt(server).queryKey })
}

export function LinkedHeading({ server, isEmpty, failed, hasMenu }: HeadingProps): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  const locale = useLocale()
  const { serverId, serverName, state, session, since, latencyMs, person } = server
  const isDown = state !== 'ok' && session !== 'noAccount' && session !== 'signedOut'
  const words = (): string => {
    if (state === 'paused' || isDown) return t(`linked.state.${state}`)
    if (session === 'asking') return t('linked.asking')
    if (session === 'noAccount') return t('linked.noAccount')
    if (session === 'signedOut') return t('linked.signedOut')
    if (session === 'failed') return t('linked.notAsked')
    return latencyMs > 0 ? `${latencyMs} ms` : ''
  }
  const look = isDown || state === 'paused' ? 'bad' : session === 'signedIn' ? 'good' : 'idle'
  const mayRetry = state !== 'paused' && (isDown || session === 'failed' || failed !== null)
  const maySignIn = state !== 'paused' && !isDown && (session === 'noAccount' || session === 'signedOut')
  const open = (element: Element): void => {
    const { left, bottom } = element.getBoundingClientRect()
    const account = person?.account.account ?? ''
    void showMenu(
      [
        { id: 'as', label: t('linked.as', { account }), disabled: true },
        { separator: true },
        { id: 'signOut', label: t('linked.signOut'), run: () => void signOutAt(serverId) },
      ],
      { x: left, y: bottom },
    )
  }
  return (
    <>
      <div className={`dr-linked is-${look}`}>
        <h2 title={t('linked.server', { name: serverName })}>
          <i aria-hidden="true" />
          {t('linked.server', { name: serverName })}
        </h2>
        <span className="dr-linked-state" role="status">
          {words()}
        </span>
        {maySignIn && (
          <Button
            kind="link"
            size="small"
            aria-label={t('linked.signIn.more', { name: serverName })}
            onClick={() => void signInWithQuestion(serverId)}
          >
            {t('linked.signIn')}
          </Button>
        )}
        {hasMenu && session === 'signedIn' && (
          <button
            type="button"
            className="dr-linked-more"
            aria-haspopup="menu"
            aria-label={t('linked.menu', { name: serverName })}
            title={t('linked.menu', { name: serverName })}
            onClick={(event) => open(event.currentTarget)}
          >
            <MoreHorizontal16Regular />
          </button>
        )}
      </div>
      {mayRetry && (
        <p className="dr-linked-note">
          {isDown && since > 0 && t('linked.since', { time: shortTime(since, now, locale) })}
          <Button kind="link" size="small" onClick={() => void retry(server)}>
            {t('linked.retry')}
          </Button>
        </p>
      )}
      {isEmpty && !mayRetry && <p className="dr-linked-note">{t('linked.empty')}</p>}
    </>
  )
}
