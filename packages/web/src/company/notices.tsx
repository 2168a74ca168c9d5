// How notices about downloads of others look, and where they lead.
import { ArrowDownload20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'

export const notices = {
  downloadAudit: {
    icon: () => <ArrowDownload20Regular />,
    who: ({ accountName }) => accountName,
    text: ({ count, limit, state }) => t(`company.notice.downloads.${state}`, { n: count, limit }),
    detail: ({ groupName }) => groupName,
    path: () => '/doc/admin/links/limits',
  },
} satisfies Notices
