// /doc/folder/share/auth-review and auth-creation ([R051], [R219]): the requests the user decides on, and the user's
// own.
import type { Authorization } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { RequestRow } from '../review/request-row.tsx'
import { RequestsPage } from '../review/requests-page.tsx'
import { listOf, type Side, standInQuery } from './authorization-queries.ts'
import { rightsRequestMenu } from './request-menu.tsx'
import { rightsLabel } from './rights-labels.ts'
import '../review/approvals.css'

export const ReviewList = (): ReactNode => <RequestList key="review" side="review" />
export const CreationList = (): ReactNode => <RequestList key="creation" side="creation" />

function RequestList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const standIn = useQuery({ ...standInQuery, enabled: side === 'review' })
  return (
    <RequestsPage
      shownFirst={side === 'review' ? 'open' : 'all'}
      listOf={(state, page) => listOf(side, state, page)}
      renderRow={(one) => <Row key={one.authorizationId} request={one} side={side} />}
      asked="authorizationId"
      onAsked={(authorizationId) => void openWindow('cloudoc-authorization-review', { authorizationId })}
      nothing={{ title: t(`approvals.nothing.${side}`), text: t(`approvals.nothing.${side}.more`) }}
    >
      {side === 'review' && (
        <Button className="ap-away" onClick={() => void openWindow('approvals-stand-in', {})}>
          {standIn.data?.standIn
            ? t('approvals.standIn.is', { name: isolated(standIn.data.standIn.accountName) })
            : t('approvals.standIn.open')}
        </Button>
      )}
    </RequestsPage>
  )
}

function Row({ request, side }: { readonly request: Authorization; readonly side: Side }): ReactNode {
  const t = useT()
  const { authorizationId, fType, fName, right } = request
  const open = (): void => void openWindow('cloudoc-authorization-review', { authorizationId, name: fName })
  return (
    <RequestRow
      request={request}
      isMine={side === 'creation'}
      icon={fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(fName)} size={40} />}
      name={fName}
      what={`· ${rightsLabel(t, right)}`}
      onOpen={open}
      menu={() => rightsRequestMenu(request, side, open)}
    />
  )
}
