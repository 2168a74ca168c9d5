// Tabs for the details of one item, controlled by click and arrow keys.
import type { ReactNode } from 'react'
import './tabs.css'

interface TabsProps<T extends string> {
  /** The prefix of element ids: `{id}-{tab}`, and `{id}-panel` for the tab panel. */
  readonly id: string
  readonly label: string
  readonly tabs: readonly (readonly [tab: T, text: ReactNode])[]
  readonly chosen: T
  readonly onChoose: (tab: T) => void
  readonly className?: string
}

export function Tabs<T extends string>({ id, label, tabs, chosen, onChoose, className = '' }: TabsProps<T>): ReactNode {
  return (
    <div className={`dr-tabs ${className}`.trim()} role="tablist" aria-label={label}>
      {tabs.map(([tab, text], n) => (
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
            const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
            const [other] = tabs[(n + by + tabs.length) % tabs.length] ?? []
            if (by === 0 || other === undefined) return
            // Stops the event, because outside the tabs the arrow keys move to another file.
            event.stopPropagation()
            onChoose(other)
            document.getElementById(`${id}-${other}`)?.focus()
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
