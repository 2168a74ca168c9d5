import { passwordProblems } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { renewRemembered } from '../../core/session/remembered-logins.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Info16Regular } from '../../kit/icons.ts'
import { NewPasswordFields } from '../../people/index.ts'
import type { PageProps } from './page-props.ts'
import { passwordProblemText, usePasswordMinLength } from './use-password-policy.ts'

const nothing = { old: '', next: '', again: '' }

/** Changes the password ([R026]). */
export function PasswordPage({ setDirty }: PageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { account } = useSession().account
  const minLength = usePasswordMinLength()
  const [values, setValues] = useState(nothing)
  const [refused, setRefused] = useState<{ old?: string; next?: string }>({})
  const [times, setTimes] = useState<{ passwordTime: number; passwordUntil: number }>()
  useEffect(() => void api.getAccountInfo({}, { quiet: true }).then(setTimes, () => undefined), [])
  useEffect(() => setDirty(values !== nothing), [values, setDirty])
  const { old, next, again } = values
  const problem = passwordProblems({ password: next, account, oldPassword: old, confirm: again, minLength })
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (problem !== undefined || old === '') return
    try {
      await api.modifyPwd2({ oldPassword: old, newPassword: next, confirmPassword: again }, { quiet: true })
      await renewRemembered(account)
      setValues(nothing)
      toast({ kind: 'success', text: t('password.done') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'wrongPassword') setRefused({ old: t('password.wrongOld') })
      else setRefused({ next: passwordProblemText(t, error, minLength) })
    }
  }
  const day = (time: number): string => new Date(time).toLocaleDateString(locale)
  return (
    <form className="ac-page" noValidate onSubmit={(event) => void submit(event)}>
      <div className="ac-body">
        <div className="ac-form">
          <input type="text" autoComplete="username" value={account} readOnly hidden />
          <TextField
            type="password"
            label={t('password.old')}
            autoComplete="current-password"
            autoFocus
            maxLength={1000}
            value={old}
            problem={refused.old}
            onChange={({ target }) => {
              setValues({ ...values, old: target.value })
              setRefused({})
            }}
          />
          <NewPasswordFields
            label={t('password.new')}
            values={values}
            minLength={minLength}
            problems={{
              next: refused.next ?? samePasswordText(t, problem),
              again: again !== '' && problem === 'confirmDiffers' ? t('personal.confirmDiffers') : undefined,
            }}
            onChange={(typed) => {
              setValues({ ...values, ...typed })
              setRefused({})
            }}
          />
        </div>
        <p className="ac-note">
          <Info16Regular />
          {t('personal.passwordEnds')}
        </p>
      </div>
      <footer className="ac-foot">
        <span>
          {times !== undefined && t('personal.passwordSet', { day: day(times.passwordTime) })}
          {times !== undefined &&
            times.passwordUntil > 0 &&
            ` · ${t('personal.passwordUntil', { day: day(times.passwordUntil) })}`}
        </span>
        <Button kind="primary" type="submit" disabled={problem !== undefined || old === ''}>
          {t('password.title')}
        </Button>
      </footer>
    </form>
  )
}

function samePasswordText(t: ReturnType<typeof useT>, problem: string | undefined): string | undefined {
  if (problem === 'sameAsAccount') return t('personal.sameAsAccount')
  return problem === 'sameAsOld' ? t('personal.sameAsOld') : undefined
}
