// The presentation of notices about sensitive files.
import { SensitiveAudit } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import {
  CheckmarkCircle20Regular,
  Delete20Regular,
  DismissCircle20Regular,
  DocumentSearch20Regular,
  ShieldError20Regular,
} from '../../kit/icons.ts'

const icons = {
  [SensitiveAudit.added]: <ShieldError20Regular />,
  [SensitiveAudit.approved]: <CheckmarkCircle20Regular />,
  [SensitiveAudit.disapproved]: <DismissCircle20Regular />,
  [SensitiveAudit.deleted]: <Delete20Regular />,
  [SensitiveAudit.review]: <DocumentSearch20Regular />,
} as const

export const sensitiveNotices = {
  sensitiveFile: {
    icon: ({ state }) => icons[state],
    detail: ({ answer }) => answer,
  },
} satisfies Notices
