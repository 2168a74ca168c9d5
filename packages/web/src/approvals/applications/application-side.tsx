// The details of the focused application beside the list, with the usual decision.
import type { OperationApplication } from '@cloudoc/contract'
import { ApplyType, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkmark16Filled, Open16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { timelineQuery } from '../review/review-queries.ts'
import { Timeline } from '../review/timeline.tsx'
import { refetchApplications } from './application-decision.tsx'
import { ApplicationItems } from './application-items.tsx'
import { detailOf, stateOf, timesLabel, tryChange } from './application-queries.ts'

interface ApplicationSideProps {
  readonly application: OperationApplication
  readonly onOpen: (application: OperationApplication) => void
}

const none: ReadonlySet<number> = new Set()

export function ApplicationSide({ application, onOpen }: ApplicationSideProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const [busy, setBusy] = useState(false)
  const { applicationId, userId, userName, groupName, createTime, comments } = application
  const detail = useQuery(detailOf(applicationId))
  const way = useQuery(timelineQuery(applicationId))
  const { text, tone } = stateOf(application)
  const isLink = application.operateType === ApplyType.external
  const approve = async (): Promise<void> => {
    setBusy(true)
    await tryChange(
      () => api.applyApprove({ applicationId }),
      t('approvals.done.approved', { name: isolated(userName) }),
      refetchApplications,
    )
    setBusy(false)
  }
  const days = t('applications.days', { n: application.validDays })
  const version = t(application.hasVersionLimit ? 'applications.version.only' : 'applications.version.later')
  return (
    <aside className="al-aside" aria-label={t('applications.progress')}>
      <div className="al-aside-body">
        <div className="ap-who">
          <PersonAvatar id={userId} name={userName} size="large" />
          <div>
            <b>{userName}</b>
            <small>{t('applications.asked', { group: groupName, time: shortTime(createTime, now, locale) })}</small>
          </div>
          <StatusChip tone={tone}>{text}</StatusChip>
        </div>
        {comments !== '' && <q>{comments}</q>}
        {!isLink && (
          <dl className="ap-facts">
            <dt>{t('applications.terms')}</dt>
            <dd>{t('applications.terms.of', { days, times: timesLabel(application.count) })}</dd>
            <dt>{t('applications.version')}</dt>
            <dd>{version}</dd>
          </dl>
        )}
        {detail.data === undefined || way.data === undefined ? (
          detail.error === null && <Spinner label={t('approvals.loading')} />
        ) : (
          <>
            <ApplicationItems detail={detail.data} rejected={none} onChange={undefined} />
            <Timeline
              way={way.data}
              now={now}
              then={t(isLink ? 'applications.then.link' : 'applications.then', { days })}
            />
          </>
        )}
      </div>
      <footer>
        <Button kind="ghost" icon={<Open16Regular />} onClick={() => onOpen(application)}>
          {t('applications.openWindow')}
        </Button>
        {detail.data?.may.decide && (
          <>
            <Button kind="danger" disabled={busy} onClick={() => onOpen(application)}>
              {t('applications.rejectMore')}
            </Button>
            <Button kind="primary" icon={<Checkmark16Filled />} disabled={busy} onClick={() => void approve()}>
              {t('applications.approve', { n: application.itemCount })}
            </Button>
          </>
        )}
      </footer>
    </aside>
  )
}
