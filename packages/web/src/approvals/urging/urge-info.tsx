// cloudoc-urge-info ([R271]): one urge with its item, its messages and its progress. A receiver answers and says that
// they are done; the sender urges again or ends it.
import type { UrgeDetail } from '@cloudoc/contract'
import { fullTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Alert16Regular, ArrowForward16Regular, Checkmark16Filled, Checkmark16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { Messages, needsWords, ProgressBar, Receivers, UrgeChip, UrgedItem, UrgeFacts } from './urge-parts.tsx'
import { confirmRead, detailOf, endUrge, handOn, markHandled, repeatUrge } from './urge-queries.ts'
import '../review/approvals.css'
import './urging.css'

export interface UrgeInfoProps {
  readonly notifyId: number
  /** Shown in the title. */
  readonly name?: string
}

export function UrgeInfo({ notifyId, close, setDirty }: WindowProps<UrgeInfoProps>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(detailOf(notifyId))
  const newest = data?.lastMessage?.createTime ?? 0
  const isLoaded = data !== undefined
  // Once it is shown, and again for each new message.
  useEffect(() => {
    if (isLoaded && newest >= 0) void confirmRead(notifyId)
  }, [isLoaded, newest, notifyId])
  if (error !== null) return <StatePage title={t('urge.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('approvals.loading')} />
  return <Shown urge={data} close={close} setDirty={setDirty} />
}

type ShownProps = Pick<WindowProps<object>, 'close' | 'setDirty'> & { readonly urge: UrgeDetail }

function Shown({ urge, close, setDirty }: ShownProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const [draft, setDraft] = useState('')
  const [busy, setBusy] = useState(false)
  const { isSender, userId, userName, message, createTime, may, receiverCount, handledCount, handleTime, state } = urge
  const rest = receiverCount - handledCount
  const write = (words: string): void => {
    setDraft(words)
    setDirty(words.trim() !== '')
  }
  const run = async (work: () => Promise<boolean>, closes: boolean): Promise<void> => {
    setBusy(true)
    const done = await work()
    setBusy(false)
    if (!done) return
    setDirty(false)
    setDraft('')
    if (closes) close()
  }
  return (
    <>
      <div className="ur-split">
        <div className="ur-main">
          <div className="ur-who">
            <PersonAvatar id={userId} name={userName} size="large" />
            <div>
              <b>{isSender ? t('urge.mine') : t('urge.byWhom', { name: isolated(userName) })}</b>
              <small>{shortTime(createTime, now, locale)}</small>
              <q>{message}</q>
            </div>
            <UrgeChip urge={urge} />
          </div>
          <UrgeFacts urge={urge} now={now} />
          <UrgedItem urge={urge} />
          <h3>
            {t('urge.messages')} <small>{t('urge.messages.who')}</small>
          </h3>
          <Messages
            notifyId={urge.notifyId}
            hint={t(may.handle && needsWords(urge) ? 'urge.reply.feedback' : 'urge.reply')}
            draft={draft}
            onDraft={write}
          />
        </div>
        <aside className="ur-side" aria-label={t('urge.progress')}>
          <h3>
            {t('urge.progress')} <ProgressBar done={handledCount} all={receiverCount} />
          </h3>
          <Receivers urge={urge} />
          <History urge={urge} now={now} />
        </aside>
      </div>
      <DialogFooter>
        <span className="ap-left">
          {may.end && (
            <Button kind="danger" disabled={busy} onClick={() => void run(() => endUrge(urge), true)}>
              {t('urge.end')}
            </Button>
          )}
          {may.handle && urge.fId !== 0 && (
            <Button
              kind="ghost"
              icon={<ArrowForward16Regular />}
              disabled={busy}
              onClick={() => void run(() => handOn(urge, draft), true)}
            >
              {t('urge.handOn')}…
            </Button>
          )}
          {handleTime !== null && (
            <span className="ur-foot">
              <Checkmark16Regular /> {t('urge.handledAt', { time: fullTime(handleTime).slice(0, 16) })}
            </span>
          )}
        </span>
        {may.remind && (
          <Button
            kind="primary"
            icon={<Alert16Regular />}
            disabled={busy || urge.remindsLeft === 0}
            title={urge.remindsLeft === 0 ? t('urge.remind.later') : undefined}
            onClick={() => void run(() => repeatUrge(urge), false)}
          >
            {t('urge.remind.n', { n: rest })}
          </Button>
        )}
        {may.handle && (
          <Button
            kind="primary"
            icon={<Checkmark16Filled />}
            disabled={busy}
            onClick={() => void run(() => markHandled(urge, draft), true)}
          >
            {t('urge.handle')}
          </Button>
        )}
        {!may.handle && !may.remind && (
          <Button kind="primary" onClick={() => close()}>
            {t(state === 'open' ? 'urge.ok' : 'drive.close')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

/** What happened to an urge. */
function History({ urge, now }: { readonly urge: UrgeDetail; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <details className="ur-history">
      <summary>{t('urge.history')}</summary>
      <ol>
        {urge.timeline.map(({ at, what, by, to, comments }, n) => (
          <li key={`${at} ${n}`}>
            <span>
              {t(`urge.what.${what}`, {
                name: isolated(by?.accountName ?? ''),
                to: isolated(to?.accountName ?? ''),
              })}
            </span>
            <time>{shortTime(at, now, locale)}</time>
            {comments !== '' && <q>{comments}</q>}
          </li>
        ))}
      </ol>
    </details>
  )
}
