import type { ReactNode } from 'react'
import './dialog.css'

interface Part {
  readonly children: ReactNode
}

interface BodyProps extends Part {
  /** A name for a body that contains only text. It then receives the keyboard focus, so that it can be scrolled. */
  readonly reading?: string
}

/** The part of a dialog that scrolls. */
export function DialogBody({ children, reading }: BodyProps): ReactNode {
  const ofText = reading === undefined ? {} : { role: 'region', 'aria-label': reading, tabIndex: 0 }
  return (
    <div className="k-dialog-body" {...ofText}>
      {children}
    </div>
  )
}

/** The button row of a dialog: the primary button last. */
export function DialogFooter({ children }: Part): ReactNode {
  return <div className="k-dialog-footer">{children}</div>
}
