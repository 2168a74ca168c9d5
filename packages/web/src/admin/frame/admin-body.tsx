import type { ReactNode } from 'react'

export interface AdminBodyProps {
  readonly title: string
  /** Small words beside the title: how many, since when. */
  readonly note?: ReactNode
  /** What can be done with the whole page, at the end of its head. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page of the administration: its head, and below it what scrolls by itself. */
export function AdminBody({ title, note, actions, children }: AdminBodyProps): ReactNode {
  return (
    <section className="ad-page" aria-label={title}>
      <header className="ad-head">
        <h1>{title}</h1>
        {note !== undefined && <span className="ad-note">{note}</span>}
        {actions !== undefined && <div className="ad-actions">{actions}</div>}
      </header>
      <div className="ad-body">{children}</div>
    </section>
  )
}
