// Sets up the second factor: a QR code for the authenticator or a phone, a code to confirm it, and recovery codes.
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

type Known = Awaited<ReturnType<typeof api.getSecondFactor>>

export function SetUpFactor({ close, setDirty }: WindowProps<object, boolean>): ReactNode {
  const t = useT()
  const [made, setMade] = useState<{ secret: string; uri: string }>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  /** Whether the user has a passkey that can be used here; undefined: not known yet. */
  const [hasKey, setHasKey] = useState<boolean>()
  const [known, setKnown] = useState<Known>()
  const [byPhone, setByPhone] = useState(false)
  useEffect(() => {
    Promise.all([api.getMyPasskeys({}, { quiet: true }), api.getSecondFactor({}, { quiet: true })])
      .then(([{ list }, factor]) => {
        setKnown(factor)
        setHasKey(list.some(({ usable }) => usable) && hasPasskeys())
      })
      .catch(() => close(false))
  }, [close])
  useEffect(() => {
    if (hasKey === false && !byPhone) api.beginSecondFactor({}).then(setMade, () => close(false))
  }, [hasKey, byPhone, close])
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
  if (byPhone && known !== undefined)
    return <PhoneFactor phone={known.ownPhone} onMade={setRecovery} onBack={() => setByPhone(false)} />
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
        {known?.sms === true && (
          <Button kind="link" onClick={() => setByPhone(true)}>
            {t('factor.bySms')}
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

interface PhoneFactorProps {
  /** The phone of the profile. */
  readonly phone: string
  /** The phone is the factor now; these codes stand for it. */
  readonly onMade: (recoveryCodes: readonly string[]) => void
  readonly onBack: () => void
}

/** Makes a phone the second factor: sends a code there and asks for it. */
function PhoneFactor({ phone: proposed, onMade, onBack }: PhoneFactorProps): ReactNode {
  const t = useT()
  const [phone, setPhone] = useState(proposed)
  const [sentTo, setSentTo] = useState<string>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const trying = async (work: () => Promise<void>): Promise<void> => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  const send = (): Promise<void> =>
    trying(async () => setSentTo((await api.beginPhoneFactor({ phone: phone.trim() }, { quiet: true })).phone))
  const confirm = (): Promise<void> =>
    trying(async () => onMade((await api.confirmSecondFactor({ factorCode: code }, { quiet: true })).recoveryCodes))
  const typed = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    set(event.target.value)
    setProblem(undefined)
  }
  return (
    <form
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault()
        void (sentTo === undefined ? send() : confirm())
      }}
    >
      <DialogBody>
        <div className="ac-factor">
          {sentTo === undefined ? (
            <>
              <p>{t('factor.phoneWhat')}</p>
              <TextField
                label={t('factor.phone')}
                type="tel"
                autoComplete="tel"
                autoFocus
                maxLength={32}
                value={phone}
                problem={problem}
                onChange={typed(setPhone)}
              />
            </>
          ) : (
            <>
              <p role="status">{t('factor.sent', { phone: sentTo })}</p>
              <TextField
                label={t('factor.code')}
                autoFocus
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={20}
                value={code}
                problem={problem}
                onChange={typed(setCode)}
              />
            </>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button kind="link" onClick={sentTo === undefined ? onBack : () => setSentTo(undefined)}>
          {t(sentTo === undefined ? 'factor.byApp' : 'factor.otherPhone')}
        </Button>
        {sentTo !== undefined && <Button onClick={() => void send()}>{t('factor.again')}</Button>}
        <Button kind="primary" type="submit" disabled={(sentTo === undefined ? phone : code).trim() === ''}>
          {t(sentTo === undefined ? 'factor.send' : 'factor.confirm')}
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
