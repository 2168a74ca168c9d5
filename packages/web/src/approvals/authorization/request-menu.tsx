// The menu of a permission request ([R219]).

import type { Authorization } from '@cloudoc/contract'
import { mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Open20Regular, QuestionCircle20Regular } from '../../kit/icons.ts'
import { requestMenu } from '../review/request-menu.tsx'
import { openItem, type Side } from './authorization-queries.ts'

/** Goes to the item of a request. Disabled if the item is deleted or no longer visible. */
export function openSubject(request: Pick<Authorization, 'fType' | 'fId'>): MenuEntry {
  const { fType, fId } = request
  return {
    id: 'request-item',
    icon: <Open20Regular />,
    label: t(fType === 2 ? 'approvals.openFolder' : 'approvals.open'),
    show: fId !== 0,
    run: () => openItem(request),
  }
}

/** The common request menu, with entries for the item. */
export function rightsRequestMenu(request: Authorization, side: Side, open: () => void): MenuEntry[] {
  const { authorizationId, fId, fType, fName, userId, userName } = request
  const subject = [
    openSubject(request),
    {
      id: 'request-why',
      icon: <QuestionCircle20Regular />,
      label: t('rights.menu.why'),
      show: fId !== 0,
      run: () =>
        void openWindow('drive-why', {
          item: { ...mainServer, fId, fType, fName },
          ...(side === 'review' && { userId }),
        }),
    },
  ]
  const revoking = {
    sure: t('approvals.revoke.sure', { name: isolated(userName) }),
    done: t('approvals.done.revoked'),
  }
  const isMine = side === 'creation'
  return requestMenu({ request: { ...request, reviewId: authorizationId }, isMine, open, revoking, subject })
}
