import type { ReactNode } from 'react'
import './switch.css'

export interface SwitchProps {
  /** The label of the switch. */
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean
  readonly describedBy?: string
  readonly onChange: (on: boolean) => void
}

/** An on/off switch that takes effect at once. */
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
