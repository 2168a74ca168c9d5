// The mail verification for a link that is restricted to mail addresses: the visitor enters an address, receives a code
// there, and enters the code.
import { type ReactNode, useEffect, useState } from 'react'
import type { Labels, Language } from './labels.ts'
import { refusals, sendCode, VisitRefused } from './visitor-api.ts'

export interface MailCodeCredentials {
  readonly codeTicket: string
  readonly code: string
}

interface MailCodeProps {
  readonly say: Labels
  readonly language: Language
  /** Called with both values once they are entered, and with undefined while they are incomplete. */
  readonly onChange: (shown: MailCodeCredentials | undefined) => void
}

const looksLikeMail = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/
const isCode = /^\d{6}$/
/** The server sends at most one code per minute. */
const againS = 60

export function MailCode({ say, language, onChange }: MailCodeProps): ReactNode {
  const [mail, setMail] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<{ readonly to: string; readonly codeTicket: string }>()
  const [wait, setWait] = useState(0)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (wait === 0) return undefined
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  const send = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { codeTicket } = await sendCode(mail.trim(), language)
      setSent({ to: mail.trim(), codeTicket })
      setWait(againS)
      setCode('')
      onChange(undefined)
    } catch (error) {
      const result = error instanceof VisitRefused ? error.result : 0
      setProblem(
        result === refusals.tooOften
          ? say('sentLately')
          : result === refusals.mailNotSetUp
            ? say('noMail')
            : say('failed', { why: error instanceof Error ? error.message : '' }),
      )
    }
    setBusy(false)
  }
  const type = (typed: string): void => {
    setCode(typed)
    onChange(
      sent !== undefined && isCode.test(typed.trim()) ? { codeTicket: sent.codeTicket, code: typed.trim() } : undefined,
    )
  }
  return (
    <>
      <label>
        <span>{say('mail')}</span>
        <span className="vi-send">
          <input
            type="email"
            aria-label={say('mail')}
            value={mail}
            maxLength={254}
            autoComplete="email"
            spellCheck={false}
            onChange={({ target }) => setMail(target.value)}
          />
          <button
            type="button"
            disabled={busy || wait > 0 || !looksLikeMail.test(mail.trim())}
            onClick={() => void send()}
          >
            {wait > 0 ? say('sendAgainIn', { n: wait }) : say(sent === undefined ? 'sendCode' : 'sendAgain')}
          </button>
        </span>
        {sent === undefined && <small>{say('mailHint')}</small>}
      </label>
      {problem !== undefined && (
        <p className="vi-problem" role="alert">
          {problem}
        </p>
      )}
      {sent !== undefined && (
        <label>
          <span>{say('code')}</span>
          <input
            value={code}
            maxLength={6}
            aria-label={say('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            onChange={({ target }) => type(target.value)}
          />
          <small role="status">{say('codeSent', { mail: sent.to })}</small>
        </label>
      )}
    </>
  )
}
