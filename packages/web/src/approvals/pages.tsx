// The pages of approvals, and their entry in the rail.

import { Navigate, useLocation } from 'react-router'
import type { AreaRoute, RailEntry, SecurityPage, Side } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import {
  ArrowDownload20Regular,
  CheckboxChecked20Filled,
  CheckboxChecked20Regular,
  ClipboardTask20Regular,
  Link20Regular,
  Shield20Filled,
  Shield20Regular,
  ShieldError20Regular,
} from '../kit/icons.ts'
import { WaitingBadge } from './authorization/waiting-badge.tsx'
import { SecurityBadge } from './security/security-badge.tsx'

const loadList = () => import('./authorization/request-list.tsx')
const loadDownloads = () => import('./downloads/download-list.tsx')
const loadSensitiveCreation = () => import('./sensitive/sensitive-creation.tsx')
const loadSensitiveReview = () => import('./sensitive/sensitive-review.tsx')
const loadUrges = () => import('./urging/urge-list.tsx')
const loadApplications = () => import('./applications/applications-page.tsx')

/** Redirects the old addresses to the current ones ([R052]). */
function ToShare() {
  const { pathname, search } = useLocation()
  return <Navigate to={`${pathname.replace('/cooperate/', '/share/')}${search}`} replace />
}

/** Redirects the former addresses of applications for links, which notices of earlier versions name. */
function ToSecurity() {
  const { pathname, search } = useLocation()
  const side = pathname.endsWith('review') ? 'review' : 'creation'
  return (
    <Navigate to={`/doc/folder/security/apply-link-${side}${search.replace('reviewId', 'applicationId')}`} replace />
  )
}

const SecurityPane = lazyPage(() => import('./security/security-pane.tsx'), 'SecurityPane')

export const routes: readonly AreaRoute[] = [
  { path: 'share/auth-review', page: lazyPage(loadList, 'ReviewList') },
  { path: 'share/auth-creation', page: lazyPage(loadList, 'CreationList') },
  // A parent address without a child redirects to its first child (X39).
  { path: 'security', page: () => <Navigate to="/doc/folder/security/apply-download-review" replace /> },
  { path: 'security/apply-download-creation', page: lazyPage(loadApplications, 'DownloadCreation') },
  { path: 'security/apply-download-review', page: lazyPage(loadApplications, 'DownloadReview') },
  { path: 'security/apply-link-creation', page: lazyPage(loadApplications, 'LinkCreation') },
  { path: 'security/apply-link-review', page: lazyPage(loadApplications, 'LinkReview') },
  { path: 'share/link-review', page: ToSecurity },
  { path: 'share/link-application', page: ToSecurity },
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
      '/doc/folder/share/download-',
      '/doc/folder/cooperate/urge-',
      '/doc/folder/cooperate/sign-',
    ],
    label: 'approvals.rail',
    icon: <CheckboxChecked20Regular />,
    current: <CheckboxChecked20Filled />,
    badge: WaitingBadge,
    place: 30,
    notForGuests: true,
  },
  {
    path: '/doc/folder/security',
    label: 'approvals.security',
    icon: <Shield20Regular />,
    current: <Shield20Filled />,
    badge: SecurityBadge,
    place: 35,
    notForGuests: true,
  },
]

export const sides: readonly Side[] = [
  { path: '/doc/folder/security', label: 'approvals.security', pane: SecurityPane },
]

/** The lists of sensitive files and of applications ([R053]). Other areas add theirs in the same way. */
export const securityPages: readonly SecurityPage[] = [
  {
    page: 'sensitive-creation',
    group: 'approvals.security.sensitive',
    label: 'approvals.security.sensitive.creation',
    icon: <ShieldError20Regular />,
    order: 10,
  },
  {
    page: 'sensitive-review',
    group: 'approvals.security.sensitive',
    label: 'approvals.security.sensitive.review',
    icon: <ClipboardTask20Regular />,
    order: 11,
    counter: { name: 'sensitiveReview', waiting: true },
  },
  {
    page: 'apply-download-creation',
    group: 'approvals.security.download',
    label: 'approvals.security.download.creation',
    icon: <ArrowDownload20Regular />,
    order: 20,
  },
  {
    page: 'apply-download-review',
    group: 'approvals.security.download',
    label: 'approvals.security.download.review',
    icon: <ClipboardTask20Regular />,
    order: 21,
    counter: { name: 'downloadApplyReview', waiting: true },
  },
  {
    page: 'apply-link-creation',
    group: 'approvals.security.link',
    label: 'approvals.security.link.creation',
    icon: <Link20Regular />,
    order: 30,
  },
  {
    page: 'apply-link-review',
    group: 'approvals.security.link',
    label: 'approvals.security.link.review',
    icon: <ClipboardTask20Regular />,
    order: 31,
    counter: { name: 'linkReview', waiting: true },
  },
]
