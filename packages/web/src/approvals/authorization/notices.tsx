// The presentation of notices about permission requests.
import { ApplyState, AuthorizationResult } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import {
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
  Key20Regular,
  Link20Regular,
  LinkDismiss20Regular,
} from '../../kit/icons.ts'
import { rightsLabel } from './rights-labels.ts'

const replyIcon = {
  [AuthorizationResult.approved]: <CheckmarkCircle20Regular />,
  [AuthorizationResult.rejected]: <DismissCircle20Regular />,
  [AuthorizationResult.late]: <Clock20Regular />,
} as const
const outcomeIcon = {
  [ApplyState.approved]: <CheckmarkCircle20Regular />,
  [ApplyState.rejected]: <DismissCircle20Regular />,
  [ApplyState.over]: <LinkDismiss20Regular />,
} as const

export const notices = {
  authorizationApply: {
    icon: ({ reminder }) => (reminder ? <Clock20Regular /> : <Key20Regular />),
    addition: ({ right }) => t('approvals.notice.rights', { rights: rightsLabel(t, right) }),
  },
  authorizationReply: {
    icon: ({ result }) => replyIcon[result],
  },
  operateApplication: {
    icon: ({ nodeState, reminder, late }) => {
      if (reminder || late) return <Clock20Regular />
      return nodeState === ApplyState.pending ? <Link20Regular /> : outcomeIcon[nodeState]
    },
    detail: ({ handlerUserName, answer }) => [handlerUserName, answer].filter(Boolean).join('：'),
  },
} satisfies Notices
