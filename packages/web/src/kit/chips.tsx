// Chips: a status, a removable value, and a choice of one filter among several.

import type { ReactNode } from 'react'
import { Dismiss12Regular } from './icons.ts'
import './chips.css'

export type ChipTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

interface StatusChipProps {
  readonly tone?: ChipTone
  readonly title?: string
  readonly children: ReactNode
}

/** A short status, for example in the cell of a table. */
export function StatusChip({ tone = 'neutral', title, children }: StatusChipProps): ReactNode {
  return (
    <span className={`k-chip is-${tone}`} title={title}>
      {children}
    </span>
  )
}

interface ChipButtonProps extends StatusChipProps {
  readonly hasDialog?: boolean
  readonly onClick: () => void
}

/** A status that shows more on click. */
export function ChipButton({ tone = 'neutral', title, hasDialog, onClick, children }: ChipButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`k-chip is-${tone}`}
      title={title}
      aria-haspopup={hasDialog ? 'dialog' : undefined}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

interface RemovableChipProps {
  readonly text: ReactNode
  /** The name of the button that removes the value. */
  readonly removeLabel: string
  readonly onRemove: () => void
}

/** A chosen value, for example of a filter, that can be removed. */
export function RemovableChip({ text, removeLabel, onRemove }: RemovableChipProps): ReactNode {
  return (
    <span className="k-chip is-removable">
      <span>{text}</span>
      <button type="button" aria-label={removeLabel} data-tip={removeLabel} onClick={onRemove}>
        <Dismiss12Regular />
      </button>
    </span>
  )
}

interface FilterChipsProps<T extends string> {
  readonly label: string
  /** The chosen filter; undefined if none of them is. */
  readonly value: T | undefined
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
  /** Shown after the chips. */
  readonly children?: ReactNode
}

/** A choice of one filter. */
export function FilterChips<T extends string>(props: FilterChipsProps<T>): ReactNode {
  const { label, value, options, onChange, children } = props
  return (
    <div className="k-chips" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
      {children}
    </div>
  )
}
