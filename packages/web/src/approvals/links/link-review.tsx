// cloudoc-apply-link-detail ([R231]): what a link would grant and to whom, the request history, and the decision.
import type { LinkApplication } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { refetch as refetchLinks } from '../../sharing/area.ts'
import { RequestWindow } from '../review/request-window.tsx'
import { applicationOf, linkRightsLabel, revokeTexts } from './link-request-queries.ts'

export interface LinkReviewProps {
  readonly reviewId: number
  /** The name of the link's target for the title, if known. */
  readonly name?: string
}

export function LinkReview({ reviewId, name, ...window }: WindowProps<LinkReviewProps, boolean>): ReactNode {
  const t = useT()
  const factsOf = (request: LinkApplication): (readonly [string, string])[] => {
    const named = [...request.people.map(({ accountName }) => accountName), ...request.mails].join(t('links.and'))
    return [
      [t('links.may'), linkRightsLabel(t, request.rights)],
      [t('links.who'), named === '' ? t('links.who.anybody') : named],
      [t('links.password'), t(request.hasPassword ? 'links.hasPassword' : 'links.noPassword')],
      [t('links.time'), `${fullTime(request.startTime)} – ${fullTime(request.endTime)}`],
      [t('links.column.visits'), request.visitLimit === 0 ? t('links.unlimited') : String(request.visitLimit)],
      [t('links.column.downloads'), request.downloadLimit === 0 ? t('links.unlimited') : String(request.downloadLimit)],
      ...(request.note === '' ? [] : [[t('links.note'), request.note] as const]),
      [t('approvals.place'), request.fId === 0 ? t('approvals.unseen') : request.pathString.replaceAll('/', ' › ')],
    ]
  }
  return (
    <RequestWindow
      {...window}
      reviewId={reviewId}
      requestOf={applicationOf}
      {...(name === undefined && { heading: ({ fName }: LinkApplication) => fName })}
      label={t('approvals.link.title')}
      facts={factsOf}
      then={t('approvals.link.then')}
      approve={(_, comments) => api.linkApprove({ reviewId, comments })}
      approveText={() => t('approvals.approveIt')}
      reject={(_, comments) => api.linkReject({ reviewId, comments })}
      revoke={revokeTexts()}
      onDone={refetchLinks}
    />
  )
}
