// Forgotten password ([R024]): a code is sent to the account's owner by mail or text message. This page does not sign
// the user in.
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { ProductLogo } from '../product-logo.tsx'
import { BrandPicture } from './brand-picture.tsx'
import { LanguageButton } from './language-button.tsx'
import { setPasswordPath } from './password-paths.ts'
import { useCompany } from './use-company.ts'
import './forgotten-texts.ts'
import './login.css'

/** The message sent: a mail, or a text message whose digits are entered on this page. */
type Sent = { readonly by: 'mail' } | { readonly by: 'sms'; readonly verifyParam: string }

export function FindPassword(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const { findPassword: byMail, findPasswordBySms: bySms } = useCompany()
  const [userName, setUserName] = useState('')
  const [sent, setSent] = useState<Sent>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const account = userName.trim()
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      setProblem(undefined)
      await what()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'notFound' ? t('findPassword.smsGone') : error.message)
    } finally {
      setBusy(false)
    }
  }
  const send = (by: Sent['by']): void => {
    if (account === '') return setProblem(t('login.accountMissing'))
    void attempt(async () => {
      const { verifyParam } = await api.beforeResetPwd({ userName: account }, { quiet: true })
      if (by === 'mail') await api.sendResetPwMail({ verifyParam, locale }, { quiet: true })
      else await api.sendResetPwSms({ verifyParam }, { quiet: true })
      setCode('')
      setSent(by === 'mail' ? { by } : { by, verifyParam })
    })
  }
  const check = (verifyParam: string): void => {
    if (!/^\d{6}$/.test(code.trim())) return setProblem(t('findPassword.smsCodeWrong'))
    void attempt(async () => {
      const { linkCode } = await api.checkResetPwCode({ verifyParam, code: code.trim() }, { quiet: true })
      void navigate(`${setPasswordPath}?code=${linkCode}`)
    })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (sent?.by === 'sms') check(sent.verifyParam)
    else if (sent === undefined && byMail !== false) send('mail')
    else if (sent === undefined && bySms === true) send('sms')
  }
  const haveCode = (): void => void navigate(setPasswordPath)
  /** Nothing to enter: the mail is sent, or no recovery method is available. */
  const isOver = sent?.by === 'mail' || (byMail === false && bySms === false)
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <LanguageButton />
        <form className="login-card" noValidate onSubmit={submit}>
          <header>
            <ProductLogo size={32} />
            <h1>{t('findPassword.title')}</h1>
          </header>
          {isOver && (
            <p role="status">{sent === undefined ? t('findPassword.noMail') : t('findPassword.sent', { account })}</p>
          )}
          {sent?.by === 'sms' && (
            <>
              <p role="status">{t('findPassword.sentSms', { account })}</p>
              <TextField
                size="large"
                label={t('findPassword.smsCode')}
                autoFocus
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={12}
                value={code}
                problem={problem}
                onChange={({ target }) => {
                  setCode(target.value)
                  setProblem(undefined)
                }}
              />
            </>
          )}
          {sent === undefined && !isOver && (
            <TextField
              size="large"
              label={t('login.account')}
              autoFocus
              autoComplete="username"
              autoCapitalize="off"
              maxLength={64}
              value={userName}
              help={t(
                bySms !== true
                  ? 'findPassword.help'
                  : byMail === true
                    ? 'findPassword.helpBoth'
                    : 'findPassword.helpSms',
              )}
              problem={problem}
              onChange={({ target }) => {
                setUserName(target.value)
                setProblem(undefined)
              }}
            />
          )}
          {isOver ? (
            <Button className="login-submit" kind="primary" size="large" autoFocus onClick={haveCode}>
              {t('findPassword.haveCode')}
            </Button>
          ) : sent?.by === 'sms' ? (
            <>
              <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
                {t('setPassword.next')}
              </Button>
              <Button
                kind="link"
                disabled={busy}
                onClick={() => {
                  setSent(undefined)
                  setProblem(undefined)
                }}
              >
                {t('findPassword.again')}
              </Button>
            </>
          ) : (
            <>
              <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
                {t(bySms === true && byMail === true ? 'findPassword.sendMail' : 'findPassword.send')}
              </Button>
              {bySms === true && byMail === true && (
                <Button className="login-submit" size="large" disabled={busy} onClick={() => send('sms')}>
                  {t('findPassword.sendSms')}
                </Button>
              )}
              <Button kind="link" onClick={haveCode}>
                {t('findPassword.haveCode')}
              </Button>
            </>
          )}
          <Button kind="link" onClick={() => void navigate('/doc/login')}>
            {t('setPassword.toLogin')}
          </Button>
        </form>
      </main>
    </div>
  )
}
