// The window of a request that is approved or refused exactly as made ([R231], [R284]): its subject, its history, and
// the decision.
import type { RequestFacts } from '@cloudoc/contract'
import { fullTime, shortTime } from '@cloudoc/domain'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkmark16Filled, Dismiss16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { CommentsField } from './comments-field.tsx'
import type { RevokeTexts } from './request-menu.tsx'
import { refetchRequests, timelineQuery } from './review-queries.ts'
import { ReviewHistory, Timeline } from './timeline.tsx'
import './approvals.css'

const tabs = ['audit', 'way'] as const

interface RequestWindowProps<R> extends Pick<WindowProps<object, boolean>, 'close' | 'setDirty'> {
  readonly reviewId: number
  readonly requestOf: (reviewId: number) => { queryKey: QueryKey; queryFn: () => Promise<R> }
  /** The heading, if the window title does not contain it. */
  readonly heading?: (request: R) => string
  readonly label: string
  /** The requested facts, as name and value. */
  readonly facts: (request: R) => readonly (readonly [string, string])[]
  /** What happens after the approval. */
  readonly then: string
  /** An additional field next to the reviewer's comment. */
  readonly choice?: ((request: R) => readonly [string, ReactNode]) | undefined
  readonly approve: (request: R, comments: string) => Promise<unknown>
  readonly approveText: (request: R) => string
  readonly reject: (request: R, comments: string) => Promise<unknown>
  readonly revoke: RevokeTexts
  /** Called after any action. */
  readonly onDone?: () => void
}

export function RequestWindow<R extends RequestFacts>(props: RequestWindowProps<R>): ReactNode {
  const t = useT()
  const request = useQuery(props.requestOf(props.reviewId))
  const way = useQuery(timelineQuery(props.reviewId))
  if (request.error !== null) return <StatePage title={t('approvals.gone')} text={request.error.message} />
  if (request.data === undefined || way.data === undefined) return <Spinner label={t('approvals.loading')} />
  return <Open key={request.data.state} {...props} request={request.data} way={way.data} />
}

interface OpenProps<R> extends RequestWindowProps<R> {
  readonly request: R
  readonly way: Awaited<ReturnType<ReturnType<typeof timelineQuery>['queryFn']>>
}

function Open<R extends RequestFacts>(props: OpenProps<R>): ReactNode {
  const { request, way, close, setDirty } = props
  const t = useT()
  const id = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]>('audit')
  const [comments, setComments] = useState('')
  const [busy, setBusy] = useState(false)
  const [now] = useState(Date.now)
  const { reviewId } = request
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    try {
      await work()
      setDirty(false)
      toast({ kind: 'success', text: done })
      close(true)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      refetchRequests()
      props.onDone?.()
      setBusy(false)
    }
  }
  const who = isolated(request.userName)
  const approve = () => act(() => props.approve(request, comments), t('approvals.done.approved', { name: who }))
  const reject = () => act(() => props.reject(request, comments), t('approvals.done.rejected', { name: who }))
  const withdraw = () => act(() => api.withdrawReview({ reviewId }), t('approvals.withdrawn'))
  const remind = () => act(() => api.remindReview({ reviewId }), t('approvals.done.reminded'))
  const handOn = async (): Promise<void> => {
    const title = t('approvals.handOn')
    const [to] = (await openWindow('people-pick', { title, ok: title, picked: [] })) ?? []
    if (to === undefined) return
    const done = t('approvals.done.handedOn', { name: isolated(to.accountName) })
    await act(() => api.handOnReview({ reviewId, userId: to.userId, comments }), done)
  }
  const revoke = async (): Promise<void> => {
    const sure = await confirmBox({
      title: t('approvals.revoke'),
      text: props.revoke.sure,
      ok: t('approvals.revoke'),
      danger: true,
    })
    if (sure) await act(() => api.revokeReview({ reviewId }), props.revoke.done)
  }
  const heading = props.heading?.(request)
  const choice = props.choice?.(request)
  return (
    <>
      <div className="ap-review">
        {heading !== undefined && <h2 title={heading}>{heading}</h2>}
        <Tabs
          id={id}
          className="ap-tabs"
          label={props.label}
          tabs={tabs.map((one) => ({ tab: one, text: t(`approvals.tab.${one}`) }))}
          chosen={tab}
          onChoose={setTab}
        />
        <TabPanel id={id} chosen={tab} className="ap-body">
          {tab === 'way' ? (
            <>
              <Timeline way={way} now={now} then={props.then} />
              <ReviewHistory way={way} now={now} />
            </>
          ) : (
            <>
              <Asked request={request} facts={props.facts(request)} now={now} />
              {way.may.decide && (
                <div className="ap-form">
                  {choice !== undefined && (
                    <>
                      <span>{choice[0]}</span>
                      {choice[1]}
                    </>
                  )}
                  <span>{t('approvals.answer')}</span>
                  <CommentsField
                    label={t('approvals.answer')}
                    rows={2}
                    value={comments}
                    onChange={(value) => {
                      setComments(value)
                      setDirty(true)
                    }}
                  />
                </div>
              )}
            </>
          )}
        </TabPanel>
      </div>
      <DialogFooter>
        <span className="ap-left">
          {way.may.decide && (
            <Button kind="ghost" disabled={busy} onClick={() => void handOn()}>
              {t('approvals.handOn')}…
            </Button>
          )}
        </span>
        {way.may.remind && (
          <Button disabled={busy} onClick={() => void remind()}>
            {t('approvals.remind')}
          </Button>
        )}
        {way.may.withdraw && (
          <Button disabled={busy} onClick={() => void withdraw()}>
            {t('approvals.withdraw')}
          </Button>
        )}
        {way.may.revoke && (
          <Button kind="danger" disabled={busy} onClick={() => void revoke()}>
            {t('approvals.revoke')}…
          </Button>
        )}
        {way.may.decide ? (
          <>
            <Button kind="danger" icon={<Dismiss16Regular />} disabled={busy} onClick={() => void reject()}>
              {t('approvals.reject')}
            </Button>
            <Button kind="primary" icon={<Checkmark16Filled />} disabled={busy} onClick={() => void approve()}>
              {props.approveText(request)}
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => close(false)}>
            {t('drive.close')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

interface AskedProps {
  readonly request: RequestFacts
  readonly facts: readonly (readonly [string, string])[]
  readonly now: number
}

/** Who has requested what, and what has been decided. */
function Asked({ request, facts, now }: AskedProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { state, handledBy, handleTime, answer } = request
  return (
    <>
      <div className="ap-who">
        <PersonAvatar id={request.userId} name={request.userName} size="large" />
        <div>
          <b>{request.userName}</b>
          <small>
            {request.groupName} · {t('approvals.askedAt', { time: shortTime(request.createTime, now, locale) })}
          </small>
          {request.comments !== '' && <q>{request.comments}</q>}
        </div>
      </div>
      {state !== 'pending' && (
        <div className="ap-decided" data-state={state}>
          <b>{t(`approvals.decided.${state}`, { name: isolated(handledBy?.accountName ?? '') })}</b>
          {handleTime !== null && <small>{fullTime(handleTime)}</small>}
          {answer !== '' && <q>{answer}</q>}
        </div>
      )}
      <dl className="ap-facts">
        {facts.map(([what, value]) => (
          <Fact key={what} what={what} value={value} />
        ))}
      </dl>
    </>
  )
}

function Fact({ what, value }: { readonly what: string; readonly value: string }): ReactNode {
  return (
    <>
      <dt>{what}</dt>
      <dd>{value}</dd>
    </>
  )
}
