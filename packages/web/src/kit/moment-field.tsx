// A date and time in the browser's native field.
import type { ReactNode } from 'react'

/** A time in the format of the field: local, to the minute. */
export function momentText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

interface MomentFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly min?: number
  readonly max?: number
  readonly className?: string
  /** Undefined if the field was cleared. */
  readonly onChange: (at: number | undefined) => void
}

export function MomentField({ label, value, min, max, className, onChange }: MomentFieldProps): ReactNode {
  return (
    <span className={['k-input', className].filter(Boolean).join(' ')}>
      <input
        type="datetime-local"
        aria-label={label}
        min={min === undefined ? undefined : momentText(min)}
        max={max === undefined ? undefined : momentText(max)}
        value={value === undefined ? '' : momentText(value)}
        onChange={({ target }) => onChange(target.value === '' ? undefined : new Date(target.value).getTime())}
      />
    </span>
  )
}
