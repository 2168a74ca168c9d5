import { codes } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { useAdministrationScope } from '../shared/administration-scope.ts'
import { Field, Input, useLevels } from '../shared/form-parts.tsx'

export interface NewPersonProps {
  readonly group: { readonly groupId: number; readonly path: string }
}

const empty = { accountName: '', account: '', title: '', email: '', phone: '', password: '' }

/** Creates an account. Without a password the user sets it with a code, which is shown next. */
export function NewPerson(props: WindowProps<NewPersonProps, { readonly userId: number }>): ReactNode {
  const { close, setDirty } = props
  const t = useT()
  const locale = useLocale()
  const levels = useLevels()
  const { whole } = useAdministrationScope()
  const [values, setValues] = useState(empty)
  const [group, setGroup] = useState(props.group)
  const [level, setLevel] = useState(0)
  const [byCode, setByCode] = useState(true)
  const [problem, setProblem] = useState<{ field: keyof typeof empty | 'form'; text: string }>()
  const [busy, setBusy] = useState(false)
  const field = (name: keyof typeof empty, label: string) => ({
    label,
    value: values[name],
    problem: problem?.field === name ? problem.text : undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [name]: target.value })
      setProblem(undefined)
      setDirty(true)
    },
  })
  const pickGroup = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.pick.group'), ok: t('box.ok') })
    if (picked !== undefined) setGroup(picked)
  }
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const lacking = (['accountName', 'account'] as const).find((name) => values[name].trim() === '')
    if (lacking !== undefined) return setProblem({ field: lacking, text: t('org.missing') })
    if (!byCode && values.password === '') return setProblem({ field: 'password', text: t('org.missing') })
    if (busy) return
    setBusy(true)
    try {
      const { password, ...rest } = values
      const made = await api.createAccount({
        ...rest,
        groupId: group.groupId,
        secretLevel: level,
        ...(byCode ? {} : { password, mustChangePassword: true }),
      })
      close(made)
      if (byCode) {
        const { list } = await api.createPasswordLinks({ userIds: [made.userId] })
        await openWindow('organisation-password-links', { list })
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'alreadyExists') setProblem({ field: 'account', text: t('org.account.taken') })
      else if (error.code === 'illegalName') setProblem({ field: 'account', text: t('org.account.illegal') })
      else if (error.code === 'passwordRequirements' || error.code === 'sameAsAccount')
        setProblem({ field: 'password', text: codes[error.code][locale] })
      else setProblem({ field: 'form', text: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <div className="or-form">
          <Field label={t('org.field.name')}>
            <Input {...field('accountName', t('org.field.name'))} autoFocus maxLength={64} />
          </Field>
          <Field label={t('org.field.account')}>
            <Input {...field('account', t('org.field.account'))} maxLength={64} autoCapitalize="off" />
          </Field>
          <Field label={t('org.field.group')}>
            <Button className="or-pick-button" onClick={() => void pickGroup()}>
              {group.path}
            </Button>
          </Field>
          <Field label={t('org.field.title')}>
            <Input {...field('title', t('org.field.title'))} maxLength={64} />
          </Field>
          <Field label={t('org.field.email')}>
            <Input {...field('email', t('org.field.email'))} type="email" maxLength={254} />
          </Field>
          <Field label={t('org.field.phone')}>
            <Input {...field('phone', t('org.field.phone'))} maxLength={32} />
          </Field>
          {whole && (
            <Field label={t('org.column.level')}>
              <Select
                label={t('org.column.level')}
                value={level}
                options={levels.map((label, value) => ({ value, label }))}
                onChange={setLevel}
              />
            </Field>
          )}
          <Field label={t('org.field.password')}>
            <Checkbox label={t('org.byCode')} checked={byCode} onChange={({ target }) => setByCode(target.checked)} />
            {!byCode && (
              <Input {...field('password', t('org.field.password'))} type="password" autoComplete="new-password" />
            )}
          </Field>
        </div>
        {problem?.field === 'form' && (
          <p className="k-problem" role="alert">
            {problem.text}
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {t('org.create')}
        </Button>
      </DialogFooter>
    </form>
  )
}
