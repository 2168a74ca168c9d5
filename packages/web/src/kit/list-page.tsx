// The page of a list: title with tools, tabs, filters, the list itself, its foot, and a drawer beside it.
import type { ReactNode } from 'react'
import './list-page.css'

const isShown = (node: ReactNode): boolean => node !== undefined && node !== null && node !== false

export interface ListPageProps {
  readonly title: string
  /** Small text next to the title, for example a count. */
  readonly note?: ReactNode
  /** Actions for the whole page, at the end of its header. */
  readonly tools?: ReactNode
  readonly tabs?: ReactNode
  /** Filters and hints above the list, which do not scroll with it. */
  readonly filters?: ReactNode
  /** The list: usually a `Table` with its own empty and error content. */
  readonly children: ReactNode
  /** Shown below the list: the number of rows, a pager, actions for the chosen rows. */
  readonly foot?: ReactNode
  /** A drawer with the details of one row. */
  readonly side?: ReactNode
}

/** The page of a list. The list scrolls separately from everything else. */
export function ListPage({ title, note, tools, tabs, filters, children, foot, side }: ListPageProps): ReactNode {
  return (
    <section className="k-list-page" aria-label={title}>
      <header>
        <h1>{title}</h1>
        {isShown(note) && <span className="k-list-note">{note}</span>}
        {isShown(tools) && <div className="k-list-tools">{tools}</div>}
      </header>
      {tabs}
      <div className="k-list-split">
        <div className="k-list-main">
          {filters}
          <div className="k-list-body">{children}</div>
          {isShown(foot) && <footer className="k-list-foot">{foot}</footer>}
        </div>
        {side}
      </div>
    </section>
  )
}
