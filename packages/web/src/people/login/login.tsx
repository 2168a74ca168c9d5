// The login page.

import { lazy, type ReactNode, Suspense, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { CallError } from '../../core/call/api.ts'
import { companyName } from '../../core/i18n/company.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { loadChunk } from '../../core/page/chunks.tsx'
import { version } from '../../core/page/version.ts'
import { forget, remember, signInByKey } from '../../core/session/remembered-logins.ts'
import { loadSession, signIn } from '../../core/session/session.ts'
import type { SavedLogin } from '../../core/storage/logins.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { ChevronDown16Regular, Warning16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { BrandPicture } from './brand-picture.tsx'
import { CompanyField, useCompanyField } from './company-field.tsx'
import { CaptchaField, PasswordField } from './credential-fields.tsx'
import { LanguageButton } from './language-button.tsx'
import { LoginHeader } from './login-header.tsx'
import { findPasswordPath } from './password-paths.ts'
import { isFactorAsked, refusalOf, sentTo } from './refusal.ts'
import { useCaptcha } from './use-captcha.ts'
import { useCompany } from './use-company.ts'
import { type SavedLogins, useSavedLogins } from './use-saved-logins.ts'
import './login.css'

/** Loaded after the form, which does not wait for them. */
const OtherWays = lazy(async () => ({
  default: (await loadChunk(() => import('../ways/other-ways.tsx'))).OtherWays,
}))

const FactorField = lazy(async () => ({
  default: (await loadChunk(() => import('./factor-field.tsx'))).FactorField,
}))

export interface LoginProps {
  /** The user requested a page that needs a session; shown above the button. */
  readonly needed: boolean
  /** The account whose password has just been set. */
  readonly account?: string | undefined
  /** Called once there is a session. */
  readonly onSignedIn: () => void
}

/** What to remember of this sign-in. */
interface Keep {
  readonly password: boolean
  readonly byItself: boolean
}

type Missing = 'account' | 'password' | 'captcha' | 'factor'

/**
 * Signs in with account and password. The form starts with the last used login, so that it never overwrites typed
 * input.
 */
export function Login(props: LoginProps): ReactNode {
  const { logins, read, drop } = useSavedLogins()
  return logins === undefined ? <Spinner /> : <LoginForm {...props} logins={logins} onRead={read} onDrop={drop} />
}

interface LoginFormProps extends LoginProps {
  readonly logins: readonly SavedLogin[]
  readonly onRead: SavedLogins['read']
  readonly onDrop: SavedLogins['drop']
}

function LoginForm({ needed, account, onSignedIn, logins, onRead, onDrop }: LoginFormProps): ReactNode {
  const t = useT()
  const captcha = useCaptcha()
  const [userName, setUserName] = useState(account ?? logins[0]?.account ?? '')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Missing>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [keep, setKeep] = useState<Keep>({
    password: account === undefined && logins.length > 0,
    byItself: account === undefined && (logins[0]?.autoLogin ?? false),
  })
  const form = useRef<HTMLFormElement>(null)
  const accountInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const info = useCompany()
  const company = companyName(info.name)
  const field = useCompanyField(info.code, company)
  /** Visitor mode: the same account with its visitor password ([R021]). */
  const [visitor, setVisitor] = useState(false)
  const [factor, setFactor] = useState<string>()
  const [sent, setSent] = useState<string>()
  const choose = (login: SavedLogin): void => {
    setUserName(login.account)
    setPassword('')
    setKeep({ password: true, byItself: login.autoLogin })
    setMissing(undefined)
  }
  const saved = logins.find(({ account }) => account === userName.trim())
  /** A saved key is used if no password is typed. */
  const keyed = !visitor && saved !== undefined && saved.authKey !== '' && password === '' ? saved : undefined

  useEffect(() => {
    document.title = company
  }, [company])

  /** Without the code of the second factor, a further message is sent where messages bring it. */
  const enter = async (factor: string | undefined): Promise<void> => {
    if (busy) return
    setRefusal(undefined)
    // The company field takes precedence over the credentials.
    if (info.code !== '' && field.found.kind !== 'here') {
      if (field.found.kind === 'elsewhere') location.assign(field.found.address)
      return
    }
    const typed = {
      ...{ userName: userName.trim(), password: keyed?.authKey ?? password },
      ...(captcha.url !== undefined && { captcha: captcha.text.trim() }),
    }
    const lacking = missingOf(typed, factor)
    setMissing(lacking)
    if (lacking !== undefined) return form.current?.querySelector<HTMLElement>(`[name=${lacking}]`)?.focus()
    setBusy(true)
    try {
      const signedIn = keyed === undefined ? await signInTyped(typed, visitor, factor) : await signInByKey(keyed)
      // Done before the page learns of the session and navigates to the requested address.
      if (!visitor) await keepLogin(signedIn, keep, saved)
      if ((await loadSession()) !== undefined || visitor) onSignedIn()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (isFactorAsked(error)) {
        setFactor('')
        setSent(sentTo(error))
        return captcha.refused(error)
      }
      const keyRefused = keyed !== undefined && error.code === 'notLoggedIn'
      setRefusal(keyRefused ? t('login.keyRefused') : refusalOf(error, captcha.url !== undefined, t))
      if (keyRefused) {
        await onRead()
        passwordInput.current?.focus()
      }
      captcha.refused(error)
      if (error.code === 'wrongPassword') passwordInput.current?.select()
    } finally {
      setBusy(false)
    }
  }

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void enter(factor)
  }

  const forgetSaved = (): void => {
    setUserName('')
    setKeep({ password: false, byItself: false })
    void onDrop(saved?.account ?? '')
  }
  const turnVisitor = (): void => {
    setVisitor(!visitor)
    setPassword('')
    setFactor(undefined)
    setRefusal(undefined)
    const next = userName.trim() === '' ? accountInput : passwordInput
    next.current?.focus()
  }
  const wordsFor = (field: Exclude<Missing, 'factor'>): string | undefined =>
    missing === field ? t(`login.${field}Missing`) : undefined
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <LanguageButton />
        <form ref={form} className="login-card" noValidate onSubmit={submit}>
          <LoginHeader logo={info.logo} company={company} />
          {info.code !== '' && <CompanyField field={field} />}
          <TextField
            size="large"
            ref={accountInput}
            name="account"
            label={t('login.account')}
            autoComplete="username"
            autoCapitalize="off"
            maxLength={200}
            autoFocus={userName === ''}
            value={userName}
            problem={wordsFor('account')}
            onChange={(event) => setUserName(event.target.value)}
            after={
              logins.length > 0 && (
                <SavedButton logins={logins} saved={saved} onChoose={choose} onForget={forgetSaved} />
              )
            }
          />
          <PasswordField
            ref={passwordInput}
            {...(visitor && { label: t('login.visitorPassword') })}
            autoFocus={userName !== ''}
            value={password}
            problem={wordsFor('password')}
            placeholder={keyed === undefined ? undefined : t('login.keyed')}
            onChange={setPassword}
          />
          {factor !== undefined && (
            <Suspense>
              <FactorField
                value={factor}
                sent={sent}
                isMissing={missing === 'factor'}
                onChange={setFactor}
                onResend={() => void enter(undefined)}
              />
            </Suspense>
          )}
          <CaptchaField captcha={captcha} problem={wordsFor('captcha')} />
          {visitor && <p className="login-reason">{t('login.visitorWhat')}</p>}
          <KeepFields keep={keep} onKeep={setKeep} hidden={visitor} />
          <Refusal text={refusal} needed={needed} />
          <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
            {t(busy ? 'login.submitting' : 'login.submit')}
          </Button>
          {!visitor && <Ways account={userName} onRefused={setRefusal} />}
        </form>
        <LoginFoot visitor={visitor} onVisitor={info.visitorMode ? turnVisitor : undefined} />
      </main>
    </div>
  )
}

interface WaysProps {
  readonly account: string
  readonly onRefused: (refusal: string) => void
}

const Ways = (props: WaysProps): ReactNode => (
  <Suspense>
    <OtherWays {...props} />
  </Suspense>
)

interface SavedProps {
  readonly logins: readonly SavedLogin[]
  /** The saved login of the typed account. */
  readonly saved: SavedLogin | undefined
  readonly onChoose: (login: SavedLogin) => void
  readonly onForget: () => void
}

/** The menu of the saved logins. */
function SavedButton({ logins, saved, onChoose, onForget }: SavedProps): ReactNode {
  const t = useT()
  const entries = (): MenuEntry[] => [
    ...logins.map((login) => ({
      id: login.account,
      label: login.displayName || login.account,
      hint: login.account,
      checked: login === saved,
      run: () => onChoose(login),
    })),
    { separator: true },
    {
      id: '/forget',
      label: t('login.forget', { account: saved?.account ?? '' }),
      show: saved !== undefined,
      danger: true,
      run: onForget,
    },
  ]
  return (
    <IconButton
      size="small"
      label={t('login.saved')}
      icon={<ChevronDown16Regular />}
      aria-haspopup="menu"
      onClick={(event) => {
        const { right, bottom } = event.currentTarget.getBoundingClientRect()
        void showMenu(entries(), { x: right - 320, y: bottom + 8 })
      }}
    />
  )
}

interface KeepProps {
  readonly keep: Keep
  readonly onKeep: (keep: Keep) => void
  readonly hidden: boolean
}

function KeepFields({ keep, onKeep, hidden }: KeepProps): ReactNode {
  const t = useT()
  return (
    <div className="login-keep" hidden={hidden}>
      <Checkbox
        label={t('login.keep')}
        checked={keep.password}
        onChange={({ target }) => onKeep({ password: target.checked, byItself: target.checked && keep.byItself })}
      />
      <Checkbox
        label={t('login.byItself')}
        checked={keep.byItself}
        onChange={({ target }) => onKeep({ password: target.checked || keep.password, byItself: target.checked })}
      />
    </div>
  )
}

/** Why the sign-in was refused, or that the requested page needs one. */
function Refusal({ text, needed }: { readonly text: string | undefined; readonly needed: boolean }): ReactNode {
  const t = useT()
  return (
    <>
      <div className="login-refusal" role="alert">
        {text !== undefined && (
          <p className="is-refused">
            <Warning16Regular />
            {text}
          </p>
        )}
      </div>
      {text === undefined && needed && <p className="login-reason">{t('login.needed')}</p>}
    </>
  )
}

interface FootProps {
  readonly visitor: boolean
  /** Turns visitor mode on or off, where the company has it. */
  readonly onVisitor: (() => void) | undefined
}

function LoginFoot({ visitor, onVisitor }: FootProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <footer className="login-foot">
      {onVisitor !== undefined && (
        <Button kind="link" onClick={onVisitor}>
          {t(visitor ? 'login.asMyself' : 'login.asVisitor')}
        </Button>
      )}
      <Button kind="link" onClick={() => void navigate(findPasswordPath)}>
        {t('login.forgotten')}
      </Button>
      <Button kind="link" onClick={() => void openWindow('connection-diagnostics', {})}>
        {t('diagnostics.title')}
      </Button>
      {version.web}
    </footer>
  )
}

interface Typed {
  readonly userName: string
  readonly password: string
  readonly captcha?: string
}

const signInTyped = (typed: Typed, visitor: boolean, factor: string | undefined) =>
  signIn({
    ...typed,
    ...(visitor && { visitor }),
    ...(factor !== undefined && { factorCode: factor.trim() }),
  })

/** Keeps the login on this device, or forgets the one that was kept. */
async function keepLogin(
  signedIn: Awaited<ReturnType<typeof signIn>>,
  keep: Keep,
  saved: SavedLogin | undefined,
): Promise<void> {
  if (keep.password) await remember(signedIn, keep.byItself)
  else if (saved !== undefined) await forget(saved.account)
}

function missingOf({ userName, password, captcha }: Typed, factor: string | undefined): Missing | undefined {
  if (userName === '') return 'account'
  if (password === '') return 'password'
  if (factor?.trim() === '') return 'factor'
  return captcha === '' ? 'captcha' : undefined
}
