// The pane next to the lists of applications and of reviews of content: the lists of all areas, with their counts.
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { useCounts, usePages } from './security-badge.tsx'
import './security.css'

const address = '/doc/folder/security'

/** The lists by group. */
export function SecurityPane(): ReactNode {
  const t = useT()
  const countOf = useCounts()
  const pages = usePages()
  const groups = [...new Set(pages.map(({ group }) => group))]
  return (
    <nav className="se-pane" aria-label={t('approvals.security')}>
      {groups.map((group) => (
        <section key={group} aria-label={t(group)}>
          <h2>{t(group)}</h2>
          {pages
            .filter((one) => one.group === group)
            .map(({ page, label, icon, counter }) => {
              const count = counter === undefined ? 0 : countOf(counter.name)
              return (
                <NavLink key={page} to={`${address}/${page}`}>
                  {icon}
                  <span>{t(label)}</span>
                  {count > 0 && <small>{count}</small>}
                </NavLink>
              )
            })}
        </section>
      ))}
    </nav>
  )
}
