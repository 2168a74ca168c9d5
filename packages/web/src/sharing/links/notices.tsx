// The presentation of notices about links.
import { linkReportReasons } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { Flag20Regular, LinkDismiss20Regular, LinkMultiple20Regular } from '../../kit/icons.ts'

function reasonLabel(said: string): string {
  const reason = linkReportReasons.find((one) => one === said)
  return reason === undefined ? '' : t(`links.reason.${reason}`)
}

export const notices = {
  linkVisited: {
    icon: ({ what }) =>
      what === 'open' || what === 'upload' || what === 'edit' ? <LinkMultiple20Regular /> : <LinkDismiss20Regular />,
    detail: ({ what, address, note }) =>
      what === 'ended'
        ? note
        : what === 'spread' || what === 'guessedWidely'
          ? t('links.notice.spread.more')
          : what === 'reported'
            ? reasonLabel(note)
            : address,
  },
  linkReported: {
    icon: () => <Flag20Regular />,
    detail: ({ reason, comments }) => [t(`links.reason.${reason}`), comments].filter(Boolean).join(' · '),
  },
} satisfies Notices
