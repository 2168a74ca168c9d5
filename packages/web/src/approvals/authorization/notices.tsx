// How notices about requests for rights look, and where they lead.
import { ApplyState, AuthorizationResult } from '@cloudoc/contract'
import {
  CheckmarkCircle20Regular,
  DismissCircle20Regular,
  Key20Regular,
  Link20Regular,
  LinkDismiss20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../drive/index.ts'
import { addressOf } from './data.ts'
import { rightsWords } from './rights-words.ts'

const applicationText = {
  [ApplyState.pending]: 'approvals.link.notice.apply',
  [ApplyState.approved]: 'approvals.link.notice.approved',
  [ApplyState.rejected]: 'approvals.link.notice.refused',
  [ApplyState.over]: 'approvals.link.notice.over',
} as const
const outcomeIcon = {
  [ApplyState.approved]: <CheckmarkCircle20Regular />,
  [ApplyState.rejected]: <DismissCircle20Regular />,
  [ApplyState.over]: <LinkDismiss20Regular />,
} as const

export const notices = {
  authorizationApply: {
    icon: () => <Key20Regular />,
    who: ({ userName }) => userName,
    text: ({ fName, right }) => t('approvals.notice.apply', { name: nameInText(fName), rights: rightsWords(t, right) }),
    path: ({ authorizationId }) => `/doc/folder/share/auth-review?authorizationId=${authorizationId}`,
  },
  authorizationReply: {
    icon: ({ result }) =>
      result === AuthorizationResult.approved ? <CheckmarkCircle20Regular /> : <DismissCircle20Regular />,
    text: ({ result, fName }) =>
      t(result === AuthorizationResult.approved ? 'approvals.notice.approved' : 'approvals.notice.rejected', {
        name: nameInText(fName),
      }),
    path: (reply) =>
      reply.result === AuthorizationResult.approved ? addressOf(reply) : '/doc/folder/share/auth-creation',
  },
  operateApplication: {
    icon: ({ nodeState }) => (nodeState === ApplyState.pending ? <Link20Regular /> : outcomeIcon[nodeState]),
    who: ({ nodeState, userName }) => (nodeState === ApplyState.pending ? userName : ''),
    text: ({ nodeState, applicationTitle }) => t(applicationText[nodeState], { name: nameInText(applicationTitle) }),
    detail: ({ handlerUserName, answer }) => [handlerUserName, answer].filter(Boolean).join('：'),
    path: ({ nodeState, applicationId, externalId }) =>
      nodeState === ApplyState.pending
        ? `/doc/folder/share/link-review?reviewId=${applicationId}`
        : `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
} satisfies Notices
