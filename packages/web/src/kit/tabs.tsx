// Tabs of one page, controlled by click and keys. Tabs with an address each are links: tab-links.tsx.
import type { ReactNode } from 'react'
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
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
            const other = to === undefined ? undefined : tabs.at(to % tabs.length)
            if (other === undefined) return
            // Stops the event, because outside the tabs the arrow keys move to another file.
            event.preventDefault()
            event.stopPropagation()
            onChoose(other.tab)
            document.getElementById(`${id}-${other.tab}`)?.focus()
          }}
        >
          {text}
          {count !== undefined && <small> {count}</small>}
        </button>
      ))}
    </div>
  )
}
