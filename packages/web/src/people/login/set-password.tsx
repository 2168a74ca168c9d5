// Sets a password with a code from an administrator ([R024]). This page does not sign the user in.
import { type CodeName, codes, passwordProblems } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { NewPasswordFields } from '../account/new-password.tsx'
import { ProductLogo } from '../product-logo.tsx'
import { BrandPicture } from './brand-picture.tsx'
import { LanguageButton } from './language-button.tsx'
import './forgotten-texts.ts'
import './login.css'

/** The length of a code without separators. */
const codeLength = 16
const bare = (code: string): string => code.replace(/[\s-]/g, '')

interface Whose {
  readonly account: string
  readonly accountName: string
  readonly pwdLength: number
}

/** `onDone` is called with the account whose password was set. */
export function SetPassword({ onDone }: { readonly onDone: (account: string) => void }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [code, setCode] = useState(query.get('code') ?? '')
  const [whose, setWhose] = useState<Whose>()
  const [values, setValues] = useState({ next: '', again: '' })
  const [problem, setProblem] = useState<{ field: 'code' | 'next' | 'again'; text: string }>()
  const [busy, setBusy] = useState(false)

  const look = async (): Promise<void> => {
    if (bare(code).length !== codeLength) return setProblem({ field: 'code', text: t('setPassword.codeWrong') })
    setBusy(true)
    try {
      setWhose(await api.getPasswordLink({ linkCode: code }, { quiet: true }))
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isCode = error.code === 'notFound' || error.code === 'badRequest'
      setProblem({ field: 'code', text: isCode ? t('setPassword.codeGone') : error.message })
    } finally {
      setBusy(false)
    }
  }
  const lookFirst = useEffectEvent(() => void (code !== '' && look()))
  useEffect(() => lookFirst(), [])

  const refuse = (code: CodeName): void => {
    if (code === 'confirmDiffers') return setProblem({ field: 'again', text: codes.confirmDiffers[locale] })
    const missing = values.next === '' ? t('password.newMissing') : undefined
    const rule = t('password.rule', { n: whose?.pwdLength ?? 0 })
    setProblem({ field: 'next', text: missing ?? (code === 'passwordRequirements' ? rule : codes[code][locale]) })
  }
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (whose === undefined) return look()
    const { account, pwdLength: minLength } = whose
    const found = passwordProblems({ password: values.next, account, confirm: values.again, minLength })
    if (found !== undefined) return refuse(found)
    setBusy(true)
    try {
      await api.setPasswordByLink({ linkCode: code, newPassword: values.next }, { quiet: true })
      toast({ kind: 'success', text: t('setPassword.done') })
      onDone(account)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'notFound') {
        setWhose(undefined)
        setProblem({ field: 'code', text: t('setPassword.codeGone') })
      } else if (error.code in codes) refuse(error.code as CodeName)
      else setProblem({ field: 'next', text: error.message })
    } finally {
      setBusy(false)
    }
  }
  const wrong = (field: 'code' | 'next' | 'again') => (problem?.field === field ? problem.text : undefined)
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <LanguageButton />
        <form className="login-card" noValidate onSubmit={(event) => void submit(event)}>
          <header>
            <ProductLogo size={32} />
            <h1>{t('setPassword.title')}</h1>
          </header>
          {whose === undefined ? (
            <TextField
              size="large"
              label={t('setPassword.code')}
              autoFocus
              autoComplete="one-time-code"
              maxLength={40}
              value={code}
              help={t('setPassword.codeHelp')}
              problem={wrong('code')}
              onChange={({ target }) => {
                setCode(target.value)
                setProblem(undefined)
              }}
            />
          ) : (
            <>
              <p>{t('setPassword.whose', { name: whose.accountName, account: whose.account })}</p>
              <input type="text" autoComplete="username" value={whose.account} readOnly hidden />
              <NewPasswordFields
                autoFocus
                size="large"
                label={t('password.new')}
                minLength={whose.pwdLength}
                values={values}
                problems={{ next: wrong('next'), again: wrong('again') }}
                onChange={(next) => {
                  setValues(next)
                  setProblem(undefined)
                }}
              />
            </>
          )}
          <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
            {t(whose === undefined ? 'setPassword.next' : 'setPassword.save')}
          </Button>
          <Button kind="link" onClick={() => void navigate('/doc/login')}>
            {t('setPassword.toLogin')}
          </Button>
        </form>
      </main>
    </div>
  )
}
