import type { ReactNode } from 'react'
import './switch.css'

export interface SwitchProps {
  /** What it switches. */
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean
  readonly describedBy?: string
  readonly onChange: (on: boolean) => void
}

/** On or off, at once to be seen. */
export function Switch({ label, on, disabled, describedBy, onChange }: SwitchProps): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      className="k-switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!on)}
    >
      <i />
    </button>
  )
}
