import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { badgeOf } from '../../core/notices/notice-groups.ts'
import { useWaiting } from './authorization-queries.ts'

/** The number of requests that wait for the user, shown on their navigation entry. */
export function WaitingBadge(): ReactNode {
  const t = useT()
  const count = useWaiting()
  if (count === 0) return null
  return (
    <small className="shell-badge" role="status" aria-label={t('approvals.waiting', { n: count })}>
      {badgeOf(count)}
    </small>
  )
}
