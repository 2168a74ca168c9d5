import { type CodeName, codes } from '@cloudoc/domain'
import { useEffect, useState } from 'react'
import { api, type CallError } from '../../core/call/api.ts'
import { currentLocale, type Translate } from '../../core/i18n/i18n.ts'

/** The minimum password length. The server enforces it in any case. */
export function usePasswordMinLength(): number {
  const [length, setLength] = useState(8)
  useEffect(() => {
    api.getSafeStrategyInfo({}, { quiet: true }).then(
      ({ pwdLength }) => setLength(pwdLength),
      () => undefined,
    )
  }, [])
  return length
}

/** The message that explains why a password was refused. */
export function passwordProblemText(t: Translate, error: CallError, minLength: number): string {
  if (error.code === 'passwordRequirements') return t('password.rule', { n: minLength })
  return error.code in codes ? codes[error.code as CodeName][currentLocale()] : error.message
}
