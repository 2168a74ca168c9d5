import type { ReactNode } from 'react'
import './dialog.css'

interface Part {
  readonly children: ReactNode
}

/** The part of a dialog that scrolls. */
export function DialogBody({ children }: Part): ReactNode {
  return <div className="k-dialog-body">{children}</div>
}

/** The row of a dialog's buttons: the primary one last. */
export function DialogFooter({ children }: Part): ReactNode {
  return <div className="k-dialog-footer">{children}</div>
}
