// The filters of a list, in one row that wraps.

import type { ReactNode } from 'react'
import { Search16Regular } from './icons.ts'
import './filter-bar.css'

interface FilterBarProps {
  readonly children: ReactNode
  /** Shown at the end of the row. */
  readonly end?: ReactNode
}

/** A row of filters. */
export function FilterBar({ children, end }: FilterBarProps): ReactNode {
  return (
    <div className="k-filters">
      {children}
      {end !== undefined && <span className="k-filters-end">{end}</span>}
    </div>
  )
}

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A search field of a filter row. Its label is also its placeholder. */
export function SearchField({ label, value, onChange }: SearchFieldProps): ReactNode {
  return (
    <span className="k-input k-search">
      <Search16Regular />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}
