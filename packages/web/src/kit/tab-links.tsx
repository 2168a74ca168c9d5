// Tabs that are pages with an address each.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Tab } from './tabs.tsx'
import './tabs.css'

interface TabLink extends Omit<Tab<string>, 'tab'> {
  /** The address of the page. */
  readonly to: string
  readonly current: boolean
}

/** Tabs that are pages with an address each. */
export function TabLinks({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }): ReactNode {
  return (
    <nav className="k-tabs" aria-label={label}>
      {tabs.map(({ to, text, count, current }) => (
        <Link key={to} to={to} aria-current={current ? 'page' : undefined}>
          {text}
          {count !== undefined && <small> {count}</small>}
        </Link>
      ))}
    </nav>
  )
}
