// An expiry: a choice of suggested days, or an entered date and time.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { MomentField } from '../../kit/moment-field.tsx'

const dayMs = 24 * 60 * 60_000
const offered = [7, 30, 90] as const

/** In this number of days, at 18:00. */
export function inDays(days: number): number {
  const at = new Date(Date.now() + days * dayMs)
  at.setHours(18, 0, 0, 0)
  return at.getTime()
}

interface ExpiryFieldProps {
  readonly label: string
  readonly value: number | null
  readonly onChange: (until: number | null) => void
}

export function ExpiryField({ label, value, onChange }: ExpiryFieldProps): ReactNode {
  const t = useT()
  return (
    <div className="ap-until">
      <div className="ap-segments" role="group" aria-label={label}>
        {offered.map((days) => (
          <button key={days} type="button" aria-pressed={value === inDays(days)} onClick={() => onChange(inDays(days))}>
            {t('approvals.days', { n: days })}
          </button>
        ))}
        <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
          {t('approvals.forGood')}
        </button>
      </div>
      <MomentField
        className="ap-moment"
        label={label}
        value={value ?? undefined}
        onChange={(at) => onChange(at ?? null)}
      />
    </div>
  )
}
