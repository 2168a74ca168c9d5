// cloudoc-authorization-review ([R219]): the requested permissions, the request history, and the decision.
import type { Authorization } from '@cloudoc/contract'
import { fullTime, lowestRights, minuteTime, Right, rights, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkmark16Filled, Clock16Regular, Dismiss16Regular, Open16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar, type PickedPerson } from '../../people/index.ts'
import { CommentsField } from '../review/comments-field.tsx'
import { refetchRequests, timelineQuery } from '../review/review-queries.ts'
import { ReviewHistory, Timeline } from '../review/timeline.tsx'
import { openItem, requestOf } from './authorization-queries.ts'
import { ExpiryField } from './expiry-field.tsx'
import { RightsChoice } from './rights-choice.tsx'
import { rightNames, rightsLabel } from './rights-labels.ts'
import '../review/approvals.css'

export interface AuthorizationReviewProps {
  readonly authorizationId: number
  /** The item's name for the title, if known. */
  readonly name?: string
}

const tabs = ['audit', 'way'] as const

export function AuthorizationReview(props: WindowProps<AuthorizationReviewProps, boolean>): ReactNode {
  const t = useT()
  const request = useQuery(requestOf(props.authorizationId))
  const way = useQuery(timelineQuery(props.authorizationId))
  if (request.error !== null) return <StatePage title={t('approvals.gone')} text={request.error.message} />
  if (request.data === undefined || way.data === undefined) return <Spinner label={t('approvals.loading')} />
  return <Open key={request.data.state} {...props} request={request.data} way={way.data} />
}

interface OpenProps extends WindowProps<AuthorizationReviewProps, boolean> {
  readonly request: Authorization
  readonly way: Awaited<ReturnType<ReturnType<typeof timelineQuery>['queryFn']>>
}

interface ActsOf extends Pick<OpenProps, 'request' | 'close' | 'setDirty'> {
  readonly comments: string
}

/** What can be done with a request, and whether something is being done. */
function useReviewActs({ request, comments, close, setDirty }: ActsOf) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const { authorizationId } = request
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    try {
      await work()
      setDirty(false)
      refetchRequests()
      toast({ kind: 'success', text: done })
      close(true)
    } catch (failure) {
      // Another reviewer decided first: their decision is shown.
      refetchRequests()
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      setBusy(false)
    }
  }
  const pick = async (title: string): Promise<PickedPerson | undefined> => {
    const picked = await openWindow('people-pick', { title, ok: title, picked: [], secretLevel: request.secretLevel })
    return picked?.[0]
  }
  const handOn = async (): Promise<void> => {
    const to = await pick(t('approvals.handOn'))
    if (to === undefined) return
    await act(
      () => api.handOnReview({ reviewId: authorizationId, userId: to.userId, comments }),
      t('approvals.done.handedOn', { name: isolated(to.accountName) }),
    )
  }
  /** Adds another reviewer. The request stays open for the current one. */
  const add = async (): Promise<void> => {
    const to = await pick(t('approvals.add'))
    if (to === undefined) return
    setBusy(true)
    try {
      await api.addReviewer({ reviewId: authorizationId, userId: to.userId, comments })
      toast({ kind: 'success', text: t('approvals.done.added', { name: isolated(to.accountName) }) })
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      refetchRequests()
      setBusy(false)
    }
  }
  const revoke = async (): Promise<void> => {
    const sure = await confirmBox({
      title: t('approvals.revoke'),
      text: t('approvals.revoke.sure', { name: isolated(request.userName) }),
      ok: t('approvals.revoke'),
      danger: true,
    })
    if (sure) await act(() => api.revokeReview({ reviewId: authorizationId }), t('approvals.done.revoked'))
  }
  const withdraw = (): Promise<void> =>
    act(() => api.withdrawReview({ reviewId: authorizationId }), t('approvals.withdrawn'))
  const remind = (): Promise<void> =>
    act(
      () =>
        api.remindReview({ reviewId: authorizationId }, { texts: { duplicateOperation: t('approvals.remind.soon') } }),
      t('approvals.done.reminded'),
    )
  return { busy, act, handOn, add, revoke, withdraw, remind }
}

interface AskedProps {
  readonly request: Authorization
  readonly mayDecide: boolean
  readonly now: number
}

/** Who has requested what, by when an answer is wanted, and what has been decided. */
function Asked({ request, mayDecide, now }: AskedProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <>
      <div className="ap-who">
        <PersonAvatar id={request.userId} name={request.userName} size="large" />
        <div>
          <b>{request.userName}</b>
          <small>
            {request.groupName} · {t('approvals.askedAt', { time: shortTime(request.createTime, now, locale) })}
            <Has request={request} />
          </small>
          {request.comments !== '' && <q>{request.comments}</q>}
        </div>
      </div>
      {mayDecide && request.handleBefore !== null && (
        <p className="ap-hoped">
          <Clock16Regular />
          {t(request.handleBefore > now ? 'approvals.hoped' : 'approvals.late', {
            time: minuteTime(request.handleBefore),
          })}
        </p>
      )}
      {request.state !== 'pending' && <Decided request={request} />}
      <dl className="ap-facts">
        <dt>{t('approvals.apply.what')}</dt>
        <dd>
          <b>{rightsLabel(t, request.right)}</b> {rightNames(t, request.right).join(t('drive.rights.and'))}
        </dd>
        <dt>{t('approvals.apply.until')}</dt>
        <dd>{request.deadline === null ? t('approvals.forGood') : fullTime(request.deadline)}</dd>
        <dt>{t('approvals.place')}</dt>
        <dd>{request.fId === 0 ? t('approvals.unseen') : request.pathString.replaceAll('/', ' › ')}</dd>
      </dl>
    </>
  )
}

function Open({ request, way, name, close, setDirty }: OpenProps): ReactNode {
  const t = useT()
  const id = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]>('audit')
  const [right, setRight] = useState(request.right)
  const [deadline, setDeadline] = useState(request.deadline)
  const [comments, setComments] = useState('')
  const [now] = useState(Date.now)
  const { authorizationId } = request
  const { busy, act, handOn, add, revoke, withdraw, remind } = useReviewActs({ request, comments, close, setDirty })
  const approve = (): Promise<void> =>
    act(
      () => api.authorizationApprove({ authorizationId, right, deadline, comments }),
      t('approvals.done.approved', { name: isolated(request.userName) }),
    )
  const reject = (): Promise<void> =>
    act(
      () => api.authorizationReject({ authorizationId, comments }),
      t('approvals.done.rejected', { name: isolated(request.userName) }),
    )
  return (
    <>
      <div className="ap-review">
        {name === undefined && <h2 title={request.fName}>{request.fName}</h2>}
        <Tabs
          id={id}
          className="ap-tabs"
          label={t('approvals.review.title')}
          tabs={tabs.map((one) => ({ tab: one, text: t(`approvals.tab.${one}`) }))}
          chosen={tab}
          onChoose={setTab}
        />
        <TabPanel id={id} chosen={tab} className="ap-body">
          {tab === 'way' ? (
            <>
              <Timeline way={way} now={now} then={t('approvals.then')} />
              <ReviewHistory way={way} now={now} />
            </>
          ) : (
            <>
              <Asked request={request} mayDecide={way.may.decide} now={now} />
              {way.may.decide && (
                <div className="ap-form">
                  <span>{t('approvals.give')}</span>
                  <RightsChoice
                    label={t('approvals.give')}
                    value={right}
                    asked={request.right}
                    onChange={(one) => {
                      setRight(one)
                      setDirty(true)
                    }}
                  />
                  <span>{t('approvals.apply.until')}</span>
                  <ExpiryField label={t('approvals.apply.until')} value={deadline} onChange={setDeadline} />
                  <span>{t('approvals.answer')}</span>
                  <CommentsField label={t('approvals.answer')} rows={2} value={comments} onChange={setComments} />
                </div>
              )}
            </>
          )}
        </TabPanel>
      </div>
      <DialogFooter>
        <span className="ap-left">
          {way.may.decide && (
            <>
              <Button kind="ghost" disabled={busy} onClick={() => void handOn()}>
                {t('approvals.handOn')}…
              </Button>
              <Button kind="ghost" disabled={busy} onClick={() => void add()}>
                {t('approvals.add')}…
              </Button>
            </>
          )}
          {request.fId > 0 && (
            <Button
              kind="ghost"
              icon={<Open16Regular />}
              onClick={() => {
                close(false)
                openItem(request)
              }}
            >
              {t(request.fType === 2 ? 'approvals.openFolder' : 'approvals.open')}
            </Button>
          )}
        </span>
        {way.may.remind && (
          <Button disabled={busy} onClick={() => void remind()}>
            {t('approvals.remind')}
          </Button>
        )}
        {way.may.withdraw && (
          <Button kind="danger" disabled={busy} onClick={() => void withdraw()}>
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
            <Button
              kind="primary"
              icon={<Checkmark16Filled />}
              disabled={busy || (right & ~Right.display) === 0}
              onClick={() => void approve()}
            >
              {t('approvals.approve', { n: rightNames(t, right).length })}
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

/** The requester's current permissions and the reasons for them, if the reviewer may see them. */
function Has({ request }: { readonly request: Authorization }): ReactNode {
  const t = useT()
  const { fId, fType, fName, userId, state } = request
  const has = useQuery({
    queryKey: ['approvals', 'has', fType, fId, userId, state],
    queryFn: () =>
      api
        .of(mainServer)
        .getRightsReasons({ ...(fType === 2 ? { folderId: fId } : { fileId: fId }), userId }, { quiet: true }),
    enabled: fId !== 0,
    retry: false,
  })
  if (has.data === undefined) return null
  return (
    <>
      {' · '}
      {t('approvals.has', { rights: rightsLabel(t, has.data.rights) || t('drive.rights.none') })}{' '}
      <Button
        kind="link"
        size="small"
        onClick={() => void openWindow('drive-why', { item: { ...mainServer, fId, fType, fName }, userId })}
      >
        {t('approvals.hasWhy')}
      </Button>
    </>
  )
}

/** The decision already made, shown instead of the decision form: a request is decided only once (-67). */
function Decided({ request }: { readonly request: Authorization }): ReactNode {
  const t = useT()
  const { state, handledBy, handleTime, given, answer } = request
  const less = given === null ? [] : rightNames(t, request.right & ~lowestRights([rights(given.right)]))
  return (
    <div className="ap-decided" data-state={state}>
      <b>{t(`approvals.decided.${state}`, { name: isolated(handledBy?.accountName ?? '') })}</b>
      {handleTime !== null && <small>{fullTime(handleTime)}</small>}
      {given !== null && (
        <p>
          {t('approvals.given', { rights: rightNames(t, given.right).join(t('drive.rights.and')) })}
          {given.deadline !== null && ` · ${t('approvals.givenUntil', { time: fullTime(given.deadline) })}`}
          {less.length > 0 && ` · ${t('approvals.less', { rights: less.join(t('drive.rights.and')) })}`}
        </p>
      )}
      {answer !== '' && <q>{answer}</q>}
    </div>
  )
}
