// Link requests ([R231]): those the user decides on, and the user's own.
import type { LinkApplication } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { refetch as refetchLinks } from '../../sharing/area.ts'
import { openSubject } from '../authorization/request-menu.tsx'
import { requestMenu } from '../review/request-menu.tsx'
import { RequestRow } from '../review/request-row.tsx'
import { RequestsPage } from '../review/requests-page.tsx'
import { linkRightsLabel, listOf, revokeTexts, type Side } from './link-request-queries.ts'
import '../review/approvals.css'

export const LinkReviews = (): ReactNode => <LinkList key="review" side="review" />
export const LinkApplications = (): ReactNode => <LinkList key="application" side="application" />

function LinkList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  return (
    <RequestsPage
      shownFirst={side === 'review' ? 'open' : 'all'}
      listOf={(state, page) => listOf(side, state, page)}
      renderRow={(one) => <Row key={one.reviewId} request={one} side={side} />}
      asked="reviewId"
      onAsked={(reviewId) => void openWindow('cloudoc-apply-link-detail', { reviewId })}
      nothing={{
        title: t(side === 'review' ? 'approvals.nothing.review' : 'approvals.nothing.creation'),
        text: t(`approvals.link.nothing.${side}`),
      }}
    />
  )
}

function Row({ request, side }: { readonly request: LinkApplication; readonly side: Side }): ReactNode {
  const t = useT()
  const { reviewId, fType, fName, rights } = request
  const open = (): void => void openWindow('cloudoc-apply-link-detail', { reviewId, name: fName })
  const isMine = side === 'application'
  return (
    <RequestRow
      request={request}
      isMine={isMine}
      icon={fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(fName)} size={40} />}
      name={fName}
      what={t('approvals.link.gives', { may: linkRightsLabel(t, rights) })}
      onOpen={open}
      menu={() =>
        requestMenu({
          request,
          isMine,
          open,
          revoking: revokeTexts(),
          subject: [openSubject(request)],
          onDone: refetchLinks,
        })
      }
    />
  )
}
