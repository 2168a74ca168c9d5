// Navigation between the lists of requests: permissions, links and downloads, for reviewers and for requesters.
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'

const sides = [
  'auth-review',
  'auth-creation',
  'link-review',
  'link-application',
  'download-review',
  'download-application',
] as const

export function RequestListTabs(): ReactNode {
  const t = useT()
  return (
    <nav className="ap-segments" aria-label={t('approvals.title')}>
      {sides.map((one) => (
        <NavLink key={one} to={`/doc/folder/share/${one}`}>
          {t(`approvals.side.${one}`)}
        </NavLink>
      ))}
    </nav>
  )
}
