// The content of tabs.
import type { ReactNode } from 'react'

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
