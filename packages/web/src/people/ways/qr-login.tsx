// Sign-in by QR code ([R018]): the page that shows the code, and the page that a scanning device opens.
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { encode } from 'uqr'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
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

/** Shows a code until it is scanned and confirmed, or has ended. */
export function QrLogin(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const [made, setMade] = useState<{ readonly code: string; readonly expiresAt: number }>()
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
    api.applyCode({ clientType: qrClientType }, { quiet: true }).then(
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
  }, [round, target])
  const isOver = state === 'handled' || state === 'invalid' || state === 'refused'
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <SignInFrame title={t('qr.title')}>
      <div className="ways-qr">
        {made !== undefined && (
          <QrPicture
            text={`${location.origin}${qrLoginPath}?${new URLSearchParams({ code: made.code })}`}
            isOver={isOver}
          />
        )}
        <p role="status">{problem ?? t(state === 'waiting' ? 'qr.how' : `qr.${state}`)}</p>
        {!isOver && problem === undefined && made !== undefined && <small>{t('qr.left', { time })}</small>}
        {(isOver || problem !== undefined) && (
          <Button kind="primary" onClick={() => setRound(round + 1)}>
            {t('qr.refresh')}
          </Button>
        )}
      </div>
    </SignInFrame>
  )
}

/** Asks whoever has scanned a code whether to sign in there. */
export function QrConfirm({ code }: { readonly code: string }): ReactNode {
  const t = useT()
  const [address, setAddress] = useState<string>()
  const [end, setEnd] = useState<'allowed' | 'refusedHere' | 'gone'>()
  useEffect(() => {
    api.scanQrCode({ code }, { quiet: true }).then(
      (scanned) => setAddress(scanned.address),
      () => setEnd('gone'),
    )
  }, [code])
  const answer = async (allow: boolean): Promise<void> => {
    try {
      await api.answerQrCode({ code, allow }, { quiet: true })
      setEnd(allow ? 'allowed' : 'refusedHere')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setEnd('gone')
    }
  }
  return (
    <SignInFrame title={t('qr.confirm')}>
      {end === undefined ? (
        <>
          <p>{address === undefined ? '' : t('qr.where', { address })}</p>
          <p className="login-reason">{t('qr.careful')}</p>
          <Button
            className="login-submit"
            kind="primary"
            size="large"
            disabled={address === undefined}
            onClick={() => void answer(true)}
          >
            {t('qr.allow')}
          </Button>
          <Button
            className="login-submit"
            size="large"
            disabled={address === undefined}
            onClick={() => void answer(false)}
          >
            {t('qr.refuse')}
          </Button>
        </>
      ) : (
        <p role="status">{t(`qr.${end}`)}</p>
      )}
    </SignInFrame>
  )
}
