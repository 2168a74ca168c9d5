// Small components of the pages of this area.
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { BytesField } from '../../kit/bytes-field.tsx'
import './company.css'
import './texts.ts'

/** An input for a size with its unit. Empty is 0 (no limit). An invalid number is reported as undefined. */
export function ByteLimitField(props: {
  readonly label: string
  readonly value: number
  readonly onChange: (bytes: number | undefined) => void
}): ReactNode {
  const t = useT()
  return <BytesField {...props} none={t('company.unlimited')} unitLabel={t('company.unit')} />
}

/** How close the use is to its limit. */
export function usageTone(used: number, total: number, percent: number): 'full' | 'near' | 'well' {
  if (total === 0) return 'well'
  return used >= total ? 'full' : used * 100 >= total * percent ? 'near' : 'well'
}

/** A bar of the used share, with both numbers. */
export function UsageBar({ used, total, label }: { used: number; total: number; label: string }): ReactNode {
  const t = useT()
  const { personal_space_percent } = useSession().serverSetting
  const share = total === 0 ? 0 : Math.min(100, (used * 100) / total)
  return (
    <div className={`co-share is-${usageTone(used, total, personal_space_percent)}`}>
      <span>{formatSize(used, 1)}</span>
      <span>{total === 0 ? t('company.unlimited') : formatSize(total, 1)}</span>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share)}
        aria-valuetext={total === 0 ? formatSize(used, 1) : `${Math.round(share)}%`}
      >
        <i style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}

/** Growth in bytes, with its sign. */
export const growthLabel = (bytes: number): string =>
  bytes === 0 ? '0' : `${bytes > 0 ? '+' : '−'}${formatSize(Math.abs(bytes), 1)}`
