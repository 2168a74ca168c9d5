// Parts of an urge that its window and the lists show: the item, the state, the progress of receivers, and messages.
import { type Urge, type UrgeDetail, type UrgeReceiver } from '@cloudoc/contract'
import { extNameOf, formatSize, minuteTime, NotifyType, shortTime, urgeLimits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import { Checkmark16Regular, Send16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { PersonAvatar } from '../../people/index.ts'
import { waitingTimeLabel } from '../review/timeline.tsx'
import { act, messagesOf, openUrged, receiversOf, typeKeys } from './urge-queries.ts'
import './urging.css'

type OfUrge = Pick<Urge, 'state' | 'isSender' | 'handleTime' | 'isHandedOn' | 'hasNew' | 'deadline' | 'lastMessage'>

/** The state of an urge for the user: what they have to do, or how far the others are. */
export function urgeState(t: Translate, urge: OfUrge): { readonly tone: ChipTone; readonly text: string } {
  const { state, isSender, handleTime, isHandedOn, hasNew } = urge
  if (isSender)
    return {
      tone: state === 'done' ? 'success' : state === 'open' ? 'info' : 'neutral',
      text: t(`urge.sender.${state}`),
    }
  if (handleTime !== null) return { tone: 'success', text: t('urge.is.handled') }
  if (isHandedOn) return { tone: 'neutral', text: t('urge.is.handedOn') }
  if (state !== 'open') return { tone: 'neutral', text: t('urge.is.ended') }
  return hasNew ? { tone: 'warning', text: t('urge.is.message') } : { tone: 'info', text: t('urge.is.waiting') }
}

export function UrgeChip({ urge }: { readonly urge: OfUrge }): ReactNode {
  const { tone, text } = urgeState(useT(), urge)
  return <StatusChip tone={tone}>{text}</StatusChip>
}

/** How long there is until the deadline, or how long it is over. */
export function dueText(t: Translate, deadline: number, now: number): string {
  return deadline > now
    ? t('urge.due.in', { time: waitingTimeLabel(t, now, deadline) })
    : t('urge.due.late', { time: waitingTimeLabel(t, deadline, now) })
}

export const isOpenFor = ({ state, isSender, handleTime, isHandedOn }: OfUrge): boolean =>
  state === 'open' && (isSender || (handleTime === null && !isHandedOn))

/** The deadline and what is asked for, in one line. */
export function UrgeFacts({ urge, now }: { readonly urge: UrgeDetail; readonly now: number }): ReactNode {
  const t = useT()
  const { deadline, notifyType, reminded, remindsLeft, isSender, state, nextReminder, deadlineWorkdays } = urge
  return (
    <p className="ur-facts">
      {deadline !== null && (
        <em data-late={isOpenFor(urge) || undefined}>
          {t('urge.due', { time: minuteTime(deadline) })}
          {deadlineWorkdays !== null && t('urge.comma') + t('urge.days', { n: deadlineWorkdays })}
          {isOpenFor(urge) && t('urge.comma') + dueText(t, deadline, now)}
        </em>
      )}
      <span>{t(typeKeys[notifyType])}</span>
      {nextReminder !== null && state === 'open' && <span>{t('urge.next', { time: minuteTime(nextReminder) })}</span>}
      <span>
        {t('urge.reminded', { n: reminded + 1 })}
        {isSender && state === 'open' && t('urge.left', { n: remindsLeft })}
      </span>
    </p>
  )
}

/** The item of an urge, with a button that opens it. */
export function UrgedItem({ urge }: { readonly urge: UrgeDetail }): ReactNode {
  const t = useT()
  const { fType, fId, fName, fileSize, pathString } = urge
  return (
    <div className="ur-item">
      {fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={extNameOf(fName)} size={22} />}
      <span title={[pathString, fName].filter(Boolean).join('/')}>{fName}</span>
      {fId === 0 ? (
        <small>{t('approvals.unseen')}</small>
      ) : (
        <>
          {fType === 1 && <small>{formatSize(fileSize)}</small>}
          <Button size="small" onClick={() => void openUrged(urge)}>
            {t('urge.openItem')}
          </Button>
        </>
      )}
    </div>
  )
}

export function ProgressBar({ done, all }: { readonly done: number; readonly all: number }): ReactNode {
  const t = useT()
  return (
    <span className="ur-progress">
      <progress value={done} max={Math.max(1, all)} aria-label={t('urge.progress')} />
      <span>
        {done} / {all}
      </span>
    </span>
  )
}

const shownFirst = 20

/** The receivers of an urge, those who are not done first. */
export function Receivers({ urge }: { readonly urge: UrgeDetail }): ReactNode {
  const t = useT()
  const [rows, setRows] = useState(shownFirst)
  const { data } = useQuery({ ...receiversOf(urge.notifyId, rows), placeholderData: (before) => before })
  return (
    <>
      <ul className="ur-people">
        {(data?.list ?? []).map((one) => (
          <Receiver key={one.userId} one={one} urge={urge} />
        ))}
      </ul>
      {data !== undefined && data.total > data.list.length && (
        <Button kind="link" onClick={() => setRows(urgeLimits.receivers)}>
          {t('urge.more', { n: data.total - data.list.length })}
        </Button>
      )}
    </>
  )
}

function Receiver({ one, urge }: { readonly one: UrgeReceiver; readonly urge: UrgeDetail }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const me = useSession().account.userId
  const [now] = useState(Date.now)
  const { userId, accountName, readTime, handleTime, comments, urged } = one
  const isWaiting = urge.state === 'open' && handleTime === null
  return (
    <li>
      <PersonAvatar id={userId} name={accountName} />
      <span title={[accountName, one.groupName].join(' · ')}>
        {userId === me ? t('urge.you') : accountName}
        {urged > 1 && isWaiting && <small>{t('urge.urged', { n: urged })}</small>}
        {comments !== '' && <q>{comments}</q>}
      </span>
      {handleTime !== null ? (
        <em data-tone="success">
          <Checkmark16Regular /> {shortTime(handleTime, now, locale)}
        </em>
      ) : userId === me && isWaiting ? (
        <em data-tone="info">{t('urge.waitsForYou')}</em>
      ) : readTime !== null ? (
        <em>{t('urge.read', { time: shortTime(readTime, now, locale) })}</em>
      ) : (
        <em data-tone={isWaiting ? 'warning' : undefined}>{t('urge.unread')}</em>
      )}
    </li>
  )
}

/** The messages on an urge, oldest first, and the field for the next one. */
export function Messages(props: {
  readonly notifyId: number
  readonly hint: string
  readonly draft: string
  readonly onDraft: (draft: string) => void
}): ReactNode {
  const { notifyId, hint, draft, onDraft } = props
  const t = useT()
  const locale = useLocale()
  const me = useSession().account.userId
  const [now] = useState(Date.now)
  const [busy, setBusy] = useState(false)
  const { data } = useQuery(messagesOf(notifyId))
  const send = async (): Promise<void> => {
    const message = draft.trim()
    if (busy || message === '') return
    setBusy(true)
    if (await act(() => api.addNotifyMessage({ notifyId, message }), '')) onDraft('')
    setBusy(false)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event)) return
    event.preventDefault()
    event.stopPropagation()
    void send()
  }
  return (
    <>
      <ol className="ur-messages" aria-label={t('urge.messages')}>
        {data?.list.length === 0 && <li className="ur-none">{t('urge.messages.none')}</li>}
        {data?.list.toReversed().map(({ messageId, userId, userName, message, createTime }) => (
          <li key={messageId} className={userId === me ? 'is-mine' : undefined}>
            <PersonAvatar id={userId} name={userName} />
            <div>
              <small>
                {userId === me ? t('urge.you') : userName} {shortTime(createTime, now, locale)}
              </small>
              <p>{message}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="ur-compose">
        <span className="k-input">
          <input
            aria-label={hint}
            placeholder={hint}
            maxLength={urgeLimits.text}
            value={draft}
            onChange={({ target }) => onDraft(target.value)}
            onKeyDown={onKeyDown}
          />
        </span>
        <Button icon={<Send16Regular />} disabled={busy || draft.trim() === ''} onClick={() => void send()}>
          {t('urge.write')}
        </Button>
      </div>
    </>
  )
}

/** What is said when a receiver is done: for feedback the message is a part of it. */
export const needsWords = ({ notifyType }: Pick<Urge, 'notifyType'>): boolean => notifyType === NotifyType.feedback
