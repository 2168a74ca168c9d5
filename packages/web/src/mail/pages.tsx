// The page of mail, its entry in the rail and its folders ([R056]).

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AreaRoute, RailEntry, Side } from '../core/area/area.ts'
import { useT } from '../core/i18n/i18n.ts'
import { badgeOf } from '../core/notices/notice-groups.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { sessionStore } from '../core/session/session.ts'
import { Mail20Filled, Mail20Regular } from '../kit/icons.ts'
import { boxesQuery } from './mail-queries.ts'
import { withTexts } from './page-texts.ts'

export const routes: readonly AreaRoute[] = [
  { path: 'email', page: lazyPage(() => withTexts(() => import('./mail-page.tsx')), 'MailPage') },
  { path: 'email/outlook', page: lazyPage(() => import('./outlook.tsx'), 'OutlookReturn') },
]

function UnreadBadge(): ReactNode {
  const t = useT()
  const boxes = useQuery(boxesQuery)
  const unread = (boxes.data?.list ?? []).reduce((sum, box) => sum + box.unread, 0)
  if (unread === 0) return null
  return (
    <small className="shell-badge" role="status" aria-label={t('email.unread', { n: unread })}>
      {badgeOf(unread)}
    </small>
  )
}

export const rail: readonly RailEntry[] = [
  {
    path: '/doc/folder/email',
    label: 'email.rail',
    icon: <Mail20Regular />,
    current: <Mail20Filled />,
    badge: UnreadBadge,
    place: 40,
    show: () => sessionStore.getState().session?.setting.email === true,
    notForGuests: true,
  },
]

const MailFolders = lazyPage(() => import('./mail-folders.tsx'), 'MailFolders')

export const sides: readonly Side[] = [{ path: '/doc/folder/email', label: 'email.folders', pane: MailFolders }]
