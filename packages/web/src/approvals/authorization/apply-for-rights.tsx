// cloudoc-authorization-apply ([R076]): the requested permissions, the expiry, the reason, and the reviewers.
import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { CheckmarkCircle24Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { useDelayed } from '../../kit/use-delayed.ts'
import { InitialsAvatar } from '../../people/index.ts'
import { CommentsField } from '../review/comments-field.tsx'
import { refetchRequests } from '../review/review-queries.ts'
import { Step } from '../review/timeline.tsx'
import { ExpiryField, inDays } from './expiry-field.tsx'
import { firstChoice, RightsChoice } from './rights-choice.tsx'
import { rightNames, rightsLabel } from './rights-labels.ts'
import '../review/approvals.css'

type Wanted = Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>

export interface ApplyForRightsProps {
  readonly item: Wanted
  /** More items to request the same permissions for, each by its own request. */
  readonly others?: readonly Wanted[]
  /** The default request. */
  readonly right?: number
}

const hourMs = 60 * 60_000
const hopes = [0, 4, 24, 72] as const

interface Form {
  readonly right: number | undefined
  readonly deadline: number | null
  /** Hours within which an answer is wanted; 0: not specified. */
  readonly hope: number
  readonly comments: string
}

const none: readonly Wanted[] = []
const namedOf = ({ fType, fId }: Wanted) => (fType === 2 ? { folderId: fId } : { fileId: fId })

/**
 * The reviewers of any of the items, the caller's permissions on all of them, and whether all are already requested.
 */
async function reviewersOf(items: readonly Wanted[]) {
  const each = await Promise.all(
    items.map((one) => api.of(one).getAuthorizationReviewers(namedOf(one), { quiet: true })),
  )
  const list = new Map(each.flatMap((one) => one.list).map((one) => [one.userId, one]))
  const pending = each.map(({ pendingId }) => pendingId).filter((id) => id !== null)
  return {
    list: [...list.values()],
    right: each.reduce((mask, { right }) => mask & right, ~0),
    pathString: each[0]?.pathString ?? '',
    pendingId: pending.length === each.length ? (pending[0] ?? null) : null,
  }
}

interface FieldsProps {
  readonly form: Form
  readonly right: number
  /** The rights that the person has. */
  readonly has: number
  readonly onChange: (change: Partial<Form>) => void
}

/** What is requested, until when, how soon, and why. */
function Fields({ form, right, has, onChange }: FieldsProps): ReactNode {
  const t = useT()
  return (
    <div className="ap-form">
      <span>{t('approvals.apply.what')}</span>
      <RightsChoice
        label={t('approvals.apply.what')}
        value={right}
        has={has}
        onChange={(one) => onChange({ right: one })}
      />
      <span>{t('approvals.apply.until')}</span>
      <ExpiryField
        label={t('approvals.apply.until')}
        value={form.deadline}
        onChange={(deadline) => onChange({ deadline })}
      />
      <span>{t('approvals.apply.hope')}</span>
      <div className="ap-hope">
        <Select
          label={t('approvals.apply.hope')}
          value={form.hope}
          options={hopes.map((hours) => ({ value: hours, label: t(`approvals.hope.${hours}`) }))}
          onChange={(hope) => onChange({ hope })}
        />
        <small>{form.hope > 0 && t('approvals.apply.reminds')}</small>
      </div>
      <span>{t('approvals.apply.why')}</span>
      <CommentsField
        label={t('approvals.apply.why')}
        value={form.comments}
        onChange={(comments) => onChange({ comments })}
      />
    </div>
  )
}

interface ReviewersProps {
  readonly list: Awaited<ReturnType<typeof reviewersOf>>['list']
  readonly isSlow: boolean
  readonly isSent: boolean
}

/** Who decides, and the way of the request. */
function Reviewers({ list, isSlow, isSent }: ReviewersProps): ReactNode {
  const t = useT()
  return (
    <aside className="ap-side">
      <h3>{t('approvals.apply.who')}</h3>
      <ul className="ap-people">
        {isSlow && (
          <li className="is-waiting" aria-hidden="true">
            <i />
            <i />
          </li>
        )}
        {list.map(({ userId, accountName, why, standIn }) => (
          <li key={userId}>
            <InitialsAvatar id={userId} name={accountName} />
            <span>
              {accountName}
              <small>
                {t(`approvals.why.${why}`)}
                {standIn && t('approvals.way.standIn', { name: isolated(standIn.accountName) })}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {list.length > 1 && <p>{t('approvals.apply.any')}</p>}
      <ol className="ap-way">
        <Step look={isSent ? 'done' : 'now'} title={t('approvals.apply.send')} />
        <Step look={isSent ? 'now' : 'next'} title={t('approvals.apply.decide')} />
        <Step look="next" title={t('approvals.then')}>
          <small>{t('approvals.thenEnds')}</small>
        </Step>
      </ol>
    </aside>
  )
}

/** The window. Returns the created request ([R217]). */
export function ApplyForRights(props: WindowProps<ApplyForRightsProps, { authorizationId: number }>): ReactNode {
  const { item, others = none, right: wanted, close, setDirty } = props
  const t = useT()
  const locale = useLocale()
  const items = [item, ...others]
  const { data, error } = useQuery({
    queryKey: ['approvals', 'reviewers', ...items.map(({ fType, fId }) => `${fType}:${fId}`)],
    queryFn: () => reviewersOf(items),
    staleTime: 0,
  })
  const [form, setForm] = useState<Form>({ right: wanted, deadline: inDays(30), hope: 24, comments: '' })
  const [made, setMade] = useState<readonly number[]>()
  const [busy, setBusy] = useState(false)
  const [now] = useState(Date.now)
  const waits = data === undefined && error === null
  const slow = useDelayed(waits)
  const has = data?.right ?? 0
  const right = form.right ?? firstChoice(has)
  const set = (change: Partial<Form>): void => {
    setForm({ ...form, ...change })
    setDirty(true)
  }
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      const asked = {
        right,
        deadline: form.deadline,
        handleBefore: form.hope === 0 ? null : Date.now() + form.hope * hourMs,
        comments: form.comments,
      }
      const ids: number[] = []
      const rows: (Wanted & { readonly name: string; readonly text: string })[] = []
      for (const one of items) {
        try {
          ids.push((await api.of(one).authorizationApply({ ...namedOf(one), ...asked })).authorizationId)
        } catch (failure) {
          if (items.length === 1 || !(failure instanceof CallError)) throw failure
          rows.push({ ...one, name: one.fName, text: failure.message })
        }
      }
      if (rows.length > 0) {
        const title = t('approvals.apply.send')
        void openWindow('drive-batch-result', { title, total: items.length, rows, canRetry: false })
      }
      if (ids.length > 0) setMade(ids)
      setDirty(false)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      refetchRequests()
      setBusy(false)
    }
  }
  const withdraw = async (): Promise<void> => {
    if (made === undefined) return
    for (const reviewId of made) await api.withdrawReview({ reviewId })
    refetchRequests()
    toast({ kind: 'success', text: t('approvals.withdrawn') })
    close()
  }
  const hasAlready = (right & ~has) === 0
  const problem =
    error !== null
      ? error.message
      : data?.list.length === 0
        ? t('approvals.apply.nobody')
        : typeof data?.pendingId === 'number' && made === undefined
          ? t('approvals.apply.pending')
          : hasAlready
            ? t('approvals.apply.has')
            : undefined
  const names = (data?.list ?? []).map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  return (
    <>
      <div className="ap-split">
        <div className="ap-main">
          <div className="ap-item">
            {item.fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(item.fName)} size={40} />}
            <div>
              <b title={items.map(({ fName }) => fName).join('\n')}>
                {others.length === 0 ? item.fName : t('approvals.apply.many', { name: item.fName, n: items.length })}
              </b>
              <small>{data?.pathString.replaceAll('/', ' › ')}</small>
            </div>
            {data !== undefined && (
              <div className="ap-has">
                <small>{t('approvals.apply.mine')}</small>
                <span>{rightNames(t, has).join(t('drive.rights.and')) || t('drive.rights.none')}</span>
              </div>
            )}
          </div>
          {waits ? (
            <Spinner label={t('approvals.loading')} />
          ) : made !== undefined ? (
            <div className="ap-sent" role="status">
              <CheckmarkCircle24Regular />
              <h3>{t('approvals.apply.sent')}</h3>
              <p>{t('approvals.apply.sentMore', { names })}</p>
              <dl className="ap-facts">
                <dt>{t('approvals.apply.what')}</dt>
                <dd>{rightsLabel(t, right)}</dd>
                <dt>{t('approvals.apply.until')}</dt>
                <dd>{form.deadline === null ? t('approvals.forGood') : shortTime(form.deadline, now, locale)}</dd>
              </dl>
            </div>
          ) : (
            <Fields form={form} right={right} has={has} onChange={set} />
          )}
        </div>
        <Reviewers list={data?.list ?? []} isSlow={slow} isSent={made !== undefined} />
      </div>
      <DialogFooter>
        {made === undefined ? (
          <>
            <span className="ap-note" role={problem === undefined ? undefined : 'alert'}>
              {problem ?? t('approvals.apply.note')}
            </span>
            <Button onClick={() => close()}>{t('drive.cancel')}</Button>
            <Button
              kind="primary"
              disabled={busy || problem !== undefined || data === undefined}
              onClick={() => void send()}
            >
              {t('approvals.apply.send')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => void withdraw()}>{t('approvals.withdraw')}</Button>
            <Button kind="primary" onClick={() => close({ authorizationId: made[0] ?? 0 })}>
              {t('drive.close')}
            </Button>
          </>
        )}
      </DialogFooter>
    </>
  )
}
