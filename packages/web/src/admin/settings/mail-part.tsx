// What belongs to outgoing mail beside its settings: the password, which nobody is told again, and a test.
import { MailAddress, type SettingName } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { useStore } from 'zustand'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { draftStore } from './drafts.ts'

const statusKey = ['admin', 'mail'] as const
const loadStatus = () => api.getMailStatus({})
const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: statusKey })

/** Stands below the settings of outgoing mail. */
export function MailPart(): ReactNode {
  const { data } = useQuery({ queryKey: statusKey, queryFn: loadStatus })
  if (data === undefined) return undefined
  return (
    <>
      <PasswordRow hasPassword={data.hasPassword} />
      <TestRow key={data.own} {...data} />
    </>
  )
}

function PasswordRow({ hasPassword }: { readonly hasPassword: boolean }): ReactNode {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (password: string): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await api.setMailPassword({ password })
      setTyped('')
      await refetch()
      toast({ kind: 'success', text: t(password === '' ? 'admin.mail.passwordCleared' : 'admin.mail.passwordSaved') })
    } catch (error) {
      setProblem(wordsOf(error))
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
        <b>{t('admin.mail.password')}</b>
        <p>{t('admin.mail.passwordMore')}</p>
        <small>
          {t(hasPassword ? 'admin.mail.passwordKept' : 'admin.mail.passwordNone')}
          {hasPassword && (
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
            aria-label={t('admin.mail.password')}
            aria-describedby={id}
            maxLength={500}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </span>
        <Button type="submit" disabled={busy || typed === ''}>
          {t(hasPassword ? 'admin.mail.passwordChange' : 'admin.mail.passwordSet')}
        </Button>
      </span>
    </form>
  )
}

const mailSettings: readonly SettingName[] = ['mail_host', 'mail_port', 'mail_security', 'mail_account', 'mail_sender']

type Status = Awaited<ReturnType<typeof loadStatus>>

function TestRow({ ready, own, waiting, failed, latest }: Status): ReactNode {
  const t = useT()
  const id = useId()
  const unsaved = useStore(draftStore, ({ drafts }) => mailSettings.some((name) => name in drafts))
  const [to, setTo] = useState(own)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly sent: boolean; readonly words: string }>()
  const blocked = unsaved ? t('admin.mail.testUnsaved') : ready ? undefined : t('admin.mail.testNotReady')
  const usable = blocked === undefined && MailAddress.safeParse(to.trim()).success
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || !usable) return
    setBusy(true)
    setOutcome(undefined)
    try {
      await api.sendTestMail({ to: to.trim() })
      setOutcome({ sent: true, words: t('admin.mail.sent', { to: to.trim() }) })
    } catch (error) {
      setOutcome({ sent: false, words: wordsOf(error) })
    } finally {
      setBusy(false)
      void refetch()
    }
  }
  const counts = [
    ...(waiting > 0 ? [t('admin.mail.waiting', { n: waiting })] : []),
    ...(failed > 0 ? [t('admin.mail.failed', { n: failed })] : []),
    ...(latest === null ? [] : [t('admin.mail.latest', { why: latest.why })]),
  ]
  return (
    <form className="ad-set" onSubmit={(event) => void send(event)}>
      <div className="ad-set-words" id={id}>
        <b>{t('admin.mail.test')}</b>
        <p>{blocked ?? t('admin.mail.testMore')}</p>
        {counts.length > 0 && <small>{counts.join(' · ')}</small>}
        {outcome !== undefined && (
          <p className={outcome.sent ? 'ad-mail-sent' : 'k-problem'} role={outcome.sent ? 'status' : 'alert'}>
            {outcome.words}
          </p>
        )}
      </div>
      <span className="ad-set-bytes">
        <span className="k-input ad-mail-text">
          <input
            type="email"
            aria-label={t('admin.mail.testTo')}
            aria-describedby={id}
            placeholder={t('admin.mail.testTo')}
            maxLength={254}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </span>
        <Button type="submit" disabled={busy || !usable}>
          {t(busy ? 'admin.mail.sending' : 'admin.mail.send')}
        </Button>
      </span>
    </form>
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof CallError) return error.message
  throw error
}
