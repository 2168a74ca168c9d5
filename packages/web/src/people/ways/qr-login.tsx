// Sign-in by QR code ([R018]): the page that shows the code, and the page that a scanning device opens.
import type { Answer, calls } from '@cloudoc/contract'
import { ClientType } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { encode } from 'uqr'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { qrLoginPath } from './paths.ts'
import { enter, SignInFrame } from './sign-in-frame.tsx'

/** QR client type of the web page ([R391]). */
const qrClientType = 1
const pollMs = 2000
const size = 208

function QrPicture({ text, isOver }: { readonly text: string; readonly isOver: boolean }): ReactNode {
  const t = useT()
  const { data, size: cells } = encode(text, { border: 1 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={isOver ? 'is-over' : undefined}
      role="img"
      aria-label={t('qr.picture')}
      width={size}
      height={size}
      viewBox={`0 0 ${cells} ${cells}`}
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

type State = 'waiting' | 'scanned' | 'handled' | 'invalid' | 'refused'
const stateByCode: Readonly<Record<string, State>> = {
  qrScanned: 'scanned',
  qrHandled: 'handled',
  qrInvalid: 'invalid',
  qrRefused: 'refused',
}

interface Shown {
  readonly code: string
  readonly shortCode: string
  readonly expiresAt: number
}

/** A code for this page, until it is confirmed elsewhere and the page is signed in, or it has ended. */
function useQrCode(clientType: number): {
  readonly made: Shown | undefined
  readonly state: State
  readonly isOver: boolean
  readonly problem: string | undefined
  /** Seconds until it expires. */
  readonly left: number
  readonly renew: () => void
} {
  const [query] = useSearchParams()
  const [made, setMade] = useState<Shown>()
  const [state, setState] = useState<State>('waiting')
  const [problem, setProblem] = useState<string>()
  const [left, setLeft] = useState(0)
  const [round, setRound] = useState(0)
  const target = query.get('redirect') ?? ''
  useEffect(() => {
    let ended = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (code: string, expiresAt: number): Promise<void> => {
      if (ended) return
      setLeft(Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000)))
      try {
        const { state: now } = await api.getQrCodeState({ code }, { quiet: true })
        if (now === 'confirmed') return enter(target)
        setState('waiting')
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const next = stateByCode[error.code]
        if (next !== undefined) setState(next)
        if (next !== undefined && next !== 'scanned') return
      }
      timer = setTimeout(() => void poll(code, expiresAt), pollMs)
    }
    setState('waiting')
    setProblem(undefined)
    api.applyCode({ clientType }, { quiet: true }).then(
      (applied) => {
        if (ended) return
        setMade(applied)
        void poll(applied.code, applied.expiresAt)
      },
      (error: unknown) => setProblem(error instanceof CallError ? error.message : String(error)),
    )
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [round, target, clientType])
  const isOver = state === 'handled' || state === 'invalid' || state === 'refused'
  return { made, state, isOver, problem, left, renew: () => setRound(round + 1) }
}

const addressOf = (code: string): string =>
  `${location.origin}${qrLoginPath}?${new URLSearchParams({ code }).toString()}`

/** Shows a code until it is scanned and confirmed, or has ended; to a page on the home screen, how it is signed in. */
export function QrLogin(): ReactNode {
  const [query] = useSearchParams()
  const provider = query.get('app')
  return provider === null ? <ScannedLogin /> : <AppSignIn provider={provider} />
}

function ScannedLogin(): ReactNode {
  const t = useT()
  const { made, state, isOver, problem, left, renew } = useQrCode(qrClientType)
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <SignInFrame title={t('qr.title')}>
      <div className="ways-qr">
        {made !== undefined && <QrPicture text={addressOf(made.code)} isOver={isOver} />}
        <p role="status">{problem ?? t(state === 'waiting' ? 'qr.how' : `qr.${state}`)}</p>
        {!isOver && problem === undefined && made !== undefined && <small>{t('qr.left', { time })}</small>}
        {(isOver || problem !== undefined) && (
          <Button kind="primary" onClick={renew}>
            {t('qr.refresh')}
          </Button>
        )}
      </div>
    </SignInFrame>
  )
}

/**
 * Signs in a page on the home screen by way of the browser: providers lead back there, and its session is not that of this
 * page.
 */
function AppSignIn({ provider }: { readonly provider: string }): ReactNode {
  const t = useT()
  const { made, state, isOver, problem, renew } = useQrCode(ClientType.mobile)
  const [isCopied, setCopied] = useState(false)
  const copy = (address: string): void =>
    void navigator.clipboard.writeText(address).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <SignInFrame title={t('appSignIn.title', { provider })}>
      {made !== undefined && !isOver && problem === undefined && (
        <ol className="ways-steps">
          <li>
            {t('appSignIn.open', { provider })}
            <div className="ways-steps-buttons">
              <a className="k-button is-primary" href={addressOf(made.code)} target="_blank" rel="noopener noreferrer">
                {t('appSignIn.browser')}
              </a>
              <Button onClick={() => copy(addressOf(made.code))}>
                {t(isCopied ? 'appSignIn.copied' : 'appSignIn.copy')}
              </Button>
            </div>
          </li>
          <li>
            {t('appSignIn.type')}
            <output className="ways-short-code">{made.shortCode.replace(/^(...)/, '$1 ')}</output>
          </li>
          <li>{t('appSignIn.back')}</li>
        </ol>
      )}
      <p role="status">
        {problem ?? (isOver ? t('appSignIn.over') : t(state === 'scanned' ? 'appSignIn.seen' : 'appSignIn.waiting'))}
      </p>
      {(isOver || problem !== undefined) && (
        <Button className="login-submit" kind="primary" size="large" onClick={renew}>
          {t('ways.again')}
        </Button>
      )}
    </SignInFrame>
  )
}

/** Asks whoever has scanned a code, or was led here by a page on a home screen, whether to sign in there. */
export function QrConfirm({ code }: { readonly code: string }): ReactNode {
  const t = useT()
  const [scanned, setScanned] = useState<Answer<typeof calls.scanQrCode>>()
  const [end, setEnd] = useState<'allowed' | 'refusedHere' | 'gone'>()
  const [shortCode, setShortCode] = useState('')
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    api.scanQrCode({ code }, { quiet: true }).then(setScanned, () => setEnd('gone'))
  }, [code])
  const isApp = scanned?.asksCode === true
  const answer = async (allow: boolean): Promise<void> => {
    try {
      await api.answerQrCode({ code, allow, shortCode }, { quiet: true })
      setEnd(allow ? 'allowed' : 'refusedHere')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'wrongVerificationCode') setProblem(t('appSignIn.wrong'))
      else setEnd('gone')
    }
  }
  if (end !== undefined)
    return (
      <SignInFrame title={t('qr.confirm')} isSignedIn>
        <p role="status">{t(isApp && end === 'allowed' ? 'appSignIn.allowed' : `qr.${end}`)}</p>
      </SignInFrame>
    )
  const { address = '', agent = '' } = scanned ?? {}
  return (
    <SignInFrame title={t('qr.confirm')}>
      <p>{scanned === undefined ? '' : isApp ? t('appSignIn.where', { address }) : t('qr.where', { address })}</p>
      {isApp && <p className="ways-agent">{agent}</p>}
      <p className="login-reason">{t(isApp ? 'appSignIn.careful' : 'qr.careful')}</p>
      <form
        className="ways-confirm"
        noValidate
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault()
          void answer(true)
        }}
      >
        {isApp && (
          <TextField
            size="large"
            label={t('appSignIn.code')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            value={shortCode}
            problem={problem}
            onChange={({ target }) => setShortCode(target.value)}
          />
        )}
        <Button
          className="login-submit"
          kind="primary"
          size="large"
          type="submit"
          disabled={scanned === undefined || (isApp && shortCode.trim() === '')}
        >
          {t('qr.allow')}
        </Button>
        <Button
          className="login-submit"
          size="large"
          disabled={scanned === undefined}
          onClick={() => void answer(false)}
        >
          {t('qr.refuse')}
        </Button>
      </form>
    </SignInFrame>
  )
}
