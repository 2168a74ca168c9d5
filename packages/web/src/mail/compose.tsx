// The window in which a mail is written. The draft is saved on the server while one writes.
import type { Mailbox, MailPerson, OutgoingMail } from '@cloudoc/contract'
import { formatSize, minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { api, CallError } from '../core/call/api.ts'
import { t as said, type Translate, useT } from '../core/i18n/i18n.ts'
import { showMenu } from '../core/menu/menu.ts'
import { toast } from '../core/toast/toast.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../core/windows/index.ts'
import { publicAddress } from '../items/item/public-address.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import {
  Attach20Regular,
  Clock20Regular,
  CloudAdd20Regular,
  CloudLink20Regular,
  Delete20Regular,
  Dismiss16Regular,
  Send20Regular,
} from '../kit/icons.ts'
import { Select } from '../kit/select.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import type { Written } from './draft-copies.ts'
import type { InsertLink } from './editor.tsx'
import { boxesQuery, refetchMail } from './mail-queries.ts'
import { Receivers } from './receivers.tsx'
import { attachFromDrive, attachLocal, detach, type OpenDraft, useDraft } from './use-draft.ts'
import './mail.css'

const MailEditor = lazy(() => import('./editor.tsx').then((module) => ({ default: module.MailEditor })))

export interface ComposeProps {
  readonly outgoingId: number
}

export function Compose({ outgoingId, close }: WindowProps<ComposeProps>): ReactNode {
  const draft = useQuery({
    queryKey: ['draft', outgoingId],
    queryFn: () => api.getOutgoingMail({ outgoingId }, { quiet: true }),
    gcTime: 0,
    staleTime: Infinity,
  })
  if (draft.error !== null)
    return (
      <DialogBody>
        <StatePage title={draft.error.message} />
      </DialogBody>
    )
  if (draft.data === undefined) return <Spinner />
  return <Draft draft={draft.data} close={close} />
}

interface DraftProps {
  readonly draft: OutgoingMail
  readonly close: () => void
}

function Draft({ draft, close }: DraftProps): ReactNode {
  const t = useT()
  const boxes = useQuery(boxesQuery).data?.list ?? []
  const compose = useDraft(draft)
  const { outgoingId, written, attachments, saved, change } = compose
  const [more, setMore] = useState({ cc: written.cc.length > 0, bcc: written.bcc.length > 0 })
  const [isSending, setSending] = useState(false)
  const insertLink = useRef<InsertLink>(undefined)

  const send = async (sendTime?: number): Promise<void> => {
    const { to, cc, bcc, subject } = compose.now()
    if (to.length + cc.length + bcc.length === 0)
      return toast({ text: said('email.compose.noReceiver'), kind: 'warning' })
    if (
      subject.trim() === '' &&
      !(await confirmBox({ text: said('email.compose.noSubject.ask'), ok: said('email.compose.send') }))
    )
      return
    setSending(true)
    compose.holdSaving()
    const isSaved = await compose.save()
    try {
      if (!isSaved) return
      const { undoUntil } = await api.sendMail({
        ...{ outgoingId, version: compose.version() },
        ...(sendTime === undefined ? {} : { sendTime }),
      })
      compose.settle()
      refetchMail()
      close()
      toast({
        text: sendTime === undefined ? said('email.sent') : said('email.sent.later', { time: minuteTime(undoUntil) }),
        durationMs: 10_000,
        action: { text: said('email.takeBack'), run: () => void takeBack(outgoingId) },
      })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
    } finally {
      setSending(false)
    }
  }
  const later = (at: HTMLElement): void => {
    const { left, top } = at.getBoundingClientRect()
    void showMenu(
      laterChoices(t, (time) => void send(time)),
      { x: left, y: top - 110 },
    )
  }
  const discard = async (): Promise<void> => {
    if (!(await confirmBox({ text: said('email.compose.discard.ask'), ok: said('email.delete'), danger: true }))) return
    await compose.discard()
    refetchMail()
    close()
  }
  const total = attachments.reduce((sum, { size }) => sum + size, 0)
  const people = (field: 'to' | 'cc' | 'bcc') => (some: MailPerson[]) => change({ [field]: some })
  return (
    <>
      <DialogBody>
        <div
          className="em-compose"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            attachLocal(compose, [...event.dataTransfer.files])
          }}
        >
          <FromField written={written} boxes={boxes} onChange={change} />
          <Receivers
            label={t('email.to')}
            people={written.to}
            onChange={people('to')}
            autoFocus={draft.to.length === 0}
            after={
              <>
                {!more.cc && (
                  <Button kind="link" onClick={() => setMore({ ...more, cc: true })}>
                    {t('email.cc')}
                  </Button>
                )}
                {!more.bcc && (
                  <Button kind="link" onClick={() => setMore({ ...more, bcc: true })}>
                    {t('email.bcc')}
                  </Button>
                )}
              </>
            }
          />
          {more.cc && <Receivers label={t('email.cc')} people={written.cc} onChange={people('cc')} />}
          {more.bcc && <Receivers label={t('email.bcc')} people={written.bcc} onChange={people('bcc')} />}
          <div className="em-receivers">
            <label htmlFor="em-subject">{t('email.subject')}</label>
            <input
              id="em-subject"
              className="em-subject"
              value={written.subject}
              maxLength={500}
              onChange={({ target }) => change({ subject: target.value })}
            />
          </div>
          <Attached compose={compose} />
          <Suspense fallback={<Spinner />}>
            <MailEditor
              key={compose.shownHtml.n}
              html={compose.shownHtml.html}
              disabled={isSending}
              onChange={(html, text) => change({ html, text })}
              onReady={(insert) => {
                insertLink.current = insert
              }}
            />
          </Suspense>
        </div>
      </DialogBody>
      <DialogFooter>
        <AttachTools compose={compose} insertLink={(...link) => insertLink.current?.(...link)} />
        <span className="em-saved" role="status">
          {saved.state === 'saved'
            ? t('email.compose.saved', { time: minuteTime(saved.at).slice(11) })
            : t(`email.compose.${saved.state}`)}
          {total > 0 && ` · ${formatSize(total, 1)} / 20 MB`}
        </span>
        <IconButton label={t('email.compose.discard')} icon={<Delete20Regular />} onClick={() => void discard()} />
        <Button icon={<Clock20Regular />} disabled={isSending} onClick={({ currentTarget }) => later(currentTarget)}>
          {t('email.compose.later')}
        </Button>
        <Button kind="primary" icon={<Send20Regular />} disabled={isSending} onClick={() => void send()}>
          {t('email.compose.send')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** When a mail can be sent later. */
function laterChoices(t: Translate, send: (time: number) => void): Parameters<typeof showMenu>[0] {
  const morning = (days: number): number => {
    const day = new Date()
    day.setDate(day.getDate() + days)
    return day.setHours(9, 0, 0, 0)
  }
  return [
    { id: 'hour', label: t('email.compose.later.hour'), run: () => send(Date.now() + 3_600_000) },
    { id: 'tomorrow', label: t('email.compose.later.tomorrow'), run: () => send(morning(1)) },
    {
      id: 'monday',
      label: t('email.compose.later.monday'),
      run: () => send(morning((8 - new Date().getDay()) % 7 || 7)),
    },
  ]
}

interface FromFieldProps {
  readonly written: Written
  readonly boxes: readonly Mailbox[]
  readonly onChange: (part: Partial<Written>) => void
}

/** The mailbox and address that the mail is sent from. */
function FromField({ written, boxes, onChange }: FromFieldProps): ReactNode {
  const t = useT()
  return (
    <div className="em-receivers">
      <span className="em-label" aria-hidden="true">
        {t('email.from')}
      </span>
      <Select
        label={t('email.from')}
        value={`${written.boxId} ${written.fromAddress}`}
        options={boxes
          .filter(({ smtpAddress, boxId }) => smtpAddress !== '' || boxId === written.boxId)
          .flatMap(({ boxId, account, aliases, senderName }) =>
            ['', ...aliases].map((alias) => ({
              value: `${boxId} ${alias}`,
              label: [senderName, alias || account].filter(Boolean).join(' '),
            })),
          )}
        onChange={(chosen) => {
          const [boxId, fromAddress = ''] = chosen.split(' ')
          onChange({ boxId: Number(boxId), fromAddress })
        }}
      />
    </div>
  )
}

function Attached({ compose }: { readonly compose: OpenDraft }): ReactNode {
  const t = useT()
  if (compose.attachments.length === 0) return null
  return (
    <ul className="em-attached">
      {compose.attachments.map(({ attachmentId, name, size }) => (
        <li key={attachmentId}>
          <span title={name}>{name}</span>
          <small>{formatSize(size, 1)}</small>
          <IconButton
            size="small"
            label={t('email.compose.detach', { name })}
            icon={<Dismiss16Regular />}
            onClick={() => detach(compose, attachmentId)}
          />
        </li>
      ))}
    </ul>
  )
}

interface AttachToolsProps {
  readonly compose: OpenDraft
  readonly insertLink: InsertLink
}

/** The ways to attach something, and to link to it. */
function AttachTools({ compose, insertLink }: AttachToolsProps): ReactNode {
  const t = useT()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t('email.compose.attach')}
        icon={<Attach20Regular />}
        onClick={() => picker.current?.click()}
      />
      <IconButton
        label={t('email.compose.drive')}
        icon={<CloudAdd20Regular />}
        onClick={() => void attachFromDrive(compose)}
      />
      <IconButton
        label={t('email.compose.driveLink')}
        icon={<CloudLink20Regular />}
        onClick={() => void linkFromDrive(insertLink)}
      />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          attachLocal(compose, [...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

/** A link to a file of the drive, made in its window, so that its rights and its end are what the company allows. */
async function linkFromDrive(insertLink: InsertLink): Promise<void> {
  const [item] =
    (await openWindow('drive-item-pick', {
      ...{
        title: said('email.compose.driveLink'),
        hint: said('email.compose.driveLink.hint'),
        what: 'both' as const,
      },
      multiple: false,
    })) ?? []
  if (item === undefined) return
  const link = await openWindow('cloudoc-link-create', { item })
  if (link === undefined) return
  insertLink(item.fName, publicAddress(`/s/${link.linkToken}`))
  if (link.password !== '') toast({ text: said('email.compose.driveLink.password'), kind: 'warning' })
}

/** Takes a mail back within the undo time and opens it again. */
async function takeBack(outgoingId: number): Promise<void> {
  try {
    await api.takeMailBack({ outgoingId }, { quiet: true })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return toast({ text: said('email.sent.tooLate'), kind: 'warning' })
  }
  refetchMail()
  toast({ text: said('email.sent.back') })
  await openWindow('email-compose', { outgoingId })
}
