// The presentation and link targets of notices about permission requests.
import { ApplyState, AuthorizationResult } from '@cloudoc/domain'
import {
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
  Key20Regular,
  Link20Regular,
  LinkDismiss20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../items/item/item.ts'
import { addressOf } from './authorization-queries.ts'
import { rightsLabel } from './rights-labels.ts'

const applicationText = {
  [ApplyState.pending]: 'approvals.link.notice.apply',
  [ApplyState.approved]: 'approvals.link.notice.approved',
  [ApplyState.rejected]: 'approvals.link.notice.refused',
  [ApplyState.over]: 'approvals.link.notice.over',
} as const
const replyText = {
  [AuthorizationResult.approved]: 'approvals.notice.approved',
  [AuthorizationResult.rejected]: 'approvals.notice.rejected',
  [AuthorizationResult.late]: 'approvals.notice.late',
} as const
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
    actor: ({ userName }) => userName,
    text: ({ fName, right, reminder }) =>
      t(reminder ? 'approvals.notice.remind' : 'approvals.notice.apply', {
        name: nameInText(fName),
        rights: rightsLabel(t, right),
      }),
    path: ({ authorizationId }) => `/doc/folder/share/auth-review?authorizationId=${authorizationId}`,
  },
  authorizationReply: {
    icon: ({ result }) => replyIcon[result],
    text: ({ result, fName }) => t(replyText[result], { name: nameInText(fName) }),
    path: (reply) =>
      reply.result === AuthorizationResult.approved ? addressOf(reply) : '/doc/folder/share/auth-creation',
  },
  operateApplication: {
    icon: ({ nodeState, reminder, late }) => {
      if (reminder || late) return <Clock20Regular />
      return nodeState === ApplyState.pending ? <Link20Regular /> : outcomeIcon[nodeState]
    },
    actor: ({ nodeState, late, userName }) => (nodeState === ApplyState.pending && !late ? userName : ''),
    text: ({ nodeState, reminder, late, applicationTitle }) => {
      const again = reminder ? 'approvals.link.notice.remind' : applicationText[nodeState]
      return t(late ? 'approvals.link.notice.late' : again, { name: nameInText(applicationTitle) })
    },
    detail: ({ handlerUserName, answer }) => [handlerUserName, answer].filter(Boolean).join('：'),
    path: ({ nodeState, late, applicationId, externalId }) =>
      nodeState === ApplyState.pending && !late
        ? `/doc/folder/share/link-review?reviewId=${applicationId}`
        : `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
} satisfies Notices
