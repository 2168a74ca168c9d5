// The frame of the pages below /m: their head, and the bar of the main pages.

import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { areas } from '../core/area/area.ts'
import { type PlainTextKey, useT } from '../core/i18n/i18n.ts'
import { centreStore } from '../core/notices/notice-centre.ts'
import { badgeOf } from '../core/notices/notice-groups.ts'
import { useOnline } from '../core/push/connection.ts'
import { mayUse, useSession } from '../core/session/session.ts'
import { IconButton } from '../kit/button.tsx'
import {
  Alert24Filled,
  Alert24Regular,
  ChatMultiple24Filled,
  ChatMultiple24Regular,
  ChevronLeft24Regular,
  ClipboardTask24Filled,
  ClipboardTask24Regular,
  Folder24Filled,
  Folder24Regular,
  Person24Filled,
  Person24Regular,
} from '../kit/icons.ts'
import { ApprovalsBadge } from './approvals-badge.tsx'
import { WaitingUploads } from './waiting-uploads.tsx'

export const home = '/m/index.html'

interface Tab {
  readonly path: string
  /** The addresses at which it is current. */
  readonly of: string
  readonly label: PlainTextKey
  /** The module of the desktop page whose badge and permission it has. */
  readonly rail?: string
  /** Its own badge, in place of that of the module. */
  readonly badge?: () => ReactNode
  readonly icon: ReactNode
  readonly current: ReactNode
}

const tabs: readonly Tab[] = [
  { path: home, of: '/m/files', label: 'mobile.files', icon: <Folder24Regular />, current: <Folder24Filled /> },
  {
    ...{ path: '/m/page/im/index', of: '/m/page/im', label: 'mobile.talk', rail: '/im/index' },
    ...{ icon: <ChatMultiple24Regular />, current: <ChatMultiple24Filled /> },
  },
  {
    ...{ path: '/m/approvals', of: '/m/approvals', label: 'mobile.approvals', rail: '/doc/folder/share/auth-review' },
    ...{ icon: <ClipboardTask24Regular />, current: <ClipboardTask24Filled />, badge: ApprovalsBadge },
  },
  {
    path: '/m/notices',
    of: '/m/notices',
    label: 'mobile.notices',
    icon: <Alert24Regular />,
    current: <Alert24Filled />,
  },
  { path: '/m/me', of: '/m/me', label: 'mobile.me', icon: <Person24Regular />, current: <Person24Filled /> },
]

interface MobilePageProps {
  readonly title: string
  readonly above?: string
  /** The page before it; none for the main pages. */
  readonly back?: string | undefined
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** A page of the phone. */
export function MobilePage({ title, above, back, tools, children }: MobilePageProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const isOnline = useOnline()
  return (
    <div className="m-page">
      {!isOnline && (
        <p className="m-offline" role="status">
          <b>{t('mobile.offline')}</b> {t('mobile.offlineHint')}
        </p>
      )}
      <WaitingUploads />
      <header className="m-head">
        {back !== undefined && (
          <IconButton label={t('mobile.back')} icon={<ChevronLeft24Regular />} onClick={() => void navigate(back)} />
        )}
        <div className="m-title">
          <h1>{title}</h1>
          {above !== undefined && above !== '' && <small>{above}</small>}
        </div>
        {tools}
      </header>
      <main className="m-body">{children}</main>
      <TabBar />
    </div>
  )
}

function TabBar(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const { permission } = useSession()
  const unread = useStore(centreStore, ({ total }) => total)
  const entries = areas().flatMap(({ rail = [] }) => rail)
  return (
    <nav className="m-tabs" aria-label={t('mobile.bar')}>
      {tabs.map(({ path, of, label, rail, badge, icon, current }) => {
        const entry = entries.find((one) => one.path === rail)
        if (rail !== undefined && (entry === undefined || !mayUse(permission, entry.needs))) return null
        const Badge = badge ?? entry?.badge
        const isCurrent = pathname === path || pathname.startsWith(of)
        return (
          <Link key={path} to={path} aria-current={isCurrent ? 'page' : undefined}>
            <span className="m-tab-icon">
              {isCurrent ? current : icon}
              {Badge && <Badge />}
              {label === 'mobile.notices' && unread > 0 && <small className="shell-badge">{badgeOf(unread)}</small>}
            </span>
            {t(label)}
          </Link>
        )
      })}
    </nav>
  )
}
