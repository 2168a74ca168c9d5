import { type CodeName, codes, passwordProblems, passwordRequirements } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { renewRemembered } from '../../core/session/remembered-logins.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Checkmark16Filled, Circle16Regular } from '../../kit/icons.ts'
import './account.css'

export interface ChangePasswordProps {
  readonly account: string
  /** Nothing else is permitted until the password is changed. */
  readonly due: boolean
}

interface Problem {
  readonly field: 'old' | 'new' | 'confirm'
  readonly text: string
}

/** Changes the user's own password ([R026]). Returns true if it was changed. */
export function ChangePassword(props: WindowProps<ChangePasswordProps, boolean>): ReactNode {
  const { account, due, close, setDirty } = props
  const t = useT()
  const locale = useLocale()
  const [values, setValues] = useState({ old: '', new: '', confirm: '' })
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const [minLength, setMinLength] = useState(8)

  useEffect(() => {
    api.getSafeStrategyInfo({}, { quiet: true }).then(
      ({ pwdLength }) => setMinLength(pwdLength),
      // The server enforces the length in any case.
      () => undefined,
    )
  }, [])
  useEffect(() => setDirty(Object.values(values).some((value) => value !== '')), [values, setDirty])

  const wordsOf = (code: CodeName): Problem => {
    if (code === 'wrongPassword') return { field: 'old', text: t('password.wrongOld') }
    if (code === 'confirmDiffers') return { field: 'confirm', text: codes.confirmDiffers[locale] }
    if (code === 'passwordRequirements') return { field: 'new', text: t('password.rule', { n: minLength }) }
    return { field: 'new', text: codes[code][locale] }
  }
  const check = (): Problem | undefined => {
    if (values.old === '') return { field: 'old', text: t('password.oldMissing') }
    if (values.new === '') return { field: 'new', text: t('password.newMissing') }
    const code = passwordProblems({
      password: values.new,
      account,
      oldPassword: values.old,
      confirm: values.confirm,
      minLength,
    })
    return code && wordsOf(code)
  }

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const found = check()
    setProblem(found)
    if (found !== undefined || busy) return
    setBusy(true)
    try {
      await api.modifyPwd2({ oldPassword: values.old, newPassword: values.new, confirmPassword: values.confirm })
      await renewRemembered(account)
      toast({ kind: 'success', text: t('password.done') })
      close(true)
    } catch (error) {
      if (!(error instanceof CallError) || !(error.code in codes)) throw error
      setProblem(wordsOf(error.code as CodeName))
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof typeof values) => ({
    type: 'password',
    value: values[name],
    problem: problem?.field === name ? problem.text : undefined,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setValues({ ...values, [name]: event.target.value })
      if (problem?.field === name) setProblem(undefined)
    },
  })
  return (
    <form className="change-password" onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <div className="change-password-fields">
          {due && <p className="change-password-due">{t('password.due')}</p>}
          <input type="text" autoComplete="username" value={account} readOnly hidden />
          <TextField {...field('old')} label={t('password.old')} autoComplete="current-password" autoFocus />
          <TextField
            {...field('new')}
            label={t('password.new')}
            autoComplete="new-password"
            aria-describedby="password-needs"
          />
          <ul className="password-needs" id="password-needs">
            {passwordRequirements(values.new, minLength).map(({ name, met }) => (
              <li key={name} className={met ? 'is-met' : undefined}>
                {met ? <Checkmark16Filled /> : <Circle16Regular />}
                {t(`password.needs.${name}`, { n: minLength })}
                {met && <span className="sr-only">{t('password.met')}</span>}
              </li>
            ))}
          </ul>
          <TextField {...field('confirm')} label={t('password.confirm')} autoComplete="new-password" />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t(due ? 'account.signOut' : 'box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {t('password.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
