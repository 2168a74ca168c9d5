// The window in which a mail is written. The draft is saved on the server while one writes.
import type { MailPerson, OutgoingMail } from '@cloudoc/contract'
import { formatSize, minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { t as said, useT } from '../core/i18n/i18n.ts'
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
import { copyOf, dropCopy, keepCopy, type Written } from './draft-copies.ts'
import type { InsertLink } from './editor.tsx'
import { boxesQuery, refetchMail, uploadAttachment } from './mail-queries.ts'
import { Receivers } from './receivers.tsx'
import './mail.css'

const MailEditor = lazy(() => import('./editor.tsx').then((module) => ({ default: module.MailEditor })))

export interface ComposeProps {
  readonly outgoingId: number
}

const saveAfterMs = 1500

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
  // What was written on this version and did not reach the server is gone on with.
  const [left] = useState(() => copyOf(draft.outgoingId))
  const isBehind = left?.version === draft.version
  const [written, setWritten] = useState<Written>(isBehind ? left.written : draft)
  const [attachments, setAttachments] = useState(draft.attachments)
  const [saved, setSaved] = useState<{ state: 'saved' | 'saving' | 'unsaved' | 'conflict'; at: number }>({
    state: isBehind ? 'unsaved' : 'saved',
    at: draft.modifyTime,
  })
  const [more, setMore] = useState({ cc: written.cc.length > 0, bcc: written.bcc.length > 0 })
  const [isSending, setSending] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const insertLink = useRef<InsertLink>(undefined)
  /** The version that the server has, and what is not saved yet. All saves and attachments go one after another. */
  const server = useRef({ version: draft.version, queue: Promise.resolve(), pending: isBehind })
  const latest = useRef(written)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { outgoingId } = draft

  /** Runs a change of the draft after those before it. */
  const inOrder = <T,>(work: () => Promise<T>): Promise<T> => {
    const next = server.current.queue.then(work)
    server.current.queue = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }
  const keep = (): void => keepCopy(outgoingId, { version: server.current.version, written: latest.current })
  const save = (): Promise<boolean> =>
    inOrder(async () => {
      if (!server.current.pending) return true
      server.current.pending = false
      setSaved(({ at }) => ({ state: 'saving', at }))
      const { boxId, fromAddress, to, cc, bcc, subject, html, text } = latest.current
      try {
        const made = await api.saveMailDraft({
          ...{ outgoingId, version: server.current.version, boxId, fromAddress },
          ...{ to, cc, bcc, subject, html, text },
        })
        server.current.version = made.version
        if (server.current.pending) keep()
        else dropCopy(outgoingId)
        setSaved({ state: server.current.pending ? 'unsaved' : 'saved', at: made.modifyTime })
        return true
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        server.current.pending = true
        setSaved(({ at }) => ({ state: error.code === 'fileConflict' ? 'conflict' : 'unsaved', at }))
        return false
      }
    })
  const change = (part: Partial<Written>): void => {
    latest.current = { ...latest.current, ...part }
    setWritten(latest.current)
    server.current.pending = true
    keep()
    setSaved(({ state, at }) => (state === 'conflict' ? { state, at } : { state: 'unsaved', at }))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), saveAfterMs)
  }
  const saveAtEnd = useEffectEvent(() => {
    clearTimeout(timer.current)
    void save().then(refetchMail)
  })
  useEffect(() => () => saveAtEnd(), [])
  /** Takes what this browser had kept in place of what the server has. */
  const [shownHtml, showHtml] = useState({ n: 0, html: written.html })
  const restore = (kept: Written): void => {
    showHtml(({ n }) => ({ n: n + 1, html: kept.html }))
    change(kept)
  }
  const goOn = useEffectEvent((): void => {
    if (isBehind) timer.current = setTimeout(() => void save(), saveAfterMs)
    // Another version was saved since: both are there, and the person chooses.
    else if (left !== undefined)
      toast({
        text: said('email.compose.left'),
        kind: 'warning',
        durationMs: 30_000,
        action: { text: said('email.compose.left.take'), run: () => restore(left.written) },
      })
  })
  useEffect(() => goOn(), [])

  const attached = (made: Pick<OutgoingMail, 'version' | 'attachments'>): void => {
    server.current.version = made.version
    if (server.current.pending) keep()
    setAttachments(made.attachments)
  }
  const attachLocal = (files: readonly File[]): void => {
    for (const file of files)
      void inOrder(async () => {
        const made = await uploadAttachment(outgoingId, file)
        if (made !== undefined) attached(made)
      })
  }
  const attachFromDrive = async (): Promise<void> => {
    const items = await openWindow('drive-item-pick', {
      ...{ title: said('email.compose.drive'), hint: said('email.compose.drive.hint'), what: 'files', multiple: true },
    })
    if (items === undefined || items.length === 0) return
    await inOrder(async () => {
      try {
        attached(await api.of(mainServer).attachFilesToMail({ outgoingId, fileIdArray: items.map(({ fId }) => fId) }))
      } catch (error) {
        // The refusal has been shown.
        if (!(error instanceof CallError)) throw error
      }
    })
  }
  /** A link to a file of the drive, made in its window, so that its rights and its end are what the company allows. */
  const linkFromDrive = async (): Promise<void> => {
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
    insertLink.current?.(item.fName, publicAddress(`/s/${link.linkToken}`))
    if (link.password !== '') toast({ text: said('email.compose.driveLink.password'), kind: 'warning' })
  }
  const detach = (attachmentId: number): void =>
    void inOrder(async () => attached(await api.detachFromMail({ outgoingId, attachmentId })))

  const send = async (sendTime?: number): Promise<void> => {
    const { to, cc, bcc, subject } = latest.current
    if (to.length + cc.length + bcc.length === 0)
      return toast({ text: said('email.compose.noReceiver'), kind: 'warning' })
    if (
      subject.trim() === '' &&
      !(await confirmBox({ text: said('email.compose.noSubject.ask'), ok: said('email.compose.send') }))
    )
      return
    setSending(true)
    clearTimeout(timer.current)
    const isSaved = await save()
    try {
      if (!isSaved) return
      const { undoUntil } = await api.sendMail({
        ...{ outgoingId, version: server.current.version },
        ...(sendTime === undefined ? {} : { sendTime }),
      })
      server.current.pending = false
      dropCopy(outgoingId)
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
    const morning = (days: number): number => {
      const day = new Date()
      day.setDate(day.getDate() + days)
      return day.setHours(9, 0, 0, 0)
    }
    const { left, top } = at.getBoundingClientRect()
    void showMenu(
      [
        { id: 'hour', label: t('email.compose.later.hour'), run: () => void send(Date.now() + 3_600_000) },
        { id: 'tomorrow', label: t('email.compose.later.tomorrow'), run: () => void send(morning(1)) },
        {
          id: 'monday',
          label: t('email.compose.later.monday'),
          run: () => void send(morning((8 - new Date().getDay()) % 7 || 7)),
        },
      ],
      { x: left, y: top - 110 },
    )
  }
  const discard = async (): Promise<void> => {
    if (!(await confirmBox({ text: said('email.compose.discard.ask'), ok: said('email.delete'), danger: true }))) return
    clearTimeout(timer.current)
    server.current.pending = false
    await inOrder(() => api.discardMail({ outgoingId }))
    dropCopy(outgoingId)
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
            attachLocal([...event.dataTransfer.files])
          }}
        >
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
                change({ boxId: Number(boxId), fromAddress })
              }}
            />
          </div>
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
          {attachments.length > 0 && (
            <ul className="em-attached">
              {attachments.map(({ attachmentId, name, size }) => (
                <li key={attachmentId}>
                  <span title={name}>{name}</span>
                  <small>{formatSize(size, 1)}</small>
                  <IconButton
                    size="small"
                    label={t('email.compose.detach', { name })}
                    icon={<Dismiss16Regular />}
                    onClick={() => detach(attachmentId)}
                  />
                </li>
              ))}
            </ul>
          )}
          <Suspense fallback={<Spinner />}>
            <MailEditor
              key={shownHtml.n}
              html={shownHtml.html}
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
        <IconButton
          label={t('email.compose.attach')}
          icon={<Attach20Regular />}
          onClick={() => picker.current?.click()}
        />
        <IconButton
          label={t('email.compose.drive')}
          icon={<CloudAdd20Regular />}
          onClick={() => void attachFromDrive()}
        />
        <IconButton
          label={t('email.compose.driveLink')}
          icon={<CloudLink20Regular />}
          onClick={() => void linkFromDrive()}
        />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            attachLocal([...(target.files ?? [])])
            target.value = ''
          }}
        />
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
