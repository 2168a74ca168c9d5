// The field for the code of the second factor, on the login page and in the session dialog.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import './factor-texts.ts'

interface FactorFieldProps {
  readonly value: string
  /** Where a message with the code was sent; undefined: an authenticator shows it. */
  readonly sent: string | undefined
  /** Nothing was entered. */
  readonly isMissing?: boolean
  readonly problem?: string | undefined
  readonly onChange: (value: string) => void
  readonly onResend: () => void
}

export function FactorField({ value, sent, isMissing, problem, onChange, onResend }: FactorFieldProps): ReactNode {
  const t = useT()
  return (
    <div className="factor">
      <TextField
        size="large"
        name="factor"
        label={t(sent === undefined ? 'login.factor' : 'login.factorSms')}
        placeholder={sent === undefined ? t('login.factorHint') : undefined}
        help={sent}
        autoFocus
        autoComplete="one-time-code"
        maxLength={20}
        value={value}
        problem={isMissing === true ? t('login.factorMissing') : problem}
        onChange={({ target }) => onChange(target.value)}
      />
      {sent !== undefined && (
        <Button kind="link" onClick={onResend}>
          {t('login.factorAgain')}
        </Button>
      )}
    </div>
  )
}
