import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Info16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './second-factor.tsx'
import './security-texts.ts'

type Known = Awaited<ReturnType<typeof api.getSecondFactor>>

/** The second factor: switch it on or off, and manage recovery codes for a lost device. */
export function FactorPage(): ReactNode {
  const t = useT()
  const [known, setKnown] = useState<Known>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  const read = useCallback(async () => setKnown(await api.getSecondFactor({})), [])
  useEffect(() => void read().catch(() => undefined), [read])
  if (known === undefined) return <Spinner />
  const act = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      setCode('')
      await read()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  if (!known.active)
    return (
      <div className="ac-body">
        <p className="ac-note">
          <Info16Regular />
          {t('factor.what')}
        </p>
        <SettingRow label={t('personal.factor')} note={known.demanded ? t('factor.demanded') : undefined}>
          <Button
            kind="primary"
            onClick={() =>
              void openWindow('cloudoc-second-factor', {}).then((done) => (done === true ? read() : undefined))
            }
          >
            {t('factor.setUp')}
          </Button>
        </SettingRow>
        <Passkeys />
      </div>
    )
  return (
    <div className="ac-body">
      <SettingRow
        label={t('personal.factor')}
        note={
          known.phone === ''
            ? t('factor.left', { n: known.recoveryLeft })
            : t('factor.onPhone', { phone: known.phone, n: known.recoveryLeft })
        }
      >
        <StatusChip tone="success">{t('factor.on')}</StatusChip>
      </SettingRow>
      {recovery !== undefined && <RecoveryCodes codes={recovery} />}
      <div className="ac-form">
        <TextField
          label={t('factor.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          value={code}
          help={t(known.phone === '' ? 'factor.codeHelp' : 'factor.phoneHelp')}
          problem={problem}
          onChange={({ target }) => {
            setCode(target.value)
            setProblem(undefined)
          }}
        />
      </div>
      <div className="ac-foot">
        {known.phone !== '' && (
          <Button
            onClick={() =>
              void act(async () => {
                const { phone } = await api.sendFactorCode({}, { quiet: true })
                toast({ kind: 'success', text: t('factor.sent', { phone }) })
              })
            }
          >
            {t('factor.send')}
          </Button>
        )}
        <Button
          disabled={code.trim() === ''}
          onClick={() =>
            void act(async () =>
              setRecovery((await api.renewRecoveryCodes({ factorCode: code }, { quiet: true })).recoveryCodes),
            )
          }
        >
          {t('factor.otherCodes')}
        </Button>
        <Button
          kind="danger"
          disabled={code.trim() === '' || known.demanded}
          onClick={() =>
            void act(async () => {
              await api.endSecondFactor({ factorCode: code }, { quiet: true })
              toast({ kind: 'success', text: t('factor.ended') })
            })
          }
        >
          {t('factor.end')}
        </Button>
      </div>
      <Passkeys />
    </div>
  )
}
