// How notices about links look, and where they lead.
import { LinkDismiss20Regular, LinkMultiple20Regular } from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../drive/index.ts'

export const notices = {
  linkVisited: {
    icon: ({ what }) =>
      what === 'open' || what === 'upload' || what === 'edit' ? <LinkMultiple20Regular /> : <LinkDismiss20Regular />,
    who: ({ visitor, what }) => (what === 'guessed' || what === 'spread' ? '' : visitor),
    text: ({ what, fName }) => t(`links.notice.${what}`, { name: nameInText(fName) }),
    detail: ({ what, address, note }) =>
      what === 'ended' ? note : what === 'spread' ? t('links.notice.spread.more') : address,
    path: ({ externalId }) => `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
} satisfies Notices
