// A request for additional daily downloads ([R284]): number and reason, the request history, and the decision.
import type { DownloadApplication } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { RequestWindow } from '../review/request-window.tsx'
import { CountChoice } from './count-choice.tsx'
import { requestOf, revokeTexts } from './download-request-queries.ts'

export interface DownloadReviewProps {
  readonly reviewId: number
}

export function DownloadReview({ reviewId, ...window }: WindowProps<DownloadReviewProps, boolean>): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState<number>()
  const label = t('approvals.downloads.title')
  const factsOf = ({ count, taken, limit, given, state }: DownloadApplication): (readonly [string, string])[] => [
    [t('approvals.downloads.count'), t('approvals.downloads.times', { n: count })],
    [t('approvals.downloads.then'), t('approvals.downloads.had', { n: taken, limit })],
    ...(given > 0 ? [[t('approvals.downloads.got'), t('approvals.downloads.given', { n: given })] as const] : []),
    ...(state === 'pending' ? [[t('approvals.downloads.until'), t('approvals.downloads.untilDay')] as const] : []),
  ]
  return (
    <RequestWindow
      {...window}
      reviewId={reviewId}
      requestOf={requestOf}
      heading={({ count }) => t('approvals.downloads.name', { n: count })}
      label={label}
      facts={factsOf}
      then={t('approvals.downloads.goesOn')}
      choice={({ count }) => [
        t('approvals.give'),
        <CountChoice
          key="count"
          label={t('approvals.give')}
          value={chosen ?? count}
          asked={count}
          onChange={setChosen}
        />,
      ]}
      approve={({ count }, comments) => api.moreDownloadsApprove({ reviewId, comments, count: chosen ?? count })}
      approveText={({ count }) => t('approvals.downloads.approve', { n: chosen ?? count })}
      reject={(_, comments) => api.moreDownloadsReject({ reviewId, comments })}
      revoke={revokeTexts()}
    />
  )
}
