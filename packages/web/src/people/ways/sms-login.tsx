// Sign-in by a code of a short message ([R017]).
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { CodeField, problemOf } from './code-field.tsx'
import { enter, SignInFrame } from './sign-in-frame.tsx'

export function SmsLogin(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const [account, setAccount] = useState('')
  const [smsKey, setSmsKey] = useState<string>()
  const [code, setCode] = useState('')
  const [factor, setFactor] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await what()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'secondFactorDue') setFactor('')
      else setProblem(problemOf(error, t))
    } finally {
      setBusy(false)
    }
  }
  const send = (): void => {
    if (account.trim() === '') return setProblem(t('sms.accountMissing'))
    void attempt(async () => {
      const sent = await api.getLoginSmsCaptcha({ userName: account.trim() }, { quiet: true })
      setCode('')
      setSmsKey(sent.smsKey)
    })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (smsKey === undefined) return send()
    if (!/^\s*\d{6}\s*$/.test(code)) return setProblem(t('ways.codeWrong'))
    void attempt(async () => {
      const input = { smsKey, captcha: code.trim(), ...(factor !== undefined && { factorCode: factor.trim() }) }
      await api.loginBySmsCaptcha(input, { quiet: true })
      enter(query.get('redirect') ?? '')
    })
  }
  return (
    <SignInFrame title={t('sms.title')}>
      <form className="login-form-part" noValidate onSubmit={submit}>
        {smsKey === undefined ? (
          <TextField
            size="large"
            label={t('login.account')}
            autoFocus
            autoComplete="username"
            autoCapitalize="off"
            maxLength={200}
            value={account}
            problem={problem}
            onChange={({ target }) => {
              setAccount(target.value)
              setProblem(undefined)
            }}
          />
        ) : (
          <>
            <p role="status">{t('sms.sent', { account: account.trim() })}</p>
            <CodeField
              label={t('ways.code')}
              value={code}
              problem={factor === undefined ? problem : undefined}
              onChange={setCode}
            />
            {factor !== undefined && (
              <CodeField label={t('ways.factor')} value={factor} problem={problem} onChange={setFactor} />
            )}
          </>
        )}
        <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
          {t(smsKey === undefined ? 'ways.send' : 'ways.signIn')}
        </Button>
        {smsKey !== undefined && (
          <Button kind="link" disabled={busy} onClick={send}>
            {t('ways.resend')}
          </Button>
        )}
      </form>
    </SignInFrame>
  )
}
