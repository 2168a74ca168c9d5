import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { signIn } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { CaptchaField, PasswordField } from './credential-fields.tsx'
import { FactorField } from './factor-field.tsx'
import { isFactorAsked, refusalOf, sentTo } from './refusal.ts'
import { useCaptcha } from './use-captcha.ts'
import './login.css'

export interface SessionExpiredProps {
  readonly account: string
  /** The session did not expire; another account signed in in this browser. */
  readonly another: boolean
}

/** Asks for the password on the current page, so that nothing is lost. Returns true after the sign-in. */
export function SessionExpired({ account, another, close }: WindowProps<SessionExpiredProps, boolean>): ReactNode {
  const t = useT()
  const captcha = useCaptcha()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [factor, setFactor] = useState<string>()
  const [sent, setSent] = useState<string>()

  const enter = async (factor: string | undefined): Promise<void> => {
    if (busy) return
    if (password === '') return setProblem(t('login.passwordMissing'))
    setBusy(true)
    try {
      await signIn({
        userName: account,
        password,
        ...(captcha.url !== undefined && { captcha: captcha.text }),
        ...(factor !== undefined && { factorCode: factor }),
      })
      close(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (isFactorAsked(error)) {
        setFactor('')
        setSent(sentTo(error))
      } else setProblem(refusalOf(error, captcha.url !== undefined, t))
      captcha.refused(error)
      setBusy(false)
    }
  }

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void enter(factor)
  }

  return (
    <form className="session-expired" onSubmit={submit}>
      <DialogBody>
        <div className="session-expired-fields">
          <p>{t(another ? 'expired.another' : 'expired.text')}</p>
          <TextField
            size="large"
            label={t('login.account')}
            autoComplete="username"
            value={account}
            disabled
            readOnly
          />
          <PasswordField
            autoFocus
            value={password}
            problem={problem}
            onChange={(value) => {
              setPassword(value)
              setProblem(undefined)
            }}
          />
          {factor !== undefined && (
            <FactorField value={factor} sent={sent} onChange={setFactor} onResend={() => void enter(undefined)} />
          )}
          <CaptchaField captcha={captcha} problem={undefined} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t(another ? 'expired.goThere' : 'expired.leave')}</Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {t('expired.continue')}
        </Button>
      </DialogFooter>
    </form>
  )
}
