// Controls for an outgoing server (mail, SMS) in addition to its settings: its secret, which is never shown again, and
// a test.
import type { SettingName } from '@cloudoc/contract'
import { type HTMLInputTypeAttribute, type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { useStore } from 'zustand'
import { CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { draftStore } from './setting-drafts.ts'

interface SecretRowProps {
  readonly isKept: boolean
  readonly words: { readonly name: string; readonly more: string; readonly saved: string; readonly cleared: string }
  /** Saves the secret. An empty value removes it. */
  readonly keep: (secret: string) => Promise<void>
}

export function SecretRow({ isKept, words, keep }: SecretRowProps): ReactNode {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (secret: string): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await keep(secret)
      setTyped('')
      toast({ kind: 'success', text: secret === '' ? words.cleared : words.saved })
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (typed !== '') void save(typed)
  }
  return (
    <form className="ad-set" onSubmit={submit}>
      <div className="ad-set-words" id={id}>
        <b>{words.name}</b>
        <p>{words.more}</p>
        <small>
          {t(isKept ? 'admin.mail.passwordKept' : 'admin.mail.passwordNone')}
          {isKept && (
            <Button kind="link" disabled={busy} onClick={() => void save('')}>
              {t('admin.mail.passwordClear')}
            </Button>
          )}
        </small>
        {problem !== undefined && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <span className="ad-set-bytes">
        <span className="k-input ad-mail-text">
          <input
            type="password"
            autoComplete="new-password"
            aria-label={words.name}
            aria-describedby={id}
            maxLength={500}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </span>
        <Button type="submit" disabled={busy || typed === ''}>
          {t(isKept ? 'admin.mail.passwordChange' : 'admin.mail.passwordSet')}
        </Button>
      </span>
    </form>
  )
}

interface TestRowProps {
  /** The test needs all of these saved, because the saved values are tested. */
  readonly settings: readonly SettingName[]
  readonly ready: boolean
  readonly own: string
  readonly type: HTMLInputTypeAttribute
  readonly isAddress: (to: string) => boolean
  readonly words: {
    readonly name: string
    readonly more: string
    readonly unsaved: string
    readonly notReady: string
    readonly to: string
    readonly sent: (to: string) => string
  }
  /** The state of earlier messages. */
  readonly standing: readonly string[]
  readonly send: (to: string) => Promise<unknown>
  readonly onTried: () => void
}

export function TestRow(props: TestRowProps): ReactNode {
  const { settings, ready, own, type, isAddress, words, standing } = props
  const t = useT()
  const id = useId()
  const unsaved = useStore(draftStore, ({ drafts }) => settings.some((name) => name in drafts))
  const [typed, setTyped] = useState(own)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly sent: boolean; readonly words: string }>()
  const blocked = unsaved ? words.unsaved : ready ? undefined : words.notReady
  const to = typed.trim()
  const usable = blocked === undefined && isAddress(to)
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || !usable) return
    setBusy(true)
    setOutcome(undefined)
    try {
      await props.send(to)
      setOutcome({ sent: true, words: words.sent(to) })
    } catch (error) {
      setOutcome({ sent: false, words: errorText(error) })
    } finally {
      setBusy(false)
      props.onTried()
    }
  }
  return (
    <form className="ad-set" onSubmit={(event) => void send(event)}>
      <div className="ad-set-words" id={id}>
        <b>{words.name}</b>
        <p>{blocked ?? words.more}</p>
        {standing.length > 0 && <small>{standing.join(' · ')}</small>}
        {outcome !== undefined && (
          <p className={outcome.sent ? 'ad-mail-sent' : 'k-problem'} role={outcome.sent ? 'status' : 'alert'}>
            {outcome.words}
          </p>
        )}
      </div>
      <span className="ad-set-bytes">
        <span className="k-input ad-mail-text">
          <input
            type={type}
            aria-label={words.to}
            aria-describedby={id}
            placeholder={words.to}
            maxLength={254}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </span>
        <Button type="submit" disabled={busy || !usable}>
          {t(busy ? 'admin.mail.sending' : 'admin.mail.send')}
        </Button>
      </span>
    </form>
  )
}

function errorText(error: unknown): string {
  if (error instanceof CallError) return error.message
  throw error
}
