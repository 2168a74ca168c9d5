// cloudoc-apply-download-detail, cloudoc-apply-audit and cloudoc-apply-link-detail ([R254]): an application with its
// items, terms and history. The applicant withdraws, downloads or ends it; a reviewer decides or revokes.
import type { OperationApplicationDetail } from '@cloudoc/contract'
import { ApplyType, fullTime, minuteTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { StatusChip } from '../../kit/chips.tsx'
import { Clock16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { CommentsField } from '../review/comments-field.tsx'
import { timelineQuery } from '../review/review-queries.ts'
import { Timeline } from '../review/timeline.tsx'
import { ApplicationButtons, type Decision, DecisionFields, firstDecision } from './application-decision.tsx'
import { ApplicationItems } from './application-items.tsx'
import { detailOf, stateOf, timesLabel } from './application-queries.ts'
import { ApplicationUses } from './application-uses.tsx'
import { linkRightsLabel } from './link-rights-label.ts'
import '../review/approvals.css'
import './applications.css'

export interface ApplicationDetailProps {
  readonly applicationId: number
  /** The name of the first item for the title, if known. */
  readonly name?: string
}

/** The window of one application. */
export function ApplicationDetail(props: WindowProps<ApplicationDetailProps, boolean>): ReactNode {
  const t = useT()
  const detail = useQuery(detailOf(props.applicationId))
  const way = useQuery(timelineQuery(props.applicationId))
  if (detail.error !== null) return <StatePage title={t('approvals.gone')} text={detail.error.message} />
  if (detail.data === undefined || way.data === undefined) return <Spinner label={t('approvals.loading')} />
  return <Loaded key={detail.data.state} {...props} detail={detail.data} way={way.data} />
}

interface LoadedProps extends WindowProps<ApplicationDetailProps, boolean> {
  readonly detail: OperationApplicationDetail
  readonly way: Awaited<ReturnType<ReturnType<typeof timelineQuery>['queryFn']>>
}

function Loaded({ detail, way, close, setDirty }: LoadedProps): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  const [decision, setDecision] = useState<Decision>(() => firstDecision(detail))
  const [isRejecting, setIsRejecting] = useState(false)
  const isLink = detail.operateType === ApplyType.external
  const change = (part: Partial<Decision>): void => {
    setDecision({ ...decision, ...part })
    setDirty(true)
  }
  const days = t('applications.days', { n: detail.validDays })
  return (
    <>
      <div className="ap-split">
        <div className="ap-main al-detail">
          <Applicant detail={detail} now={now} />
          {detail.may.decide && detail.handleBefore !== null && (
            <p className="al-deadline">
              <Clock16Regular />
              {t('applications.until', { time: minuteTime(detail.handleBefore) })}
            </p>
          )}
          <ApplicationItems
            detail={detail}
            rejected={decision.rejected}
            onChange={detail.may.decide && !isLink ? (rejected) => change({ rejected }) : undefined}
          />
          {isLink && <LinkFacts detail={detail} />}
          {detail.may.decide ? (
            <>
              {!isLink && <DecisionFields detail={detail} decision={decision} onChange={change} />}
              <CommentsField
                label={t('applications.comment')}
                rows={2}
                showsLabel
                value={decision.comment}
                onChange={(comment) => change({ comment })}
              />
              {isRejecting && decision.comment.trim() === '' && (
                <p role="alert" className="al-problem">
                  {t('applications.comment.needed')}
                </p>
              )}
            </>
          ) : (
            <Outcome detail={detail} />
          )}
        </div>
        <aside className="ap-side al-side">
          <h3>{t('applications.progress')}</h3>
          <Timeline way={way} now={now} then={t(isLink ? 'applications.then.link' : 'applications.then', { days })} />
          {detail.recent !== null && detail.may.decide && (
            <section className="al-recent" aria-label={t('applications.recent')}>
              <h3>{t('applications.recent')}</h3>
              <dl>
                {(['applications', 'approved', 'downloads'] as const).map((one) => (
                  <div key={one}>
                    <dd>{detail.recent?.[one]}</dd>
                    <dt>{t(`applications.recent.${one}`)}</dt>
                  </div>
                ))}
              </dl>
            </section>
          )}
        </aside>
      </div>
      <ApplicationButtons
        detail={detail}
        decision={decision}
        onRejecting={() => setIsRejecting(true)}
        onDone={() => setDirty(false)}
        close={close}
      />
    </>
  )
}

function Applicant({ detail, now }: { readonly detail: OperationApplicationDetail; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { text, tone } = stateOf(detail)
  return (
    <div className="ap-who">
      <PersonAvatar id={detail.userId} name={detail.userName} size="large" />
      <div>
        <b>{detail.userName}</b>
        <small>
          {t('applications.asked', { group: detail.groupName, time: shortTime(detail.createTime, now, locale) })}
        </small>
        {detail.comments !== '' && <q>{detail.comments}</q>}
      </div>
      <StatusChip tone={tone}>{text}</StatusChip>
    </div>
  )
}

function LinkFacts({ detail }: { readonly detail: OperationApplicationDetail }): ReactNode {
  const t = useT()
  const { link } = detail
  if (link === null) return null
  const named = [...link.people.map(({ accountName }) => accountName), ...link.mails].join('、')
  const facts: readonly (readonly [string, string])[] = [
    [t('links.may'), linkRightsLabel(t, link.rights)],
    [t('links.who'), named === '' ? t('links.who.anybody') : named],
    [t('links.password'), t(link.hasPassword ? 'links.hasPassword' : 'links.noPassword')],
    [t('links.time'), `${fullTime(link.startTime)} – ${fullTime(link.endTime)}`],
    [t('links.column.visits'), link.visitLimit === 0 ? t('links.unlimited') : String(link.visitLimit)],
    [t('links.column.downloads'), link.downloadLimit === 0 ? t('links.unlimited') : String(link.downloadLimit)],
    [
      t('applications.version'),
      t(detail.hasVersionLimit ? 'applications.version.onlyLink' : 'applications.version.laterLink'),
    ],
    ...(link.note === '' ? [] : [[t('links.note'), link.note] as const]),
  ]
  return (
    <dl className="ap-facts">
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The terms of an application that the user does not decide about, the decision, and the downloads. */
function Outcome({ detail }: { readonly detail: OperationApplicationDetail }): ReactNode {
  const t = useT()
  const { state, operateType, validDays, count, endTime, hasVersionLimit, handledBy, handleTime, answer } = detail
  const times = timesLabel(count)
  const days = t('applications.days', { n: validDays })
  const isDownload = operateType === ApplyType.download
  const isOver = state !== 'pending'
  return (
    <>
      {isOver && (
        <div className="ap-decided" data-state={state}>
          <b>{t(`approvals.decided.${state}`, { name: isolated(handledBy?.accountName ?? '') })}</b>
          {handleTime !== null && <small>{fullTime(handleTime)}</small>}
          {answer !== '' && <q>{answer}</q>}
        </div>
      )}
      {isDownload && (
        <dl className="ap-facts">
          <dt>{t('applications.terms')}</dt>
          <dd>
            {endTime === null
              ? t('applications.terms.of', { days, times })
              : t('applications.terms.until', { time: minuteTime(endTime), times })}
          </dd>
          <dt>{t('applications.version')}</dt>
          <dd>{t(hasVersionLimit ? 'applications.version.only' : 'applications.version.later')}</dd>
        </dl>
      )}
      <ApplicationUses detail={detail} />
    </>
  )
}
