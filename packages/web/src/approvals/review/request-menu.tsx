// The menu of a request, in the lists of requesters and of reviewers ([R219], [R231]).
import type { RequestFacts } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import {
  AlertUrgent20Regular,
  ArrowUndo20Regular,
  ClipboardTask20Regular,
  ShieldDismiss20Regular,
} from '../../kit/icons.ts'
import { refetchRequests } from './review-queries.ts'

async function act(work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work()
    toast({ kind: 'success', text: done })
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
  }
  // Also if another reviewer decided first: their decision is then shown.
  refetchRequests()
}

/** The messages before and after an approval is revoked. */
export interface RevokeTexts {
  readonly sure: string
  readonly done: string
}

interface RequestMenu {
  readonly request: RequestFacts
  readonly isMine: boolean
  readonly open: () => void
  readonly revoking: RevokeTexts
  /** Entries for the subject of the request. */
  readonly subject: readonly MenuEntry[]
  /** Called after any action. */
  readonly onDone?: () => void
}

/** The actions for a request in a list. A decision is made in its window, where the granted permissions are visible. */
export function requestMenu({ request, isMine, open, revoking, subject, onDone }: RequestMenu): MenuEntry[] {
  const { reviewId, state, isAwaited } = request
  const isOpen = state === 'pending'
  const run = (work: () => Promise<unknown>, done: string): void => void act(work, done).then(onDone)
  const remind = () => api.remindReview({ reviewId }, { texts: { duplicateOperation: t('approvals.remind.soon') } })
  const revoke = async (): Promise<void> => {
    const title = t('approvals.revoke')
    const sure = await confirmBox({ title, text: revoking.sure, ok: title, danger: true })
    if (sure) run(() => api.revokeReview({ reviewId }), revoking.done)
  }
  return [
    {
      id: 'request-open',
      icon: <ClipboardTask20Regular />,
      label: t(isAwaited && isOpen && !isMine ? 'approvals.menu.decide' : 'approvals.menu.open'),
      run: open,
    },
    ...subject,
    { separator: true },
    {
      id: 'request-remind',
      icon: <AlertUrgent20Regular />,
      label: t('approvals.remind'),
      show: isMine && isOpen,
      run: () => run(remind, t('approvals.done.reminded')),
    },
    {
      id: 'request-withdraw',
      icon: <ArrowUndo20Regular />,
      label: t('approvals.withdraw'),
      show: isMine && isOpen,
      run: () => run(() => api.withdrawReview({ reviewId }), t('approvals.withdrawn')),
    },
    {
      id: 'request-revoke',
      icon: <ShieldDismiss20Regular />,
      label: t('approvals.revoke'),
      danger: true,
      show: !isMine && state === 'approved',
      run: () => void revoke(),
    },
  ]
}
