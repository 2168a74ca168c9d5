// cloudoc-apply-download and cloudoc-apply-link ([R251], [R254]): what is applied for, why, for how long and how often,
// and who decides.
import { ApplyState, ApplyType, linkRights } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Send16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { refetch as refetchLinks } from '../../sharing/area.ts'
import { CommentsField } from '../review/comments-field.tsx'
import { navigateTo, refetchRequests } from '../review/review-queries.ts'
import { ApplicationFiles } from './application-files.tsx'
import { idsOf, type OperateType, pageOf, termsOf, timesLabel, type WantedItem } from './application-queries.ts'
import { Reviewers } from './reviewers.tsx'
import '../review/approvals.css'
import './applications.css'

export interface ApplyProps {
  readonly items: readonly WantedItem[]
}

type Terms = Awaited<ReturnType<ReturnType<typeof termsOf>['queryFn']>>

interface Form {
  readonly comment: string
  readonly days: number
  readonly count: number
  readonly onlyVersion: boolean
  readonly rights: number
  readonly password: string
  readonly verifiers: readonly number[]
}

const dayChoices = [1, 3, 7, 30] as const
const countChoices = [1, 3, 10] as const
const usual = ['site', 'review', 'tender'] as const
const mayChoices = [linkRights.preview, linkRights.preview | linkRights.download] as const
const linkPassword = /^[0-9A-Za-z]{0,4}$/

export function ApplyForDownload(props: WindowProps<ApplyProps, boolean>): ReactNode {
  return <Apply {...props} operateType={ApplyType.download} />
}

export function ApplyForLinks(props: WindowProps<ApplyProps, boolean>): ReactNode {
  return <Apply {...props} operateType={ApplyType.external} />
}

interface WindowOf extends WindowProps<ApplyProps, boolean> {
  readonly operateType: OperateType
}

function Apply({ items: wanted, operateType, close, setDirty }: WindowOf): ReactNode {
  const t = useT()
  const [items, setItems] = useState(wanted)
  const { data: terms, error } = useQuery(termsOf(operateType, items))
  const [form, setForm] = useState<Form>({
    ...{ comment: '', days: 7, count: 1, onlyVersion: true, rights: mayChoices[0], password: '', verifiers: [] },
  })
  const [isTried, setIsTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const isLink = operateType === ApplyType.external
  const set = (change: Partial<Form>): void => {
    setForm({ ...form, ...change })
    setDirty(true)
  }
  const days = terms === undefined || terms.mostDays === 0 ? form.days : Math.min(form.days, terms.mostDays)
  const count =
    terms === undefined || terms.mostDownloads === 0 ? form.count : Math.min(form.count, terms.mostDownloads)
  const problem = problemOf(t, { terms, items, form, isLink })
  const parts = terms === undefined ? [] : partsOf(items, terms.mostItems)
  const send = async (): Promise<void> => {
    setIsTried(true)
    if (terms === undefined || problem !== undefined) return
    setBusy(true)
    try {
      const ids = []
      for (const part of parts)
        ids.push(await sendOne(t, operateType, part, { ...form, days, count }, terms.onlyVersion))
      setDirty(false)
      close(true)
      // The list shows how the application stands ([R252]).
      navigateTo(`${pageOf(operateType, 'creation')}${ids[0] ? `?applicationId=${ids[0]}` : ''}`)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      refetchRequests()
      refetchLinks()
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !event.ctrlKey || busy) return
    event.preventDefault()
    void send()
  }
  const over =
    terms !== undefined && parts.length > 1
      ? t('applications.over', { n: terms.mostItems, m: items.length, k: parts.length })
      : undefined
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the shortcut that sends the form. */}
      <div className="ap-split" onKeyDown={onKeyDown}>
        <div className="ap-main">
          <p className="al-note">{t(isLink ? 'applications.note.link' : 'applications.note.download')}</p>
          <ApplicationFiles
            items={items}
            most={terms?.mostItems}
            open={terms?.openItems ?? []}
            onRemove={items.length > 1 ? (gone) => setItems(items.filter((one) => one !== gone)) : undefined}
          />
          <h3 className="al-head">
            {t('applications.why')}
            {(terms?.needsComment ?? true) && !isLink && <em aria-hidden="true"> *</em>}
          </h3>
          <CommentsField label={t('applications.why')} value={form.comment} onChange={(comment) => set({ comment })} />
          <p className="al-usual">
            {t('applications.usual')}
            {usual.map((one) => (
              <button key={one} type="button" onClick={() => set({ comment: t(`applications.usual.${one}`) })}>
                {t(`applications.usual.${one}`)}
              </button>
            ))}
          </p>
        </div>
        <aside className="ap-side al-side">
          {error !== null ? (
            <p role="alert" className="al-problem">
              {error.message}
            </p>
          ) : terms === undefined ? (
            <Spinner label={t('approvals.loading')} />
          ) : (
            <>
              <Reviewers terms={terms} chosen={form.verifiers} onChange={(verifiers) => set({ verifiers })} />
              <TermFields {...{ terms, isLink, form, days, count }} onChange={set} />
            </>
          )}
        </aside>
      </div>
      <DialogFooter>
        <span className="ap-note" role={problem !== undefined && isTried ? 'alert' : undefined}>
          {(isTried || over !== undefined) && problem !== undefined ? problem : (over ?? 'Ctrl Enter')}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          icon={<Send16Regular />}
          disabled={busy || terms === undefined}
          onClick={() => void send()}
        >
          {parts.length > 1 ? t('applications.split', { k: parts.length }) : t('applications.send')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Why the form cannot be sent. */
function problemOf(
  t: Translate,
  asked: {
    readonly terms: Terms | undefined
    readonly items: readonly WantedItem[]
    readonly form: Form
    readonly isLink: boolean
  },
): string | undefined {
  const { terms, items, form, isLink } = asked
  if (terms === undefined) return undefined
  const open = items.find(({ fId }) => terms.openItems.includes(fId))
  if (open !== undefined) return t('applications.openNow', { name: isolated(open.fName) })
  if (terms.needsComment && !isLink && form.comment.trim() === '') return t('applications.why.needed')
  if (isLink && !linkPassword.test(form.password)) return t('applications.password.more')
  return undefined
}

/** The items in as many applications as are needed. */
function partsOf(items: readonly WantedItem[], most: number): WantedItem[][] {
  const parts: WantedItem[][] = []
  for (let at = 0; at < items.length; at += most) parts.push(items.slice(at, at + most))
  return parts
}

/** Sends one application. Returns its id. */
async function sendOne(
  t: Translate,
  operateType: OperateType,
  items: readonly WantedItem[],
  form: Form,
  onlyVersion: boolean,
): Promise<number | undefined> {
  const common = {
    ...idsOf(items),
    ...{ comment: form.comment, verifierIdArray: [...form.verifiers], validDays: form.days, count: form.count },
    hasVersionLimit: form.onlyVersion || onlyVersion,
  }
  if (operateType === ApplyType.external) {
    const { list } = await api
      .of(items[0] ?? mainServer)
      .applyLink({ ...common, rights: form.rights, password: form.password })
    toast({ kind: 'success', text: t('applications.sent.links', { n: list.length }) })
    return list.find(({ applicationId }) => applicationId > 0)?.applicationId
  }
  const { applicationId, nodeState } = await api.of(items[0] ?? mainServer).applyDownload(common)
  const isApproved = nodeState === ApplyState.approved
  toast({ kind: 'success', text: t(isApproved ? 'applications.sent.automatic' : 'applications.sent') })
  return applicationId
}

interface TermFieldsProps {
  readonly terms: Terms
  readonly isLink: boolean
  readonly form: Form
  readonly days: number
  readonly count: number
  readonly onChange: (change: Partial<Form>) => void
}

/** How long, how often, of which version; for links also what they permit. */
function TermFields({ terms, isLink, form, days, count, onChange }: TermFieldsProps): ReactNode {
  const t = useT()
  const { mostDays, mostDownloads, onlyVersion } = terms
  const daysOffered = [...new Set([...dayChoices.filter((n) => mostDays === 0 || n <= mostDays), days])].toSorted(
    (a, b) => a - b,
  )
  const counts = [...new Set([...countChoices.filter((n) => mostDownloads === 0 || n <= mostDownloads), count])]
    .filter((n) => n > 0)
    .toSorted((a, b) => a - b)
  return (
    <>
      {isLink && (
        <>
          <h3>{t('applications.may')}</h3>
          <div className="ap-segments" role="group" aria-label={t('applications.may')}>
            {mayChoices.map((rights) => (
              <button
                key={rights}
                type="button"
                aria-pressed={form.rights === rights}
                onClick={() => onChange({ rights })}
              >
                {t(rights === linkRights.preview ? 'links.may.preview' : 'links.may.download')}
              </button>
            ))}
          </div>
        </>
      )}
      <h3>{t(isLink ? 'applications.howLong.link' : 'applications.howLong')}</h3>
      <div className="ap-segments" role="group" aria-label={t('applications.howLong')}>
        {daysOffered.map((n) => (
          <button key={n} type="button" aria-pressed={days === n} onClick={() => onChange({ days: n })}>
            {t('applications.days', { n })}
          </button>
        ))}
      </div>
      {mostDays > 0 && <p>{t('applications.howLong.more', { n: mostDays })}</p>}
      <h3>{t(isLink ? 'applications.howOften.link' : 'applications.howOften')}</h3>
      <div className="ap-segments" role="group" aria-label={t('applications.howOften')}>
        {counts.map((n) => (
          <button key={n} type="button" aria-pressed={count === n} onClick={() => onChange({ count: n })}>
            {timesLabel(n)}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={count === 0}
          disabled={mostDownloads > 0}
          onClick={() => onChange({ count: 0 })}
        >
          {timesLabel(0)}
        </button>
      </div>
      {mostDownloads > 0 && <p>{t('applications.howOften.none')}</p>}
      <h3>{t('applications.version')}</h3>
      {[true, false].map((only) => (
        <label key={String(only)} className="al-radio">
          <input
            type="radio"
            name="version"
            checked={(form.onlyVersion || onlyVersion) === only}
            disabled={onlyVersion && !only}
            onChange={() => onChange({ onlyVersion: only })}
          />
          {t(
            only
              ? isLink
                ? 'applications.version.onlyLink'
                : 'applications.version.only'
              : isLink
                ? 'applications.version.laterLink'
                : 'applications.version.later',
          )}
        </label>
      ))}
      {isLink && (
        <>
          <h3>{t('applications.password')}</h3>
          <span className="k-input">
            <input
              aria-label={t('applications.password')}
              maxLength={4}
              value={form.password}
              onChange={({ target }) => onChange({ password: target.value })}
            />
          </span>
          <p>{t('applications.password.more')}</p>
        </>
      )}
    </>
  )
}
