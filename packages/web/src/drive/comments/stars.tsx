// Stars: the display of a rating and its input field.

import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Star16Filled, Star16Regular } from '../../kit/icons.ts'

const five = [1, 2, 3, 4, 5] as const

/** Shows a rating. */
export function Stars({ grade }: { readonly grade: number }): ReactNode {
  const t = useT()
  return (
    <span className="dr-stars" role="img" aria-label={t('comments.stars', { n: grade })}>
      {five.map((n) => (n <= Math.round(grade) ? <Star16Filled key={n} /> : <Star16Regular key={n} />))}
    </span>
  )
}

/** The input field of a rating. Clicking the current rating clears it, as do the arrow keys. */
export function StarField({
  value,
  onChange,
}: {
  readonly value: number
  readonly onChange: (value: number) => void
}): ReactNode {
  const t = useT()
  return (
    <span
      className="dr-stars is-field"
      role="slider"
      tabIndex={0}
      aria-label={t('comments.grade')}
      aria-valuemin={0}
      aria-valuemax={5}
      aria-valuenow={value}
      aria-valuetext={value === 0 ? t('comments.noGrade') : t('comments.stars', { n: value })}
      onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        onChange(Math.max(0, Math.min(5, value + by)))
      }}
    >
      {five.map((n) => (
        <span key={n} data-star={n} onClick={() => onChange(value === n ? 0 : n)}>
          {n <= value ? <Star16Filled /> : <Star16Regular />}
        </span>
      ))}
    </span>
  )
}
