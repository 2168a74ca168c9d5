// file-exchange-detail ([R259], [R077]): an exchange with its road, its files and what has happened. The sender withdraws
// or sends again, a reviewer decides, the receiver picks up.
import type { ExchangeFile, FileExchangeDetail } from '@cloudoc/contract'
import { codeMessage, codeOf, extNameOf, formatSize, minuteTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CommentsField } from '../approvals/index.ts'
import { api, CallError } from '../core/call/api.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { isolated } from '../core/i18n/isolate.ts'
import { toast } from '../core/toast/toast.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { StatusChip } from '../kit/chips.tsx'
import { DialogFooter } from '../kit/dialog.tsx'
import { Checkmark16Filled, Dismiss16Regular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { PersonAvatar } from '../people/index.ts'
import { pickUp, stateOf, tryChange } from './exchange-common.ts'
import { ExchangeFiles, Road } from './exchange-parts.tsx'
import { detailQuery } from './exchange-queries.ts'
import type { DetailProps } from './window-props.ts'
import './exchange.css'

export function ExchangeDetail(props: WindowProps<DetailProps, boolean>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(detailQuery(props))
  if (error !== null) return <StatePage title={t('exchange.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('exchange.loading')} />
  return <Loaded {...props} detail={data} />
}

interface LoadedProps extends WindowProps<DetailProps, boolean> {
  readonly detail: FileExchangeDetail
}

function Loaded({ detail, close, setDirty }: LoadedProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const [comment, setComment] = useState('')
  const [isRejecting, setIsRejecting] = useState(false)
  const { text, tone } = stateOf(detail)
  return (
    <>
      <div className="ex-detail">
        <header className="ex-who">
          <PersonAvatar id={0} name={detail.name} size="large" />
          <div>
            <b>{detail.name}</b>
            <small>
              {t('exchange.asked.group', {
                group: detail.groupName,
                number: detail.number,
                time: shortTime(detail.createTime, now, locale),
              })}
            </small>
            {detail.applyComment !== '' && <q>{detail.applyComment}</q>}
          </div>
          <StatusChip tone={tone}>{text}</StatusChip>
        </header>
        <Banner detail={detail} />
        <Road detail={detail} />
        <Facts detail={detail} />
        <h3>
          {t('exchange.files')}
          <small>{t('exchange.files.sum', { n: detail.fileCount, size: formatSize(detail.fileSize) })}</small>
        </h3>
        <ExchangeFiles files={detail.files} />
        {detail.applyId > 0 && !detail.may.decide && <AskForNewer files={detail.files} />}
        {detail.may.decide ? (
          <>
            <CommentsField
              label={t('exchange.comment.reviewer')}
              rows={2}
              showsLabel
              value={comment}
              onChange={(value) => {
                setComment(value)
                setDirty(value !== '')
              }}
            />
            {isRejecting && comment.trim() === '' && (
              <p role="alert" className="ex-problem">
                {t('exchange.comment.needed')}
              </p>
            )}
          </>
        ) : (
          <History detail={detail} />
        )}
      </div>
      <Buttons
        detail={detail}
        comment={comment}
        onReject={() => setIsRejecting(true)}
        onDone={() => setDirty(false)}
        close={close}
      />
    </>
  )
}

/** What was asked for stays as it was: a new version is asked for by itself. */
function AskForNewer({ files }: { readonly files: readonly ExchangeFile[] }): ReactNode {
  const t = useT()
  const items = files
    .filter(({ fId, version, newVersion }) => fId > 0 && newVersion > version)
    .map(({ fId, fName, fileSize, secretLevel, secretName }) => ({
      ...{ fId, fType: 1 as const, fName, extName: extNameOf(fName), fileSize, secretLevel, secretName },
    }))
  if (items.length === 0) return null
  return (
    <p className="ex-newer">
      {t('exchange.newer.more')}
      <Button size="small" onClick={() => void openWindow('file-exchange-send', { items })}>
        {t('exchange.newer', { n: items.length })}
      </Button>
    </p>
  )
}

/** What matters most now: until when to decide, why it was refused, why it could not be delivered. */
function Banner({ detail }: { readonly detail: FileExchangeDetail }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { may, handleBefore, remindStatus, answer, handledBy, delivery, problem, expireTime, networkName } = detail
  const code = codeOf(problem)
  if (may.decide && handleBefore !== null)
    return <p className="ex-banner">{t('exchange.banner.until', { time: minuteTime(handleBefore) })}</p>
  if (remindStatus === 3)
    return (
      <p className="ex-banner" data-tone="bad">
        {t('exchange.banner.rejected', { name: isolated(handledBy) })} {answer}
      </p>
    )
  if (delivery === 'failed')
    return (
      <p className="ex-banner" data-tone="bad">
        {t('exchange.banner.failed', {
          network: networkName,
          why: code === undefined ? '' : codeMessage(code, locale),
        })}
      </p>
    )
  if (may.pickUp)
    return (
      <p className="ex-banner" data-tone="good">
        {t(detail.requirePwd ? 'exchange.banner.ready.password' : 'exchange.banner.ready', {
          time: expireTime === null ? '' : minuteTime(expireTime),
        })}
      </p>
    )
  if (delivery === 'waiting' && detail.transport === 'bundle')
    return <p className="ex-banner">{t('exchange.banner.bundle')}</p>
  return null
}

function Facts({ detail }: { readonly detail: FileExchangeDetail }): ReactNode {
  const t = useT()
  const isReceived = detail.approveId > 0
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t(isReceived ? 'exchange.fact.from' : 'exchange.fact.to'), detail.networkName],
    ...(isReceived ? [] : [[t('exchange.column.receivers'), detail.receivers.join(t('exchange.comma'))] as const]),
    [t('exchange.fact.rule'), detail.ruleName],
    ...(detail.secretName === '' ? [] : [[t('exchange.fact.level'), detail.secretName] as const]),
    [
      t('exchange.fact.password'),
      detail.may.showPwd ? (
        <Password key="password" applyId={detail.applyId} />
      ) : (
        t(detail.requirePwd ? (isReceived ? 'exchange.password.needed' : 'exchange.password.hidden') : 'exchange.none')
      ),
    ],
  ]
  return (
    <dl className="ex-facts">
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The password, which only its sender can show. */
function Password({ applyId }: { readonly applyId: number }): ReactNode {
  const t = useT()
  const [pwd, setPwd] = useState<string>()
  const show = async (): Promise<void> => {
    try {
      setPwd((await api.getExchangePwd({ applyId })).pwd)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    }
  }
  return pwd === undefined ? (
    <>
      ••••{' '}
      <button type="button" className="ex-link" onClick={() => void show()}>
        {t('exchange.password.show')}
      </button>
    </>
  ) : (
    <code>{pwd}</code>
  )
}

function History({ detail }: { readonly detail: FileExchangeDetail }): ReactNode {
  const t = useT()
  return (
    <section className="ex-history" aria-label={t('exchange.history')}>
      <h3>{t('exchange.history')}</h3>
      <ul>
        {detail.timeline.toReversed().map(({ at, what, by, comments }) => (
          <li key={`${at} ${what} ${by}`}>
            <time>{minuteTime(at)}</time>
            <span>{t(`exchange.did.${what}`, { name: isolated(by) })}</span>
            {comments !== '' && what !== 'delivered' && <q>{comments}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ButtonsProps {
  readonly detail: FileExchangeDetail
  readonly comment: string
  readonly onReject: () => void
  readonly onDone: () => void
  readonly close: (result?: boolean) => void
}

function Buttons({ detail, comment, onReject, onDone, close }: ButtonsProps): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const { applyId, approveId, may, name } = detail
  const run = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    setBusy(true)
    const isDone = await tryChange(work, done)
    setBusy(false)
    return isDone
  }
  const decide = async (status: 'approved' | 'rejected'): Promise<void> => {
    if (status === 'rejected' && comment.trim() === '') return onReject()
    const done = t(`exchange.done.${status}`, { name: isolated(name) })
    if (!(await run(() => api.setExchangeNodeStatus({ applyId, status, comment }), done))) return
    onDone()
    close(true)
  }
  const cancel = async (): Promise<void> => {
    const sure = await confirmBox({ text: t('exchange.cancel.ask'), ok: t('exchange.cancel'), danger: true })
    if (sure) await run(() => api.cancelExchange({ applyId }), t('exchange.done.cancelled'))
  }
  const remove = async (): Promise<void> => {
    const ids = approveId > 0 ? { approveIdArray: [approveId] } : { applyIdArray: [applyId] }
    if (await run(() => api.deleteExchangeRecord(ids), t('exchange.done.removed'))) close(true)
  }
  return (
    <DialogFooter>
      <span className="ex-left">
        {may.cancel && !may.decide && (
          <Button kind="danger" disabled={busy} onClick={() => void cancel()}>
            {t('exchange.cancel')}
          </Button>
        )}
        {may.remove && (
          <Button kind="ghost" disabled={busy} onClick={() => void remove()}>
            {t('exchange.remove')}
          </Button>
        )}
      </span>
      {may.decide ? (
        <>
          <Button kind="danger" icon={<Dismiss16Regular />} disabled={busy} onClick={() => void decide('rejected')}>
            {t('exchange.reject')}
          </Button>
          <Button kind="primary" icon={<Checkmark16Filled />} disabled={busy} onClick={() => void decide('approved')}>
            {t('exchange.approve')}
          </Button>
        </>
      ) : (
        <Button onClick={() => close()}>{t('exchange.close')}</Button>
      )}
      {may.remind && (
        <Button
          disabled={busy}
          onClick={() => void run(() => api.remindReview({ reviewId: applyId }), t('exchange.done.reminded'))}
        >
          {t('exchange.remind')}
        </Button>
      )}
      {may.resend && (
        <Button
          kind="primary"
          disabled={busy}
          onClick={() => void run(() => api.resendExchange({ applyId }), t('exchange.done.resent'))}
        >
          {t('exchange.resend')}
        </Button>
      )}
      {may.pickUp && (
        <Button
          kind="primary"
          disabled={busy}
          onClick={() =>
            void run(() => pickUp(approveId, name), '').then((isDone) => {
              if (isDone) close(true)
            })
          }
        >
          {t(detail.requirePwd ? 'exchange.pickUp.password' : 'exchange.pickUp')}
        </Button>
      )}
    </DialogFooter>
  )
}
