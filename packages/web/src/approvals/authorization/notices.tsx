// How notices about requests for rights look, and where they lead.
import { AuthorizationResult } from '@cloudoc/contract'
import { CheckmarkCircle20Regular, DismissCircle20Regular, Key20Regular, Link20Regular } from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../drive/index.ts'
import { addressOf } from './data.ts'
import { rightsWords } from './rights-words.ts'

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
  linkApply: {
    icon: () => <Link20Regular />,
    who: ({ userName }) => userName,
    text: ({ fName }) => t('approvals.link.notice.apply', { name: nameInText(fName) }),
    path: ({ reviewId }) => `/doc/folder/share/link-review?reviewId=${reviewId}`,
  },
  linkReply: {
    icon: ({ approved }) => (approved ? <CheckmarkCircle20Regular /> : <DismissCircle20Regular />),
    text: ({ approved, fName }) =>
      t(approved ? 'approvals.link.notice.approved' : 'approvals.link.notice.refused', { name: nameInText(fName) }),
    detail: ({ answer }) => answer,
    path: ({ externalId }) => `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
} satisfies Notices
