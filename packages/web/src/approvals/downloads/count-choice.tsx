// The number of additional downloads.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Select } from '../../kit/select.tsx'

const usual = [10, 20, 50, 100, 200, 500] as const
/** The default number. */
export const usualCount = 50

interface CountChoiceProps {
  readonly label: string
  readonly value: number
  /** The requested number, which may not be one of the options. */
  readonly asked?: number
  readonly onChange: (count: number) => void
}

export function CountChoice({ label, value, asked = usualCount, onChange }: CountChoiceProps): ReactNode {
  const t = useT()
  const counts = [...new Set<number>([...usual, asked])].sort((a, b) => a - b)
  return (
    <Select
      className="ap-count"
      label={label}
      value={value}
      options={counts.map((n) => ({ value: n, label: t('approvals.downloads.times', { n }) }))}
      onChange={onChange}
    />
  )
}
