// Binding an Outlook mailbox ([R290], [R351]): the way to Microsoft, the page that it leads back to, and what of such a
// mailbox can be set here.
import type { Mailbox } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../core/call/api.ts'
import { t as said, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Checkbox, TextField } from '../kit/fields.tsx'
import { PlugConnected20Regular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { boxesQuery, refetchMail } from './mail-queries.ts'
import './mail.css'

/** Goes to the sign-in page of Microsoft. A refusal has been shown. */
export async function bindOutlook(boxId?: number): Promise<void> {
  try {
    location.assign((await api.startOutlookBinding(boxId === undefined ? {} : { boxId })).address)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

/** Leads to the binding, where an administrator has set it up. */
export function OutlookButton({ boxId, kind }: { readonly boxId?: number; readonly kind?: 'primary' }): ReactNode {
  const t = useT()
  const { data } = useQuery(boxesQuery)
  if (data?.canBindOutlook !== true) return null
  return (
    <Button {...(kind && { kind })} icon={<PlugConnected20Regular />} onClick={() => void bindOutlook(boxId)}>
      {t(boxId === undefined ? 'email.outlook.bind' : 'email.outlook.again')}
    </Button>
  )
}

/** The page that Microsoft leads back to. What it has appended to the address works once. */
export function OutlookReturn(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useState(() => location.search)
  const [problem, setProblem] = useState<string>()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    api.finishOutlookBinding({ query }, { quiet: true }).then(
      ({ account }) => {
        toast({ kind: 'success', text: said('email.outlook.done', { account }) })
        refetchMail()
        void navigate('/doc/folder/email', { replace: true })
      },
      (error: unknown) => setProblem(error instanceof CallError ? error.message : String(error)),
    )
  })
  if (problem === undefined) return <Spinner label={t('email.outlook.finishing')} />
  return (
    <StatePage title={t('email.outlook.failed')} text={problem}>
      <OutlookButton kind="primary" />
      <Button onClick={() => void navigate('/doc/folder/email', { replace: true })}>{t('email.outlook.back')}</Button>
    </StatePage>
  )
}

interface OutlookBoxProps {
  readonly box: Mailbox
  readonly remove: () => void
  readonly close: () => void
}

/** The settings of a bound mailbox: its servers and its sign-in are those of Outlook. */
export function OutlookBox({ box, remove, close }: OutlookBoxProps): ReactNode {
  const t = useT()
  const [senderName, setSenderName] = useState(box.senderName)
  const [fetch, setFetch] = useState(box.fetch)
  const [isDefault, setDefault] = useState(box.isDefault)
  const [busy, setBusy] = useState(false)
  const { boxId, account, mailProtocol, imapAddress } = box
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const { aliases } = box
      await api.updateMailbox({ boxId, account, mailProtocol, imapAddress, senderName, aliases, fetch, isDefault })
      refetchMail()
      toast({ text: said('email.box.saved'), kind: 'success' })
      close()
    } catch (error) {
      // The refusal has been shown.
      if (!(error instanceof CallError)) throw error
      setBusy(false)
    }
  }
  return (
    <div className="em-box">
      <DialogBody>
        <div className="em-form">
          <p className="em-note">{t('email.outlook.what', { account })}</p>
          {box.problem !== '' && (
            <p className="k-problem" role="alert">
              {box.problem}
            </p>
          )}
          <div>
            <OutlookButton boxId={boxId} />
          </div>
          <TextField
            label={t('email.box.name')}
            value={senderName}
            maxLength={100}
            onChange={({ target }) => setSenderName(target.value)}
          />
          <Checkbox label={t('email.box.fetch')} checked={fetch} onChange={({ target }) => setFetch(target.checked)} />
          <Checkbox
            label={t('email.box.default')}
            checked={isDefault}
            disabled={box.isDefault}
            onChange={({ target }) => setDefault(target.checked)}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button kind="ghost" disabled={busy} onClick={remove}>
          {t('email.box.delete')}
        </Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('email.box.save')}
        </Button>
      </DialogFooter>
    </div>
  )
}
