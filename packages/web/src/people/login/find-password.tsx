// A password that was forgotten ([R024]): a mail brings a code to whom the account belongs; nobody is signed in here.
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Mark } from '../mark.tsx'
import { setPasswordPath } from './addresses.ts'
import { BrandPicture } from './brand-picture.tsx'
import { useCompany } from './use-company.ts'
import './login.css'

export function FindPassword(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const byMail = useCompany().findPassword
  const [userName, setUserName] = useState('')
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** Nothing is to be asked for: it is on its way, or there is none. */
  const isDone = sent || byMail === false
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (userName.trim() === '') return setProblem(t('login.accountMissing'))
    setBusy(true)
    try {
      const { verifyParam } = await api.beforeResetPwd({ userName: userName.trim() }, { quiet: true })
      await api.sendResetPwMail({ verifyParam, locale }, { quiet: true })
      setSent(true)
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <form className="login-card" noValidate onSubmit={(event) => void submit(event)}>
          <header>
            <Mark size={32} />
            <h1>{t('findPassword.title')}</h1>
          </header>
          {isDone ? (
            <p role="status">
              {sent ? t('findPassword.sent', { account: userName.trim() }) : t('findPassword.noMail')}
            </p>
          ) : (
            <TextField
              size="large"
              label={t('login.account')}
              autoFocus
              autoComplete="username"
              autoCapitalize="off"
              maxLength={64}
              value={userName}
              help={t('findPassword.help')}
              problem={problem}
              onChange={({ target }) => {
                setUserName(target.value)
                setProblem(undefined)
              }}
            />
          )}
          {isDone ? (
            <Button
              className="login-submit"
              kind="primary"
              size="large"
              autoFocus
              onClick={() => void navigate(setPasswordPath)}
            >
              {t('findPassword.haveCode')}
            </Button>
          ) : (
            <>
              <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
                {t('findPassword.send')}
              </Button>
              <Button kind="link" onClick={() => void navigate(setPasswordPath)}>
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
