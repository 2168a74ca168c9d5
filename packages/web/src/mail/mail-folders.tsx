// The folders beside the mail page: what is common to all mailboxes, then each mailbox with its own folders.
import type { MailRole } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useT } from '../core/i18n/i18n.ts'
import { openWindow } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import {
  Archive20Regular,
  Clock20Regular,
  Delete20Regular,
  Drafts20Regular,
  Folder20Regular,
  Mail20Regular,
  MailInbox20Regular,
  MailProhibited20Regular,
  Send20Regular,
  Settings20Regular,
  Star20Regular,
  Warning16Filled,
} from '../kit/icons.ts'
import { compose } from './compose-queries.ts'
import { boxesQuery, foldersQuery, outgoingQuery } from './mail-queries.ts'
import './mail.css'

const roles: readonly (readonly [Exclude<MailRole, 'other'> | 'starred' | 'waiting', ReactNode])[] = [
  ['inbox', <MailInbox20Regular key="i" />],
  ['starred', <Star20Regular key="s" />],
  ['drafts', <Drafts20Regular key="d" />],
  ['waiting', <Clock20Regular key="w" />],
  ['sent', <Send20Regular key="n" />],
  ['archive', <Archive20Regular key="a" />],
  ['junk', <MailProhibited20Regular key="j" />],
  ['trash', <Delete20Regular key="t" />],
]

export function MailFolders(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const boxes = useQuery(boxesQuery).data?.list ?? []
  const folders = useQueries({ queries: boxes.map(({ boxId }) => foldersQuery(boxId)) })
  const outgoing = useQuery({ ...outgoingQuery('drafts'), enabled: boxes.length > 0 }).data
  const shown = query.get('show') ?? (query.has('folder') || query.has('box') ? '' : 'inbox')
  const unread = boxes.reduce((sum, box) => sum + box.unread, 0)
  const counts: Readonly<Record<string, number>> = {
    inbox: unread,
    drafts: outgoing?.drafts ?? 0,
    waiting: outgoing?.waiting ?? 0,
  }
  const own = folders.flatMap(({ data }) => data?.list.filter(({ role }) => role === 'other') ?? [])
  if (boxes.length === 0) return null
  return (
    <nav className="em-side" aria-label={t('email.folders')}>
      <Button kind="primary" size="large" onClick={() => void compose()}>
        {t('email.write')}
      </Button>
      <ul>
        {roles.map(([role, icon]) => (
          <li key={role}>
            <Link to={`?show=${role}`} aria-current={shown === role ? 'page' : undefined}>
              {icon}
              <span>{t(`email.role.${role}`)}</span>
              {(counts[role] ?? 0) > 0 && <small>{counts[role]}</small>}
            </Link>
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <>
          <h2>{t('email.own')}</h2>
          <ul>
            {own.map(({ mailFolderId, name, unread: n }) => (
              <li key={mailFolderId}>
                <Link
                  to={`?folder=${mailFolderId}`}
                  aria-current={query.get('folder') === String(mailFolderId) ? 'page' : undefined}
                >
                  <Folder20Regular />
                  <span>{name}</span>
                  {n > 0 && <small>{n}</small>}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{t('email.boxes')}</h2>
      <ul>
        {boxes.map(({ boxId, account, state, problem, spaceUsed, spaceTotal }) => (
          <li key={boxId}>
            <Link
              to={`?box=${boxId}&show=inbox`}
              aria-current={query.get('box') === String(boxId) ? 'page' : undefined}
              title={problem || account}
            >
              <Mail20Regular />
              <span>{account}</span>
              {state === 'signIn' || state === 'unreachable' ? (
                <Warning16Filled className="em-warn" aria-label={t(`email.box.state.${state}`)} />
              ) : (
                <i className="em-ok" />
              )}
            </Link>
            {spaceTotal > 0 && (
              <p className="em-space" data-full={spaceUsed > spaceTotal * 0.9}>
                <progress max={spaceTotal} value={Math.min(spaceUsed, spaceTotal)} aria-label={t('email.space')} />
                <small>{t('email.space.of', { used: formatSize(spaceUsed), total: formatSize(spaceTotal) })}</small>
              </p>
            )}
          </li>
        ))}
        <li>
          <button type="button" onClick={() => void openWindow('email-boxes', {})}>
            <Settings20Regular />
            <span>{t('email.settings')}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}
