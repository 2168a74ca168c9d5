// What waits for a decision of the person, of every kind, and the sum at the entry of the bar.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { securityPages } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { badgeOf } from '../core/notices/notice-groups.ts'
import { useSession } from '../core/session/session.ts'
import {
  AlertUrgent20Regular,
  ArrowDownload20Regular,
  Flow20Regular,
  Key20Regular,
  Signature20Regular,
} from '../kit/icons.ts'
import './late-texts.ts'

export const approvalPages = [
  { page: 'share/auth-review', icon: <Key20Regular />, label: 'mobile.rights', counter: 'authorizationReview' },
  { page: 'cooperate/workflow-pending', icon: <Flow20Regular />, label: 'mobile.flows', counter: 'workflowPending' },
  { page: 'cooperate/sign-review', icon: <Signature20Regular />, label: 'mobile.signs', counter: 'signReview' },
  {
    page: 'share/download-review',
    icon: <ArrowDownload20Regular />,
    label: 'mobile.downloads',
    counter: 'downloadReview',
  },
  { page: 'cooperate/urge-review', icon: <AlertUrgent20Regular />, label: 'mobile.urges', counter: 'urgeReview' },
  { page: 'share/auth-creation', icon: <Key20Regular />, label: 'mobile.rightsMine', counter: undefined },
  { page: 'cooperate/workflow-creation', icon: <Flow20Regular />, label: 'mobile.flowsMine', counter: undefined },
  { page: 'cooperate/sign-creation', icon: <Signature20Regular />, label: 'mobile.signsMine', counter: undefined },
] as const

/** The counters of the server ([R033]), under the key by which the areas have them read again. */
const countersQuery = {
  queryKey: ['approvals', 'counters'],
  queryFn: () => api.getCounters({}, { quiet: true }),
}

/** How much waits for the person, by the name of a counter. */
export function useWaiting(): (counter: string | undefined) => number {
  const { data } = useQuery(countersQuery)
  return (counter) => data?.list.find(({ name }) => name === counter)?.count ?? 0
}

export function useSecurityPages() {
  const { powers } = useSession().permission
  return securityPages().filter(({ show }) => show?.(powers) !== false)
}

/** The sum of what waits, at the entry of the bar. */
export function ApprovalsBadge(): ReactNode {
  const t = useT()
  const waitingOf = useWaiting()
  const security = useSecurityPages().map(({ counter }) => (counter?.waiting ? counter.name : undefined))
  const names = [...approvalPages.map(({ counter }) => counter), ...security]
  const count = names.reduce((sum, name) => sum + waitingOf(name), 0)
  if (count === 0) return null
  return (
    <small className="shell-badge" role="status" aria-label={t('mobile.due', { n: count })}>
      {badgeOf(count)}
    </small>
  )
}
