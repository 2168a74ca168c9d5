// Sets up the second factor: a QR code for the authenticator, a code to confirm it, and recovery codes.
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { encode } from 'uqr'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { hasPasskeys } from '../../core/page/passkeys.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { makePasskey, passkeyName, proveByPasskey } from './passkeys.tsx'
import '../frame/account.css'
import './security-texts.ts'

export function SetUpFactor({ close, setDirty }: WindowProps<object, boolean>): ReactNode {
  const t = useT()
  const [made, setMade] = useState<{ secret: string; uri: string }>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  /** Whether the user has a passkey that can be used here; undefined: not known yet. */
  const [hasKey, setHasKey] = useState<boolean>()
  useEffect(() => {
    api
      .getMyPasskeys({}, { quiet: true })
      .then(({ list }) => setHasKey(list.some(({ usable }) => usable) && hasPasskeys()))
      .catch(() => close(false))
  }, [close])
  useEffect(() => {
    if (hasKey === false) api.beginSecondFactor({}).then(setMade, () => close(false))
  }, [hasKey, close])
  useEffect(() => setDirty(recovery !== undefined), [recovery, setDirty])
  if (recovery !== undefined)
    return (
      <>
        <DialogBody>
          <div className="ac-factor">
            <RecoveryCodes codes={recovery} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button onClick={() => void copyText(recovery.join('\n'))}>{t('factor.copy')}</Button>
          <Button kind="primary" autoFocus onClick={() => close(true)}>
            {t('factor.kept')}
          </Button>
        </DialogFooter>
      </>
    )
  const byPasskey = async (): Promise<void> => {
    try {
      const done = hasKey === true ? await proveByPasskey() : await makePasskey(passkeyName(t('passkey.one')))
      if (done) close(true)
      else setProblem(t('passkey.dismissed'))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  if (hasKey === true)
    return (
      <>
        <DialogBody>
          <p>{t('passkey.prove')}</p>
          {problem !== undefined && <p role="alert">{problem}</p>}
        </DialogBody>
        <DialogFooter>
          <Button onClick={() => close(false)}>{t('box.cancel')}</Button>
          <Button kind="primary" autoFocus onClick={() => void byPasskey()}>
            {t('passkey.use')}
          </Button>
        </DialogFooter>
      </>
    )
  if (made === undefined) return <Spinner />
  const confirm = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    try {
      setRecovery((await api.confirmSecondFactor({ factorCode: code }, { quiet: true })).recoveryCodes)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <form onSubmit={(event) => void confirm(event)}>
      <DialogBody>
        <div className="ac-factor">
          <p>{t('factor.scan')}</p>
          <Qr text={made.uri} label={t('factor.picture')} />
          <p>
            {t('factor.byHand')} <code>{made.secret}</code>
          </p>
          <TextField
            label={t('factor.code')}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            value={code}
            problem={problem}
            onChange={({ target }) => {
              setCode(target.value)
              setProblem(undefined)
            }}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        {hasPasskeys() && (
          <Button kind="link" onClick={() => void byPasskey()}>
            {t('passkey.instead')}
          </Button>
        )}
        <Button onClick={() => close(false)}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={code.trim() === ''}>
          {t('factor.confirm')}
        </Button>
      </DialogFooter>
    </form>
  )
}

export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }): ReactNode {
  const t = useT()
  return (
    <>
      <p>{t('factor.recovery')}</p>
      <ul className="ac-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  )
}

function Qr({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { data, size } = encode(text, { border: 0 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  )
}
