// Until when: some days that are offered, or a moment that is typed.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'

const dayMs = 24 * 60 * 60_000
const offered = [7, 30, 90] as const

/** A moment as the browser's field holds it. */
export function fieldOf(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** In so many days, at six in the evening. */
export function inDays(days: number): number {
  const at = new Date(Date.now() + days * dayMs)
  at.setHours(18, 0, 0, 0)
  return at.getTime()
}

interface UntilProps {
  readonly label: string
  readonly value: number | null
  readonly onChange: (until: number | null) => void
}

export function Until({ label, value, onChange }: UntilProps): ReactNode {
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
      <span className="k-input ap-moment">
        <input
          type="datetime-local"
          aria-label={label}
          value={value === null ? '' : fieldOf(value)}
          onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).getTime())}
        />
      </span>
    </div>
  )
}
