// Small components of the pages of users and departments.
import { type Locale, shortTime } from '@cloudoc/domain'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { StatusChip } from '../../kit/chips.tsx'
import type { PersonRow } from './organisation-queries.ts'
import './organisation.css'

/** A form row: a label and a field. */
export function Field({ label, help, children }: { label: string; help?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="or-field">
      <span className="or-label">{label}</span>
      <div className="or-control">
        {children}
        {help !== undefined && <div className="k-help">{help}</div>}
      </div>
    </div>
  )
}

/** A one-line text field of a form. */
export function Input({
  label,
  problem,
  ...rest
}: ComponentPropsWithRef<'input'> & { label: string; problem?: string | undefined }): ReactNode {
  return (
    <>
      <div className={`k-input${problem === undefined ? '' : ' is-wrong'}${rest.disabled ? ' is-off' : ''}`}>
        <input spellCheck={false} {...rest} aria-label={label} aria-invalid={problem !== undefined} />
      </div>
      {problem !== undefined && (
        <p className="k-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

type PersonState = Pick<PersonRow, 'state' | 'waiting' | 'expireTime'>
const tones = {
  normal: 'success',
  locked: 'warning',
  frozen: 'danger',
  restricted: 'warning',
  disabled: 'neutral',
  waiting: 'info',
  expired: 'danger',
} as const

/** The state of a user; expired if the last day has passed. */
export function stateOf({ state, waiting, expireTime }: PersonState): keyof typeof tones {
  if (state !== 'normal') return state
  if (expireTime !== 0 && expireTime <= Date.now()) return 'expired'
  return waiting ? 'waiting' : 'normal'
}

export function StateTag(person: PersonState): ReactNode {
  const t = useT()
  const state = stateOf(person)
  return <StatusChip tone={tones[state]}>{t(`org.state.${state}`)}</StatusChip>
}

/** The names of the secret levels, starting with the open one. */
export function useLevels(): readonly string[] {
  const t = useT()
  return [t('org.level.open'), ...useSession().serverSetting.secret_names]
}

/** A time, formatted relative to now. */
export const relativeTime = (ms: number, locale: Locale): string => shortTime(ms, Date.now(), locale)
/** Whether a time is in the future. */
export const isAhead = (ms: number): boolean => ms > Date.now()
