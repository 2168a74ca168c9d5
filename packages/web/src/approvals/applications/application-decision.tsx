// The decision on an application, and all other actions of its window.
import type { OperationApplicationDetail } from '@cloudoc/contract'
import { ApplyType } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { ArrowForward16Regular, Checkmark16Filled, Dismiss16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { refetch as refetchLinks } from '../../sharing/area.ts'
import { refetchRequests } from '../review/review-queries.ts'
import { timesLabel, tryChange } from './application-queries.ts'

/** What a reviewer gives. */
export interface Decision {
  readonly comment: string
  readonly rejected: ReadonlySet<number>
  readonly days: number
  readonly count: number
}

/** Approval as asked, as far as earlier reviewers permit. */
export const firstDecision = ({ items, validDays, count }: OperationApplicationDetail): Decision => ({
  ...{ comment: '', days: validDays, count },
  rejected: new Set(items.filter(({ result }) => result === 'rejected').map(({ itemId }) => itemId)),
})

export function refetchApplications(): void {
  refetchRequests()
  refetchLinks()
}

interface DecisionFieldsProps {
  readonly detail: OperationApplicationDetail
  readonly decision: Decision
  readonly onChange: (change: Partial<Decision>) => void
}

/** For how long and how often: at most as asked. */
export function DecisionFields({ detail, decision, onChange }: DecisionFieldsProps): ReactNode {
  const t = useT()
  const { validDays, count } = detail
  const days = [...new Set([1, 3, 7, 30, validDays])].filter((n) => n <= validDays).toSorted((a, b) => a - b)
  const counts = [...new Set([1, 3, 10, count])].filter((n) => count === 0 || (n > 0 && n <= count))
  return (
    <div className="al-give">
      <span>{t('applications.give')}</span>
      <Select
        label={t('applications.howLong')}
        size="small"
        value={decision.days}
        options={days.map((value) => ({ value, label: t('applications.days', { n: value }) }))}
        onChange={(one) => onChange({ days: one })}
      />
      <span>{t('applications.each')}</span>
      <Select
        label={t('applications.howOften')}
        size="small"
        value={decision.count}
        options={counts
          .toSorted((a, b) => (a || Infinity) - (b || Infinity))
          .map((value) => ({
            value,
            label: timesLabel(value),
          }))}
        onChange={(one) => onChange({ count: one })}
      />
      <small>
        {t('applications.askedFor', {
          days: t('applications.days', { n: detail.applied.validDays }),
          times: timesLabel(detail.applied.count),
        })}
      </small>
    </div>
  )
}

interface ApplicationButtonsProps {
  readonly detail: OperationApplicationDetail
  readonly decision: Decision
  /** Called when the user rejects, before the comment is checked. */
  readonly onRejecting: () => void
  readonly onDone: () => void
  readonly close: (result?: boolean) => void
}

export function ApplicationButtons(props: ApplicationButtonsProps): ReactNode {
  const { detail, decision, onRejecting, onDone, close } = props
  const t = useT()
  const me = useSession().account.userId
  const [busy, setBusy] = useState(false)
  const { applicationId, items, may, userName } = detail
  const isLink = detail.operateType === ApplyType.external
  const isMine = detail.userId === me
  const rejected = decision.rejected.size
  const approved = items.length - rejected
  const who = isolated(userName)
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    const isDone = await tryChange(work, done, refetchApplications)
    setBusy(false)
    if (!isDone) return
    onDone()
    close(true)
  }
  const reject = async (): Promise<void> => {
    onRejecting()
    if (decision.comment.trim() === '') return
    await act(
      () => api.applyReject({ applicationId, comment: decision.comment }),
      t('approvals.done.rejected', { name: who }),
    )
  }
  const approve = async (): Promise<void> => {
    if (approved === 0 && !isLink) return reject()
    if (rejected > 0 && decision.comment.trim() === '') return onRejecting()
    const results = items.map(({ fType, itemId }) => ({ fType, id: itemId, approve: !decision.rejected.has(itemId) }))
    const terms = isLink ? {} : { results, validDays: decision.days, count: decision.count }
    await act(
      () => api.applyApprove({ applicationId, comment: decision.comment, ...terms }),
      t('approvals.done.approved', { name: who }),
    )
  }
  const handOn = async (): Promise<void> => {
    const title = t('approvals.handOn')
    const [to] = (await openWindow('people-pick', { title, ok: title, picked: [] })) ?? []
    if (to === undefined) return
    await act(
      () => api.handOnReview({ reviewId: applicationId, userId: to.userId, comments: decision.comment }),
      t('approvals.done.handedOn', { name: isolated(to.accountName) }),
    )
  }
  const end = async (): Promise<void> => {
    const title = t(isMine ? 'applications.giveBack' : 'applications.revoke')
    const text = t(
      isMine ? 'applications.giveBack.sure' : isLink ? 'applications.revoke.sureLink' : 'applications.revoke.sure',
    )
    const sure = await confirmBox({ title, text, ok: title, danger: true })
    if (sure) await act(() => api.applyRevoke({ applicationId }), t('applications.revoked'))
  }
  const remove = async (): Promise<void> => {
    const title = t('applications.delete')
    const sure = await confirmBox({ title, text: t('applications.delete.sure'), ok: title, danger: true })
    if (sure) await act(() => api.applyDelete({ applicationIdArray: [applicationId] }), t('applications.deleted'))
  }
  const remind = () =>
    api.remindReview({ reviewId: applicationId }, { texts: { duplicateOperation: t('approvals.remind.soon') } })
  return (
    <DialogFooter>
      <span className="ap-left">
        {may.decide && (
          <Button kind="ghost" icon={<ArrowForward16Regular />} disabled={busy} onClick={() => void handOn()}>
            {t('approvals.handOn')}…
          </Button>
        )}
        {may.remove && (
          <Button kind="ghost" disabled={busy} onClick={() => void remove()}>
            {t('applications.delete')}
          </Button>
        )}
      </span>
      {may.remind && (
        <Button disabled={busy} onClick={() => void act(remind, t('approvals.done.reminded'))}>
          {t('approvals.remind')}
        </Button>
      )}
      {may.withdraw && (
        <Button
          disabled={busy}
          onClick={() => void act(() => api.applyRevoke({ applicationId }), t('applications.withdrawn'))}
        >
          {t('approvals.withdraw')}
        </Button>
      )}
      {may.revoke && (
        <Button kind="danger" disabled={busy} onClick={() => void end()}>
          {t(isMine ? 'applications.giveBack' : 'applications.revoke')}…
        </Button>
      )}
      {may.decide ? (
        <>
          <Button kind="danger" icon={<Dismiss16Regular />} disabled={busy} onClick={() => void reject()}>
            {t('applications.reject')}
          </Button>
          <Button
            kind="primary"
            icon={<Checkmark16Filled />}
            disabled={busy || (approved === 0 && !isLink)}
            onClick={() => void approve()}
          >
            {isLink
              ? t('applications.approve.link')
              : rejected === 0
                ? t('applications.approve', { n: approved })
                : t('applications.approve.part', { n: approved, m: rejected })}
          </Button>
        </>
      ) : (
        <Button kind="primary" onClick={() => close(false)}>
          {t('drive.close')}
        </Button>
      )}
    </DialogFooter>
  )
}
