// The pages of approvals, and their entry in the rail.
import { CheckboxChecked20Filled, CheckboxChecked20Regular } from '@fluentui/react-icons'
import { Navigate, useLocation } from 'react-router'
import type { AreaRoute, RailEntry } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { WaitingBadge } from './authorization/waiting-badge.tsx'

const loadList = () => import('./authorization/request-list.tsx')
const loadDownloads = () => import('./downloads/download-list.tsx')
const loadLinks = () => import('./links/link-list.tsx')
const loadSensitiveCreation = () => import('./sensitive/sensitive-creation.tsx')
const loadSensitiveReview = () => import('./sensitive/sensitive-review.tsx')
const loadUrges = () => import('./urging/urge-list.tsx')

/** Redirects the old addresses to the current ones ([R052]). */
function ToShare() {
  const { pathname, search } = useLocation()
  return <Navigate to={`${pathname.replace('/cooperate/', '/share/')}${search}`} replace />
}

export const routes: readonly AreaRoute[] = [
  { path: 'share/auth-review', page: lazyPage(loadList, 'ReviewList') },
  { path: 'share/auth-creation', page: lazyPage(loadList, 'CreationList') },
  { path: 'share/link-review', page: lazyPage(loadLinks, 'LinkReviews') },
  { path: 'share/link-application', page: lazyPage(loadLinks, 'LinkApplications') },
  { path: 'share/download-review', page: lazyPage(loadDownloads, 'DownloadReviews') },
  { path: 'share/download-application', page: lazyPage(loadDownloads, 'DownloadApplications') },
  { path: 'cooperate/urge-review', page: lazyPage(loadUrges, 'UrgeReviews') },
  { path: 'cooperate/urge-creation', page: lazyPage(loadUrges, 'UrgeCreations') },
  { path: 'security/sensitive-creation', page: lazyPage(loadSensitiveCreation, 'SensitiveCreation') },
  { path: 'security/sensitive-review', page: lazyPage(loadSensitiveReview, 'SensitiveReview') },
  { path: 'cooperate/auth-review', page: ToShare },
  { path: 'cooperate/auth-creation', page: ToShare },
]

export const rail: readonly RailEntry[] = [
  {
    path: '/doc/folder/share/auth-review',
    also: [
      '/doc/folder/share/auth-',
      '/doc/folder/cooperate/workflow-',
      '/doc/folder/share/link-review',
      '/doc/folder/share/link-application',
      '/doc/folder/share/download-',
      '/doc/folder/cooperate/urge-',
      '/doc/folder/security/sensitive-',
    ],
    label: 'approvals.rail',
    icon: <CheckboxChecked20Regular />,
    current: <CheckboxChecked20Filled />,
    badge: WaitingBadge,
    place: 30,
    notForGuests: true,
  },
]
