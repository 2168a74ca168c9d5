/*
 * /doc/sign-from-email ([R025], [R048], [R275]): the page of who signs without an account. First the code, nothing of the
 * file before it; then the file with one's places, and the act of signing. One task and no navigation.
 */
import { minuteTime } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import {
  Checkmark20Regular,
  Clock20Regular,
  Info16Regular,
  Shield16Regular,
  Signature20Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import {
  enter,
  fileAddress,
  type SignFromEmail as Inside,
  readInside,
  readInvitation,
  refusals,
  type SignInvitation,
  SignRefused,
  sendCode,
} from './from-email-api.ts'
import { SignForm } from './sign-form.tsx'
import './external.css'

/** The server sends at most one code a minute. */
const againS = 60
const isCode = /^\s*\d{6}\s*$/

type Shown = 'loading' | 'gone' | 'failed' | { readonly invitation: SignInvitation; readonly inside?: Inside }

async function load(token: string): Promise<Shown> {
  try {
    const invitation = await readInvitation(token)
    const reads = invitation.isInside && invitation.state !== 'later' && invitation.state !== 'over'
    return reads ? { invitation, inside: await readInside(token) } : { invitation }
  } catch (error) {
    return error instanceof SignRefused && error.result === refusals.gone ? 'gone' : 'failed'
  }
}

export function SignFromEmail(): ReactNode {
  const t = useT()
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const [shown, setShown] = useState<Shown>('loading')
  const refresh = useCallback(async (): Promise<void> => setShown(await load(token)), [token])
  useEffect(() => void refresh(), [refresh])
  if (shown === 'loading') return <Spinner label={t('sign.loading')} />
  if (shown === 'gone')
    return (
      <Page>
        <Card icon={<Clock20Regular />} look="warn" title={t('sign.out.gone')}>
          <p>{t('sign.out.gone.text')}</p>
          <Note text={t('sign.out.gone.next')} />
        </Card>
      </Page>
    )
  if (shown === 'failed')
    return (
      <Page>
        <Card icon={<Info16Regular />} look="warn" title={t('sign.out.failed')}>
          <Button kind="primary" onClick={() => void refresh()}>
            {t('sign.list.retry')}
          </Button>
        </Card>
      </Page>
    )
  const { invitation, inside } = shown
  if (inside !== undefined && inside.state === 'now')
    return (
      <Page invitation={invitation}>
        <SignForm token={token} inside={inside} onDone={refresh} />
      </Page>
    )
  return (
    <Page invitation={invitation}>
      {inside !== undefined && (inside.state === 'signed' || inside.state === 'archived') ? (
        <Done token={token} inside={inside} />
      ) : invitation.state === 'later' || invitation.state === 'over' || invitation.state === 'rejected' ? (
        <Waiting invitation={invitation} onAgain={refresh} />
      ) : (
        <Verify token={token} invitation={invitation} onDone={refresh} />
      )}
    </Page>
  )
}

function Page({
  invitation,
  children,
}: {
  readonly invitation?: SignInvitation
  readonly children: ReactNode
}): ReactNode {
  const t = useT()
  return (
    <div className="so-page">
      <header className="so-top">
        <b>
          {invitation?.company === undefined || invitation.company === '' ? t('sign.out.product') : invitation.company}
        </b>
        <span className="so-muted">{t('sign.out.title')}</span>
        <span className="so-end so-muted">
          <Shield16Regular />
          <span>{t('sign.out.recorded')}</span>
          {invitation !== undefined && <bdi>{invitation.name}</bdi>}
        </span>
      </header>
      {children}
      {invitation !== undefined && (
        <footer className="so-foot">
          {invitation.launcherMail === ''
            ? t('sign.out.by', { name: invitation.launcherName })
            : t('sign.out.byMail', { name: invitation.launcherName, mail: invitation.launcherMail })}
        </footer>
      )}
    </div>
  )
}

interface CardProps {
  readonly icon: ReactNode
  readonly look: 'info' | 'good' | 'warn'
  readonly title: string
  readonly children: ReactNode
}

function Card({ icon, look, title, children }: CardProps): ReactNode {
  return (
    <main className="so-room">
      <section className="so-card">
        <span className="so-icon" data-look={look} aria-hidden="true">
          {icon}
        </span>
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  )
}

function Note({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="so-note">
      <Info16Regular aria-hidden="true" />
      <span>{text}</span>
    </p>
  )
}

interface VerifyProps {
  readonly token: string
  readonly invitation: SignInvitation
  readonly onDone: () => Promise<void>
}

function Verify({ token, invitation, onDone }: VerifyProps): ReactNode {
  const t = useT()
  const [ticket, setTicket] = useState<string>()
  const [code, setCode] = useState('')
  const [wait, setWait] = useState(0)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (wait === 0) return undefined
    const timer = window.setTimeout(() => setWait(wait - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [wait])
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      const result = error instanceof SignRefused ? error.result : 0
      if (result === refusals.gone) await onDone()
      else if (result === refusals.wrongCode) setProblem(t('sign.out.wrongCode'))
      else if (result === refusals.tooOften) setProblem(t('sign.out.tooOften'))
      else setProblem(error instanceof SignRefused ? error.message : t('sign.out.failed'))
    }
    setBusy(false)
  }
  const send = (): Promise<void> =>
    attempt(async () => {
      const { codeTicket } = await sendCode(token)
      setTicket(codeTicket)
      setCode('')
      setWait(againS)
    })
  const open = (): Promise<void> =>
    attempt(async () => {
      await enter(token, { codeTicket: ticket ?? '', code: code.trim() })
      await onDone()
    })
  const { launcherName, company, signerCount, order, state } = invitation
  return (
    <Card icon={<Signature20Regular />} look="info" title={invitation.activityTitle}>
      <p className="so-muted">
        {state === 'now'
          ? t('sign.out.asked', { company, name: launcherName, count: signerCount, n: order })
          : t(state === 'archived' ? 'sign.out.archived' : 'sign.out.signed')}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (busy) return
          if (ticket === undefined) void send()
          else if (isCode.test(code)) void open()
        }}
      >
        {ticket === undefined ? (
          <p>{t('sign.out.willSend', { to: invitation.codeGoesTo })}</p>
        ) : (
          <div className="so-code">
            <TextField
              label={t('sign.out.sentTo', { to: invitation.codeGoesTo })}
              value={code}
              maxLength={8}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              onChange={({ target }) => setCode(target.value)}
            />
            <Button disabled={busy || wait > 0} onClick={() => void send()}>
              {wait > 0 ? t('sign.out.againIn', { s: wait }) : t('sign.out.again')}
            </Button>
          </div>
        )}
        {problem !== undefined && (
          <p className="so-problem" role="alert">
            {problem}
          </p>
        )}
        <Note text={t('sign.out.yours')} />
        <Button kind="primary" type="submit" disabled={busy || (ticket !== undefined && !isCode.test(code))}>
          {t(ticket === undefined ? 'sign.out.send' : 'sign.out.open')}
        </Button>
        {ticket !== undefined && <small className="so-muted">{t('sign.out.hint')}</small>}
      </form>
    </Card>
  )
}

/** Before their turn, and after an end without their signature. */
function Waiting({
  invitation,
  onAgain,
}: {
  readonly invitation: SignInvitation
  readonly onAgain: () => Promise<void>
}): ReactNode {
  const t = useT()
  const { state, activityTitle, launcherName } = invitation
  const words = state === 'later' ? 'later' : state === 'rejected' ? 'rejected' : 'over'
  return (
    <Card icon={<Clock20Regular />} look={state === 'later' ? 'info' : 'warn'} title={activityTitle}>
      <p>{t(`sign.out.state.${words}`, { name: launcherName })}</p>
      {state === 'later' && <Button onClick={() => void onAgain()}>{t('sign.out.look')}</Button>}
    </Card>
  )
}

function Done({ token, inside }: { readonly token: string; readonly inside: Inside }): ReactNode {
  const t = useT()
  return (
    <Card icon={<Checkmark20Regular />} look="good" title={t('sign.out.done')}>
      <p>
        {t(inside.state === 'archived' ? 'sign.out.done.archived' : 'sign.out.done.waiting', {
          title: inside.activityTitle,
        })}
      </p>
      {inside.deadline !== null && inside.state === 'signed' && (
        <p className="so-muted">{t('sign.out.deadline', { time: minuteTime(inside.deadline) })}</p>
      )}
      <a className="so-download" href={fileAddress(token, inside.revision)} download={`${inside.activityTitle}.pdf`}>
        {t('sign.out.download')}
      </a>
    </Card>
  )
}
