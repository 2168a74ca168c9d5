import { passwordRequirements } from '@cloudoc/domain'
import { type ReactNode, useId } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { TextField } from '../../kit/fields.tsx'
import { Checkmark16Filled, Circle16Regular } from '../../kit/icons.ts'
import './account.css'

interface NewPasswordFieldsProps {
  readonly label: string
  readonly values: { readonly next: string; readonly again: string }
  readonly onChange: (values: { next: string; again: string }) => void
  readonly minLength: number
  readonly problems: { readonly next?: string | undefined; readonly again?: string | undefined }
  readonly autoFocus?: boolean
  readonly size?: 'large'
}

/** A new password, typed twice. Its rules are checked off during typing ([R026], [R027]). */
export function NewPasswordFields(props: NewPasswordFieldsProps): ReactNode {
  const { label, values, onChange, minLength, problems, autoFocus, size } = props
  const t = useT()
  const needs = useId()
  return (
    <>
      <TextField
        {...(size !== undefined && { size })}
        type="password"
        label={label}
        autoComplete="new-password"
        autoFocus={autoFocus}
        maxLength={1000}
        aria-describedby={needs}
        value={values.next}
        problem={problems.next}
        onChange={({ target }) => onChange({ ...values, next: target.value })}
      />
      <ul className="password-needs" id={needs}>
        {passwordRequirements(values.next, minLength).map(({ name, met }) => (
          <li key={name} className={met ? 'is-met' : undefined}>
            {met ? <Checkmark16Filled /> : <Circle16Regular />}
            {t(`password.needs.${name}`, { n: minLength })}
            {met && <span className="sr-only">{t('password.met')}</span>}
          </li>
        ))}
      </ul>
      <TextField
        {...(size !== undefined && { size })}
        type="password"
        label={t('password.confirm')}
        autoComplete="new-password"
        maxLength={1000}
        value={values.again}
        problem={problems.again}
        onChange={({ target }) => onChange({ ...values, again: target.value })}
      />
    </>
  )
}
