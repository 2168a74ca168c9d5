// The column beside the pages of approvals: the lists of workflows and of requests, with what waits.
import {
  Alert16Regular,
  Archive16Regular,
  Branch16Regular,
  Flag16Regular,
  Key16Regular,
  MailInbox16Regular,
  Send16Regular,
  Shield16Regular,
  Signature16Regular,
} from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { countQuery } from '../shared/workflow-queries.ts'
import './lists.css'

const lists = [
  { list: 'pending', icon: <MailInbox16Regular /> },
  { list: 'creation', icon: <Send16Regular /> },
  { list: 'circulating', icon: <Branch16Regular /> },
  { list: 'archived', icon: <Archive16Regular /> },
] as const

/** More are not counted. */
const countText = (count: number): string => (count > 999 ? '999+' : String(count))

export function WorkflowPane(): ReactNode {
  const t = useT()
  return (
    <nav className="wl-pane" aria-label={t('workflow.pane')}>
      <h2>{t('workflow.pane')}</h2>
      {lists.map(({ list, icon }) => (
        <PaneLink key={list} list={list} icon={icon} />
      ))}
      <h2>{t('workflow.pane.signing')}</h2>
      <NavLink to="/doc/folder/cooperate/sign-review">
        <Signature16Regular />
        <span>{t('workflow.pane.signReview')}</span>
      </NavLink>
      <NavLink to="/doc/folder/cooperate/sign-creation">
        <Send16Regular />
        <span>{t('workflow.pane.signCreation')}</span>
      </NavLink>
      <h2>{t('workflow.pane.urges')}</h2>
      <NavLink to="/doc/folder/cooperate/urge-review">
        <Alert16Regular />
        <span>{t('workflow.pane.urgeReview')}</span>
      </NavLink>
      <NavLink to="/doc/folder/cooperate/urge-creation">
        <Flag16Regular />
        <span>{t('workflow.pane.urgeCreation')}</span>
      </NavLink>
      <h2>{t('workflow.pane.rights')}</h2>
      <NavLink to="/doc/folder/share/auth-creation">
        <Key16Regular />
        <span>{t('workflow.pane.authCreation')}</span>
      </NavLink>
      <NavLink to="/doc/folder/share/auth-review">
        <Shield16Regular />
        <span>{t('workflow.pane.authReview')}</span>
      </NavLink>
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
