import type { ReactNode } from 'react'

interface SideProps<P extends string> {
  readonly pages: readonly { readonly id: P; readonly label: string; readonly icon: ReactNode }[]
  readonly at: P
  readonly onGo: (page: P) => void
  readonly foot?: string
  readonly label: string
  readonly children: ReactNode
}

/** A window with several pages: page names on the left, the open page on the right. */
export function SidePages<P extends string>({ pages, at, onGo, foot, label, children }: SideProps<P>): ReactNode {
  return (
    <div className="ac-pages">
      <nav className="ac-nav" aria-label={label}>
        {pages.map((page) => (
          <button
            key={page.id}
            type="button"
            aria-current={page.id === at ? 'page' : undefined}
            onClick={() => onGo(page.id)}
          >
            {page.icon}
            {page.label}
          </button>
        ))}
        {foot !== undefined && <p>{foot}</p>}
      </nav>
      <div className="ac-page">{children}</div>
    </div>
  )
}

interface RowProps {
  readonly label: string
  readonly note?: string | undefined
  readonly children: ReactNode
}

/** One setting in a row. */
export function SettingRow({ label, note, children }: RowProps): ReactNode {
  return (
    <div className="ac-row">
      <div>
        {label}
        {note !== undefined && <small>{note}</small>}
      </div>
      {children}
    </div>
  )
}
