import type { ReactNode } from 'react'
import './dialog.css'

interface Part {
  readonly children: ReactNode
}

interface BodyProps extends Part {
  /** Its name, where there is nothing in it but text: then it takes the keyboard itself, to be scrolled. */
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

/** The row of a dialog's buttons: the primary one last. */
export function DialogFooter({ children }: Part): ReactNode {
  return <div className="k-dialog-footer">{children}</div>
}
