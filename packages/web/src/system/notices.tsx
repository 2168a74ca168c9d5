// How notices about downloads of others look, and where they lead.
import { ArrowDownload20Regular, Flag20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'
import { nameInText } from '../drive/index.ts'

export const notices = {
  downloadAudit: {
    icon: () => <ArrowDownload20Regular />,
    who: ({ accountName }) => accountName,
    text: ({ count, limit, state }) => t(`company.notice.downloads.${state}`, { n: count, limit }),
    detail: ({ groupName }) => groupName,
    path: () => '/doc/admin/links/limits',
  },
  linkReported: {
    icon: () => <Flag20Regular />,
    who: () => '',
    text: ({ fName, creatorName }) =>
      t('company.notice.reported', { name: nameInText(fName), who: nameInText(creatorName) }),
    detail: ({ reason, comments }) => [t(`links.reason.${reason}`), comments].filter(Boolean).join(' · '),
    path: () => '/doc/admin/links/open?risk=reported',
  },
} satisfies Notices
