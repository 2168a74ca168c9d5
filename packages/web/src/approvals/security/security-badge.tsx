// What waits for the user in the lists of applications and reviews, with the counts that it is computed from.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { securityPages } from '../../core/area/area.ts'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { badgeOf } from '../../core/notices/notice-groups.ts'
import { useSession } from '../../core/session/session.ts'
import { requestsKey } from '../review/review-queries.ts'

/** The counters of the server ([R033]). */
const countersQuery = {
  queryKey: [...requestsKey, 'counters'],
  queryFn: () => api.getCounters({}, { quiet: true }),
}

/** The counts of the server by name. */
export function useCounts(): (name: string) => number {
  const { data } = useQuery(countersQuery)
  return (name) => data?.list.find((one) => one.name === name)?.count ?? 0
}

/** The lists that the user may see. */
export function usePages() {
  const { powers } = useSession().permission
  return securityPages().filter(({ show }) => show?.(powers) ?? true)
}

/** What waits for the user in all lists, shown at the entry of the module. */
export function SecurityBadge(): ReactNode {
  const t = useT()
  const countOf = useCounts()
  const count = usePages().reduce((sum, { counter }) => sum + (counter?.waiting ? countOf(counter.name) : 0), 0)
  if (count === 0) return null
  return (
    <small className="shell-badge" role="status" aria-label={t('approvals.waiting', { n: count })}>
      {badgeOf(count)}
    </small>
  )
}
