// The login page.
import { ChevronDown12Regular, Globe16Regular, Warning16Regular } from '@fluentui/react-icons'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '../../core/api.ts'
import { setLocale, useLocale, useT } from '../../core/i18n.ts'
import { showMenu } from '../../core/menu.ts'
import { loadSession, signIn } from '../../core/session.ts'
import { version } from '../../core/version.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Mark } from '../mark.tsx'
import { BrandPicture } from './brand-picture.tsx'
import { CaptchaField, PasswordField } from './credential-fields.tsx'
import { refusalOf } from './refusal.ts'
import { useCaptcha } from './use-captcha.ts'
import './login.css'

export interface LoginProps {
  /** The person asked for a page that needs a session; said above the button. */
  readonly needed: boolean
  /** Called once there is a session. */
  readonly onSignedIn: () => void
}

type Missing = 'account' | 'password' | 'captcha'

/** Signs in with account and password. */
export function Login({ needed, onSignedIn }: LoginProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const captcha = useCaptcha()
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Missing>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const passwordInput = useRef<HTMLInputElement>(null)
  const company = t('app.product')

  useEffect(() => {
    document.title = company
  }, [company])

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setRefusal(undefined)
    const lacking = missingOf(userName.trim(), password, captcha.url === undefined ? undefined : captcha.text)
    setMissing(lacking)
    if (lacking !== undefined) return
    setBusy(true)
    try {
      await signIn({
        userName: userName.trim(),
        password,
        ...(captcha.url !== undefined && { captcha: captcha.text.trim() }),
      })
      if ((await loadSession()) !== undefined) onSignedIn()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRefusal(refusalOf(error, captcha.url !== undefined, t))
      captcha.refused(error)
      if (error.code === 'wrongPassword') passwordInput.current?.select()
    } finally {
      setBusy(false)
    }
  }

  const wordsFor = (field: Missing): string | undefined => (missing === field ? t(`login.${field}Missing`) : undefined)
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <Button
          className="login-language"
          kind="ghost"
          size="small"
          icon={<Globe16Regular />}
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            const languages = (['zh', 'en'] as const).map((one) => ({
              id: one,
              label: t(`locale.${one}`),
              checked: one === locale,
              run: () => setLocale(one),
            }))
            void showMenu(languages, { x: left, y: bottom + 4 })
          }}
        >
          {t(`locale.${locale}`)}
          <ChevronDown12Regular />
        </Button>
        <form className="login-card" noValidate onSubmit={(event) => void submit(event)}>
          <header>
            <Mark size={32} />
            <h1>{t('login.title', { company })}</h1>
          </header>
          <TextField
            size="large"
            label={t('login.account')}
            autoComplete="username"
            autoCapitalize="off"
            maxLength={200}
            autoFocus
            value={userName}
            problem={wordsFor('account')}
            onChange={(event) => setUserName(event.target.value)}
          />
          <PasswordField ref={passwordInput} value={password} problem={wordsFor('password')} onChange={setPassword} />
          <CaptchaField captcha={captcha} problem={wordsFor('captcha')} />
          <div className="login-refusal" role="alert">
            {refusal !== undefined && (
              <p className="is-refused">
                <Warning16Regular />
                {refusal}
              </p>
            )}
          </div>
          {refusal === undefined && needed && <p className="login-reason">{t('login.needed')}</p>}
          <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
            {t(busy ? 'login.submitting' : 'login.submit')}
          </Button>
        </form>
        <footer className="login-foot">{version.web}</footer>
      </main>
    </div>
  )
}

function missingOf(userName: string, password: string, captcha: string | undefined): Missing | undefined {
  if (userName === '') return 'account'
  if (password === '') return 'password'
  return captcha?.trim() === '' ? 'captcha' : undefined
}
