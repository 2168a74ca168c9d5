// Pagers below a list: numbered pages, or a button that reads the next rows.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import './pager.css'

interface PagePagerProps {
  /** The current page, from 0. */
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
  readonly previousLabel: string
  readonly nextLabel: string
}

/** Moves between numbered pages. Shows nothing for a single page. */
export function PagePager({ page, pages, onPage, previousLabel, nextLabel }: PagePagerProps): ReactNode {
  if (pages <= 1) return null
  return (
    <span className="k-pager">
      <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {previousLabel}
      </Button>
      <span>
        {page + 1} / {pages}
      </span>
      <Button size="small" disabled={page + 1 >= pages} onClick={() => onPage(page + 1)}>
        {nextLabel}
      </Button>
    </span>
  )
}

interface CursorPagerProps {
  readonly hasNext: boolean
  readonly busy?: boolean
  readonly onNext: () => void
  readonly label: string
}

/** Reads the next rows of a list that has no page numbers. Shows nothing at its end. */
export function CursorPager({ hasNext, busy = false, onNext, label }: CursorPagerProps): ReactNode {
  if (!hasNext) return null
  return (
    <span className="k-pager">
      <Button disabled={busy} onClick={onNext}>
        {label}
      </Button>
    </span>
  )
}
