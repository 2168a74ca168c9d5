import { passwordProblems } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Info16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { NewPasswordFields } from '../../people/index.ts'
import { SettingRow } from '../frame/side-pages.tsx'
import type { PageProps } from './page-props.ts'
import { passwordProblemText, usePasswordMinLength } from './use-password-policy.ts'

type Known = Awaited<ReturnType<typeof api.getNetDiskPwdInfo>> & { readonly isOver: boolean }
const nothing = { next: '', again: '' }

/** The visitor password ([R021], [R027]). */
export function VisitorPage({ setDirty }: PageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { account } = useSession().account
  const minLength = usePasswordMinLength()
  const [known, setKnown] = useState<Known>()
  const [values, setValues] = useState(nothing)
  const [days, setDays] = useState(0)
  const [refused, setRefused] = useState<string>()
  const read = useCallback(async () => {
    const found = await api.getNetDiskPwdInfo({})
    setKnown({ ...found, isOver: found.until <= Date.now() })
    setDays(found.mostDays)
  }, [])
  useEffect(() => void read().catch(() => undefined), [read])
  useEffect(() => setDirty(values !== nothing), [values, setDirty])
  if (known === undefined) return <Spinner />
  const { next, again } = values
  const problem = passwordProblems({ password: next, account, confirm: again, minLength })
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (problem !== undefined) return
    try {
      await api.resetNetDiskPwd({ newPassword: next, confirmPassword: again, days }, { quiet: true })
      setValues(nothing)
      await read()
      toast({ kind: 'success', text: t('visitor.done') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRefused(
        error.code === 'sameAsGuestPassword' ? t('visitor.sameAsPassword') : passwordProblemText(t, error, minLength),
      )
    }
  }
  const stop = async (): Promise<void> => {
    await api.stopNetDiskPwd({})
    await read()
  }
  const lives = [...new Set([1, 7, 30, known.mostDays])].filter((one) => one <= known.mostDays)
  return (
    <form className="ac-page" noValidate onSubmit={(event) => void submit(event)}>
      <div className="ac-body">
        <p className="ac-note">
          <Info16Regular />
          {t(known.allowed ? 'visitor.what' : 'visitor.notAllowed')}
        </p>
        {known.isSet && (
          <SettingRow
            label={t('personal.visitor')}
            note={t(known.isOver ? 'visitor.over' : 'visitor.until', {
              day: new Date(known.until).toLocaleDateString(locale),
            })}
          >
            {!known.isOver && <StatusChip tone="success">{t('visitor.inUse')}</StatusChip>}
            <Button size="small" onClick={() => void stop()}>
              {t('visitor.stop')}
            </Button>
          </SettingRow>
        )}
        {known.allowed && (
          <div className="ac-form">
            <NewPasswordFields
              label={t('visitor.new')}
              values={values}
              minLength={minLength}
              problems={{
                next: refused,
                again: again !== '' && problem === 'confirmDiffers' ? t('personal.confirmDiffers') : undefined,
              }}
              onChange={(typed) => {
                setValues(typed)
                setRefused(undefined)
              }}
            />
            <SettingRow label={t('visitor.life')} note={t('visitor.mostDays', { n: known.mostDays })}>
              <Select
                size="small"
                label={t('visitor.life')}
                value={days}
                options={lives.map((value) => ({ value, label: t('visitor.days', { n: value }) }))}
                onChange={setDays}
              />
            </SettingRow>
          </div>
        )}
      </div>
      {known.allowed && (
        <footer className="ac-foot">
          <Button kind="primary" type="submit" disabled={problem !== undefined}>
            {t(known.isSet ? 'visitor.change' : 'visitor.set')}
          </Button>
        </footer>
      )}
    </form>
  )
}
