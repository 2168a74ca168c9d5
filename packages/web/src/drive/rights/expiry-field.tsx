// The expiry of an entry ([R140]): preset durations, or a chosen time.
import { shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { Select } from '../../kit/select.tsx'
import { type ExpirySpan, endOf, expirySpanOptions } from './rights-labels.ts'

interface ExpiryFieldProps {
  readonly label: string
  /** The label is visible. */
  readonly shown?: boolean
  readonly size?: 'small'
  /** Null: no expiry. Undefined: several entries differ. */
  readonly value: number | null | undefined
  readonly disabled?: boolean
  readonly onChange: (until: number | null) => void
}

export function ExpiryField({
  label,
  shown = false,
  size,
  value,
  disabled = false,
  onChange,
}: ExpiryFieldProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const options: { value: ExpirySpan | 'then' | 'moment'; label: string }[] = [
    ...expirySpanOptions(t),
    { value: 'moment', label: t('rights.span.moment') },
  ]
  if (value !== null)
    options.unshift({
      value: 'then',
      label: value === undefined ? t('rights.many.various') : shortTime(value, now, locale),
    })
  const choose = async (chosen: ExpirySpan | 'then' | 'moment'): Promise<void> => {
    if (chosen === 'then') return
    if (chosen !== 'moment') return onChange(endOf(chosen, Date.now()))
    const until = await openWindow('drive-until', { until: value ?? endOf('week', Date.now()) ?? 0 })
    if (until !== undefined) onChange(until)
  }
  return (
    <Select
      {...(size !== undefined && { size })}
      showLabel={shown}
      label={label}
      value={value === null ? 'never' : 'then'}
      options={options}
      disabled={disabled}
      onChange={(chosen) => void choose(chosen)}
    />
  )
}

export interface ExpiryMomentProps {
  readonly until: number
}

/** The window for choosing the expiry time. */
export function ExpiryMoment({ until, close, setDirty }: WindowProps<ExpiryMomentProps, number>): ReactNode {
  const t = useT()
  const [at, setAt] = useState<number | undefined>(until)
  const [now] = useState(Date.now)
  const isPast = at !== undefined && at <= now
  return (
    <>
      <DialogBody>
        <div className="dr-until">
          <MomentField
            label={t('rights.until')}
            value={at}
            min={now}
            onChange={(chosen) => {
              setAt(chosen)
              setDirty(chosen !== until)
            }}
          />
          <p className={isPast ? 'k-problem' : 'k-help'} role={isPast ? 'alert' : undefined}>
            {t(isPast ? 'rights.until.past' : 'rights.until.ends')}
          </p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={at === undefined || isPast} onClick={() => close(at)}>
          {t('rights.until.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
