// Requests for additional daily downloads ([R284]): those the user decides on, and the user's own.
import type { DownloadApplication } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { ArrowDownload24Regular } from '../../kit/icons.ts'
import { requestMenu } from '../review/request-menu.tsx'
import { RequestRow } from '../review/request-row.tsx'
import { RequestsPage } from '../review/requests-page.tsx'
import { listOf, revokeTexts, type Side, todayQuery } from './download-request-queries.ts'

export const DownloadReviews = (): ReactNode => <DownloadList key="review" side="review" />
export const DownloadApplications = (): ReactNode => <DownloadList key="application" side="application" />

function DownloadList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const { data: today } = useQuery({ ...todayQuery, enabled: side === 'application' })
  return (
    <RequestsPage
      shownFirst={side === 'review' ? 'open' : 'all'}
      listOf={(state, page) => listOf(side, state, page)}
      renderRow={(one) => <Row key={one.reviewId} request={one} side={side} />}
      asked="reviewId"
      onAsked={(reviewId) => void openWindow('approvals-more-downloads', { reviewId })}
      nothing={{
        title: t(side === 'review' ? 'approvals.nothing.review' : 'approvals.nothing.creation'),
        text: t(`approvals.downloads.nothing.${side}`),
      }}
    >
      {today !== undefined && today.limit > 0 && (
        <Button className="ap-away" onClick={() => void openWindow('cloudoc-download-limit', today)}>
          {t('approvals.downloads.ask', { n: today.count, limit: today.limit })}
        </Button>
      )}
    </RequestsPage>
  )
}

function Row({ request, side }: { readonly request: DownloadApplication; readonly side: Side }): ReactNode {
  const t = useT()
  const { reviewId, count, taken, limit, given } = request
  const open = (): void => void openWindow('approvals-more-downloads', { reviewId })
  const isMine = side === 'application'
  return (
    <RequestRow
      request={request}
      isMine={isMine}
      icon={<ArrowDownload24Regular className="ap-row-icon" />}
      name={t('approvals.downloads.name', { n: count })}
      what={`· ${given > 0 ? t('approvals.downloads.given', { n: given }) : t('approvals.downloads.had', { n: taken, limit })}`}
      onOpen={open}
      menu={() => requestMenu({ request, isMine, open, revoking: revokeTexts(), subject: [] })}
    />
  )
}
