import type { ReactNode } from 'react'

export interface AdminBodyProps {
  readonly title: string
  /** Small text next to the title, for example a count or a start date. */
  readonly note?: ReactNode
  /** Actions for the whole page, at the end of its header. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page of the administration: a header, and a content area that scrolls separately. */
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
