// Navigation between the lists of requests and urges: for those who decide or act, and for those who asked. An entry shows
// how many wait for the user ([R033]).
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { areas } from '../../core/area/area.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { countersQuery } from './review-queries.ts'
import './approvals.css'

const sides = [
  { side: 'workflow-pending', counter: 'workflowPending', group: 'cooperate' },
  { side: 'auth-review', counter: 'authorizationReview' },
  { side: 'auth-creation' },
  { side: 'download-review', counter: 'downloadReview' },
  { side: 'download-application' },
  { side: 'urge-review', counter: 'urgeReview', group: 'cooperate' },
  { side: 'urge-creation', group: 'cooperate' },
  { side: 'sign-review', counter: 'signReview', group: 'cooperate' },
  { side: 'sign-creation', counter: 'signCreation', group: 'cooperate' },
] as const

/** Lists of features that are switched off are left out. */
const isThere = ({ side }: { readonly side: string }): boolean =>
  !areas(false).some(({ routes = [] }) => routes.some(({ path }) => path === `cooperate/${side}`))

export function RequestListTabs(): ReactNode {
  const t = useT()
  const { data } = useQuery(countersQuery)
  const countOf = (counter: string | undefined): number => data?.list.find(({ name }) => name === counter)?.count ?? 0
  return (
    <nav className="ap-segments ap-lists" aria-label={t('approvals.title')}>
      {sides.filter(isThere).map(({ side, ...more }) => {
        const count = countOf('counter' in more ? more.counter : undefined)
        return (
          <NavLink key={side} to={`/doc/folder/${'group' in more ? more.group : 'share'}/${side}`}>
            {t(`approvals.side.${side}`)}
            {count > 0 && <b> {count}</b>}
          </NavLink>
        )
      })}
    </nav>
  )
}
