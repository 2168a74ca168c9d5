// The column beside the pages of approvals: the lists of workflows and of requests, with what waits.

import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { countersQuery } from '../../approvals/index.ts'
import { useT } from '../../core/i18n/i18n.ts'
import {
  Alert16Regular,
  Archive16Regular,
  ArrowDownload16Regular,
  Branch16Regular,
  Flag16Regular,
  Key16Regular,
  MailInbox16Regular,
  Send16Regular,
  Shield16Regular,
  Signature16Regular,
} from '../../kit/icons.ts'
import { countQuery } from '../shared/workflow-queries.ts'
import './lists.css'

const lists = [
  { list: 'pending', icon: <MailInbox16Regular /> },
  { list: 'creation', icon: <Send16Regular /> },
  { list: 'circulating', icon: <Branch16Regular /> },
  { list: 'archived', icon: <Archive16Regular /> },
] as const

interface Entry {
  readonly to: string
  readonly label: `${'sign' | 'urge' | 'auth' | 'download'}${'Review' | 'Creation'}`
  readonly icon: ReactNode
  readonly counter?: string
}

/** The lists of signing, follow-ups and requests; what waits for the user is counted ([R033]). */
const others: readonly {
  readonly head: 'signing' | 'urges' | 'rights' | 'downloads'
  readonly lists: readonly Entry[]
}[] = [
  {
    head: 'signing',
    lists: [
      { to: 'cooperate/sign-review', label: 'signReview', icon: <Signature16Regular />, counter: 'signReview' },
      { to: 'cooperate/sign-creation', label: 'signCreation', icon: <Send16Regular />, counter: 'signCreation' },
    ],
  },
  {
    head: 'urges',
    lists: [
      { to: 'cooperate/urge-review', label: 'urgeReview', icon: <Alert16Regular />, counter: 'urgeReview' },
      { to: 'cooperate/urge-creation', label: 'urgeCreation', icon: <Flag16Regular /> },
    ],
  },
  {
    head: 'rights',
    lists: [
      { to: 'share/auth-creation', label: 'authCreation', icon: <Key16Regular /> },
      { to: 'share/auth-review', label: 'authReview', icon: <Shield16Regular />, counter: 'authorizationReview' },
    ],
  },
  {
    head: 'downloads',
    lists: [
      { to: 'share/download-application', label: 'downloadCreation', icon: <ArrowDownload16Regular /> },
      { to: 'share/download-review', label: 'downloadReview', icon: <Shield16Regular />, counter: 'downloadReview' },
    ],
  },
]

/** More are not counted. */
const countText = (count: number): string => (count > 999 ? '999+' : String(count))

export function WorkflowPane(): ReactNode {
  const t = useT()
  const { data } = useQuery(countersQuery)
  const countOf = (counter: string | undefined): number => data?.list.find(({ name }) => name === counter)?.count ?? 0
  return (
    <nav className="wl-pane" aria-label={t('workflow.pane')}>
      <h2>{t('workflow.pane')}</h2>
      {lists.map(({ list, icon }) => (
        <PaneLink key={list} list={list} icon={icon} />
      ))}
      {others.map(({ head, lists: own }) => (
        <Fragment key={head}>
          <h2>{t(`workflow.pane.${head}`)}</h2>
          {own.map(({ to, label, icon, counter }) => {
            const count = countOf(counter)
            return (
              <NavLink key={to} to={`/doc/folder/${to}`}>
                {icon}
                <span>{t(`workflow.pane.${label}`)}</span>
                {count > 0 && <small>{countText(count)}</small>}
              </NavLink>
            )
          })}
        </Fragment>
      ))}
    </nav>
  )
}

function PaneLink({ list, icon }: (typeof lists)[number]): ReactNode {
  const t = useT()
  const { data } = useQuery(countQuery(list))
  // What waits or runs is counted, not what is over.
  const open = data?.states.filter(({ state }) => state === 'running' || state === 'back' || state === 'draft') ?? []
  const count =
    list === 'archived' ? 0 : list === 'creation' ? open.reduce((sum, one) => sum + one.count, 0) : (data?.total ?? 0)
  return (
    <NavLink to={`/doc/folder/cooperate/workflow-${list}`}>
      {icon}
      <span>{t(`workflow.list.${list}`)}</span>
      {count > 0 && <small>{countText(count)}</small>}
    </NavLink>
  )
}
