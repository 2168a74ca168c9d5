import type { ReactNode } from 'react'
import type { CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { TextField } from '../../kit/fields.tsx'

interface CodeFieldProps {
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

/** A field for a code that was sent or that an authenticator shows. */
export function CodeField({ label, value, problem, onChange }: CodeFieldProps): ReactNode {
  const t = useT()
  return (
    <TextField
      size="large"
      label={label}
      placeholder={t('ways.codeHint')}
      autoFocus
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={20}
      value={value}
      problem={problem}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** The message for a refused code or number. */
export function problemOf(error: CallError, t: Translate): string {
  if (error.code === 'wrongVerificationCode') return t('ways.wrong')
  if (error.code === 'sendingTooOften') return t('ways.often')
  return error.code === 'invalidMobileNumber' ? t('ways.number') : error.message
}
