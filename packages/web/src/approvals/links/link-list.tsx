// Requests for links ([R231]): those that the person decides about, and their own.
import type { LinkApplication } from '@cloudoc/contract'
import { extNameOf, shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../drive/index.ts'
import { RequestsPage } from '../review/requests-page.tsx'
import { waited } from '../review/timeline.tsx'
import { givesWords, listOf, type Side } from './data.ts'
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
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { reviewId, fType, fName, userName, rights, createTime, state, waitsFor, isAwaited } = request
  const who = waitsFor.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  return (
    <li>
      <button type="button" onClick={() => void openWindow('cloudoc-apply-link-detail', { reviewId, name: fName })}>
        {fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(fName)} size={40} />}
        <span className="ap-row-name">
          <b title={fName}>{fName}</b>
          <small>
            {side === 'review' ? t('approvals.row.asks', { name: isolated(userName) }) : t('approvals.row.mine')}{' '}
            {t('approvals.link.gives', { may: givesWords(t, rights) })}
          </small>
        </span>
        <span className="ap-row-state">
          <em data-state={state}>
            {t(isAwaited && state === 'pending' ? 'approvals.way.you' : `approvals.is.${state}`)}
          </em>
          <small>
            {state === 'pending'
              ? `${isAwaited ? '' : `${who} · `}${t('approvals.way.since', { time: waited(t, createTime, now) })}`
              : (request.handledBy?.accountName ?? '')}
          </small>
        </span>
        <time>{shortTime(createTime, now, locale)}</time>
      </button>
    </li>
  )
}
