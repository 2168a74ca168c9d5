// The menu of a request in the lists of those who asked and of those who decide ([R219]).
import type { Authorization } from '@cloudoc/contract'
import {
  AlertUrgent20Regular,
  ArrowUndo20Regular,
  ClipboardTask20Regular,
  Open20Regular,
  QuestionCircle20Regular,
  ShieldDismiss20Regular,
} from '@fluentui/react-icons'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { refetchRequests } from '../review/data.ts'
import { openItem, type Side } from './data.ts'

async function act(work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work()
    toast({ kind: 'success', text: done })
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
  }
  // Also where somebody else was quicker: what they have done is shown instead.
  refetchRequests()
}

const remindOf = (reviewId: number): Promise<void> =>
  act(
    () => api.remindReview({ reviewId }, { texts: { duplicateOperation: t('approvals.remind.soon') } }),
    t('approvals.done.reminded'),
  )

async function revoke({ authorizationId, userName }: Authorization): Promise<void> {
  const sure = await confirmBox({
    title: t('approvals.revoke'),
    text: t('approvals.revoke.sure', { name: isolated(userName) }),
    ok: t('approvals.revoke'),
    danger: true,
  })
  if (sure) await act(() => api.revokeReview({ reviewId: authorizationId }), t('approvals.done.revoked'))
}

/** What can be done with a request there; a decision is made in its window, where what is given is seen. */
export function requestMenu(request: Authorization, side: Side, open: () => void): MenuEntry[] {
  const { authorizationId, fId, fType, fName, state, isAwaited, userId } = request
  const isOpen = state === 'pending'
  return [
    {
      id: 'request-open',
      icon: <ClipboardTask20Regular />,
      label: t(isAwaited && isOpen && side === 'review' ? 'approvals.menu.decide' : 'approvals.menu.open'),
      run: open,
    },
    {
      id: 'request-item',
      icon: <Open20Regular />,
      label: t(fType === 2 ? 'approvals.openFolder' : 'approvals.open'),
      // What is gone, or not to be seen any more, is not gone to.
      show: fId !== 0,
      run: () => openItem(request),
    },
    {
      id: 'request-why',
      icon: <QuestionCircle20Regular />,
      label: t('rights.menu.why'),
      show: fId !== 0,
      run: () => void openWindow('drive-why', { item: { fId, fType, fName }, ...(side === 'review' && { userId }) }),
    },
    { separator: true },
    {
      id: 'request-remind',
      icon: <AlertUrgent20Regular />,
      label: t('approvals.remind'),
      show: side === 'creation' && isOpen,
      run: () => void remindOf(authorizationId),
    },
    {
      id: 'request-withdraw',
      icon: <ArrowUndo20Regular />,
      label: t('approvals.withdraw'),
      show: side === 'creation' && isOpen,
      run: () => void act(() => api.withdrawReview({ reviewId: authorizationId }), t('approvals.withdrawn')),
    },
    {
      id: 'request-revoke',
      icon: <ShieldDismiss20Regular />,
      label: t('approvals.revoke'),
      danger: true,
      show: side === 'review' && state === 'approved',
      run: () => void revoke(request),
    },
  ]
}
