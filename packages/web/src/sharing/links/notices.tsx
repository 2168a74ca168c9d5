// The presentation and link targets of notices about links.
import { linkReportReasons } from '@cloudoc/domain'
import { Flag20Regular, LinkDismiss20Regular, LinkMultiple20Regular } from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { nameInText } from '../../items/item/item.ts'

function reasonLabel(said: string): string {
  const reason = linkReportReasons.find((one) => one === said)
  return reason === undefined ? '' : t(`links.reason.${reason}`)
}

export const notices = {
  linkVisited: {
    icon: ({ what }) =>
      what === 'open' || what === 'upload' || what === 'edit' ? <LinkMultiple20Regular /> : <LinkDismiss20Regular />,
    actor: ({ visitor, what }) => (what === 'guessed' || what === 'guessedWidely' || what === 'spread' ? '' : visitor),
    text: ({ what, fName }) => t(`links.notice.${what}`, { name: nameInText(fName) }),
    detail: ({ what, address, note }) =>
      what === 'ended'
        ? note
        : what === 'spread' || what === 'guessedWidely'
          ? t('links.notice.spread.more')
          : what === 'reported'
            ? reasonLabel(note)
            : address,
    path: ({ externalId }) => `/doc/folder/share/link-creation?externalId=${externalId}`,
  },
  linkReported: {
    icon: () => <Flag20Regular />,
    actor: () => '',
    text: ({ fName, creatorName }) =>
      t('company.notice.reported', { name: nameInText(fName), who: nameInText(creatorName) }),
    detail: ({ reason, comments }) => [t(`links.reason.${reason}`), comments].filter(Boolean).join(' · '),
    path: () => '/doc/admin/links/open?risk=reported',
  },
} satisfies Notices
