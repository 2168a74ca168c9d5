// How notices about links look, and where they lead.
import { LinkDismiss20Regular, LinkMultiple20Regular } from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../drive/index.ts'

export const notices = {
  linkVisited: {
    icon: ({ what }) => (what === 'guessed' || what === 'ended' ? <LinkDismiss20Regular /> : <LinkMultiple20Regular />),
    who: ({ visitor, what }) => (what === 'guessed' ? '' : visitor),
    text: ({ what, fName }) => t(`links.notice.${what}`, { name: nameInText(fName) }),
    detail: ({ what, address, note }) => (what === 'ended' ? note : address),
    path: ({ externalId }) => `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
} satisfies Notices
