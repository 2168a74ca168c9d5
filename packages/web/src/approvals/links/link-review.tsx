// cloudoc-apply-link-detail ([R231]): what a link would give to whom, the way of the request, and the decision.
import type { LinkApplication } from '@cloudoc/contract'
import { fullTime, shortTime } from '@cloudoc/domain'
import { Checkmark16Filled, Dismiss16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PersonFace } from '../../people/index.ts'
import { refetch as refetchLinks } from '../../sharing/area.ts'
import { Comments } from '../authorization/apply.tsx'
import { refetchRequests, wayOf } from '../authorization/data.ts'
import { Notes, Timeline } from '../review/timeline.tsx'
import { applicationOf, givesWords } from './data.ts'
import '../review/approvals.css'

export interface LinkReviewProps {
  readonly reviewId: number
  /** What it leads to, where that is known: it stands in the title. */
  readonly name?: string
}

const tabs = ['audit', 'way'] as const

export function LinkReview(props: WindowProps<LinkReviewProps, boolean>): ReactNode {
  const t = useT()
  const request = useQuery(applicationOf(props.reviewId))
  const way = useQuery(wayOf(props.reviewId))
  if (request.error !== null) return <StatePage title={t('approvals.gone')} text={request.error.message} />
  if (request.data === undefined || way.data === undefined) return <Spinner label={t('approvals.loading')} />
  return <Open key={request.data.state} {...props} request={request.data} way={way.data} />
}

interface OpenProps extends WindowProps<LinkReviewProps, boolean> {
  readonly request: LinkApplication
  readonly way: Awaited<ReturnType<ReturnType<typeof wayOf>['queryFn']>>
}

function Open({ request, way, name, close, setDirty }: OpenProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [tab, setTab] = useState<(typeof tabs)[number]>('audit')
  const [comments, setComments] = useState('')
  const [busy, setBusy] = useState(false)
  const [now] = useState(Date.now)
  const { reviewId, state, handledBy, handleTime, answer } = request
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
      refetchLinks()
      setBusy(false)
    }
  }
  const who = isolated(request.userName)
  const approve = () => act(() => api.linkApprove({ reviewId, comments }), t('approvals.done.approved', { name: who }))
  const reject = () => act(() => api.linkReject({ reviewId, comments }), t('approvals.done.rejected', { name: who }))
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
      text: t('approvals.link.revoke.sure'),
      ok: t('approvals.revoke'),
      danger: true,
    })
    if (sure) await act(() => api.revokeReview({ reviewId }), t('approvals.link.revoked'))
  }
  const named = [...request.people.map(({ accountName }) => accountName), ...request.mails].join(t('links.and'))
  const facts: readonly (readonly [string, string])[] = [
    [t('links.may'), givesWords(t, request.rights)],
    [t('links.who'), named === '' ? t('links.who.anybody') : named],
    [t('links.password'), t(request.hasPassword ? 'links.hasPassword' : 'links.noPassword')],
    [t('links.time'), `${fullTime(request.startTime)} – ${fullTime(request.endTime)}`],
    [t('links.column.visits'), request.visitLimit === 0 ? t('links.unlimited') : String(request.visitLimit)],
    [t('links.column.downloads'), request.downloadLimit === 0 ? t('links.unlimited') : String(request.downloadLimit)],
    ...(request.note === '' ? [] : [[t('links.note'), request.note] as const]),
    [t('approvals.place'), request.fId === 0 ? t('approvals.unseen') : request.pathString.replaceAll('/', ' › ')],
  ]
  return (
    <>
      <div className="ap-review">
        {name === undefined && <h2 title={request.fName}>{request.fName}</h2>}
        <div className="ap-tabs" role="tablist" aria-label={t('approvals.link.title')}>
          {tabs.map((one) => (
            <button key={one} type="button" role="tab" aria-selected={tab === one} onClick={() => setTab(one)}>
              {t(`approvals.tab.${one}`)}
            </button>
          ))}
        </div>
        <div className="ap-body" role="tabpanel">
          {tab === 'way' ? (
            <>
              <Timeline way={way} now={now} then={t('approvals.link.then')} />
              <Notes way={way} now={now} />
            </>
          ) : (
            <>
              <div className="ap-who">
                <PersonFace id={request.userId} name={request.userName} size="large" />
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
              {way.may.decide && (
                <div className="ap-form">
                  <span>{t('approvals.answer')}</span>
                  <Comments
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
        </div>
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
              {t('approvals.link.approve')}
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

function Fact({ what, value }: { readonly what: string; readonly value: string }): ReactNode {
  return (
    <>
      <dt>{what}</dt>
      <dd>{value}</dd>
    </>
  )
}
