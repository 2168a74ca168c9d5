// An input for a number of bytes with a unit.
import { type ReactNode, useState } from 'react'
import { Select } from './select.tsx'
import './fields.css'

const units = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
type Unit = keyof typeof units
const names = ['TB', 'GB', 'MB'] as const

const unitOf = (bytes: number): Unit =>
  bytes === 0 ? 'GB' : (names.find((unit) => Number.isInteger((bytes / units[unit]) * 100)) ?? 'MB')

const isNumber = (typed: string): boolean => /^\d{0,9}(\.\d{1,2})?$/.test(typed.trim())

export interface BytesFieldProps {
  readonly label: string
  readonly unitLabel: string
  /** The placeholder. */
  readonly none: string
  readonly value: number
  readonly autoFocus?: boolean
  readonly onChange: (bytes: number | undefined) => void
}

/** An input for a number of bytes with its unit. Empty is 0. Invalid input is reported as undefined. */
export function BytesField({ label, unitLabel, none, value, autoFocus, onChange }: BytesFieldProps): ReactNode {
  const [unit, setUnit] = useState<Unit>(() => unitOf(value))
  const [typed, setTyped] = useState(() => (value === 0 ? '' : String(value / units[unitOf(value)])))
  const enter = (words: string, of: Unit): void => {
    setTyped(words)
    setUnit(of)
    onChange(isNumber(words) ? Math.round(Number(words) * units[of]) : undefined)
  }
  return (
    <div className="k-bytes">
      <div className={`k-input${isNumber(typed) ? '' : ' is-wrong'}`}>
        <input
          aria-label={label}
          aria-invalid={!isNumber(typed)}
          inputMode="decimal"
          autoFocus={autoFocus}
          value={typed}
          placeholder={none}
          onChange={({ target }) => enter(target.value, unit)}
        />
      </div>
      <Select
        label={unitLabel}
        value={unit}
        options={(['MB', 'GB', 'TB'] as const).map((one) => ({ value: one, label: one }))}
        onChange={(of) => enter(typed, of)}
      />
    </div>
  )
}
