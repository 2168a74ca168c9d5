// A row of tabs: tabs of one page, controlled by click and arrow keys, or links to pages of their own.
import type { KeyboardEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import './tabs.css'

export interface Tab<T extends string> {
  readonly tab: T
  readonly text: ReactNode
  /** The number of entries behind the tab, shown after its text. */
  readonly count?: number | undefined
}

interface TabsProps<T extends string> {
  /** The prefix of element ids: `{id}-{tab}`, and `{id}-panel` for the tab panel. */
  readonly id: string
  readonly label: string
  readonly tabs: readonly Tab<T>[]
  readonly chosen: T
  readonly onChoose: (tab: T) => void
  readonly className?: string
}

/** Returns the index that a key moves to, or undefined for every other key. */
function indexOfKey({ key }: KeyboardEvent, at: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at - 1 + count) % count
  return undefined
}

/** Tabs of one page. The content of the chosen tab stands in a `TabPanel` with the same id. */
export function Tabs<T extends string>({ id, label, tabs, chosen, onChoose, className }: TabsProps<T>): ReactNode {
  return (
    <div className={['k-tabs', className].filter(Boolean).join(' ')} role="tablist" aria-label={label}>
      {tabs.map(({ tab, text, count }, at) => (
        <button
          key={tab}
          id={`${id}-${tab}`}
          type="button"
          role="tab"
          aria-selected={chosen === tab}
          aria-controls={`${id}-panel`}
          tabIndex={chosen === tab ? 0 : -1}
          onClick={() => onChoose(tab)}
          onKeyDown={(event) => {
            const other = tabs[indexOfKey(event, at, tabs.length) ?? -1]
            if (other === undefined) return
            // Stops the event, because outside the tabs the arrow keys move to another file.
            event.preventDefault()
            event.stopPropagation()
            onChoose(other.tab)
            document.getElementById(`${id}-${other.tab}`)?.focus()
          }}
        >
          {text}
          {count !== undefined && <small>{count}</small>}
        </button>
      ))}
    </div>
  )
}

interface TabPanelProps {
  /** The id of the tabs. */
  readonly id: string
  readonly chosen: string
  readonly className?: string
  readonly children: ReactNode
}

/** The content of the chosen tab. */
export function TabPanel({ id, chosen, className, children }: TabPanelProps): ReactNode {
  return (
    <div id={`${id}-panel`} className={className} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
      {children}
    </div>
  )
}

export interface TabLink extends Omit<Tab<string>, 'tab'> {
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
          {count !== undefined && <small>{count}</small>}
        </Link>
      ))}
    </nav>
  )
}
