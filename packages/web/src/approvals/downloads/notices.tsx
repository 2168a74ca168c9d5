// The presentation and link targets of notices about additional daily downloads.
import { ApplyState } from '@cloudoc/domain'
import {
  ArrowDownload20Regular,
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'

const texts = {
  [ApplyState.pending]: 'approvals.downloads.notice.asked',
  [ApplyState.approved]: 'approvals.downloads.notice.given',
  [ApplyState.rejected]: 'approvals.downloads.notice.refused',
  [ApplyState.over]: 'approvals.downloads.notice.over',
} as const
const icons = {
  [ApplyState.pending]: <ArrowDownload20Regular />,
  [ApplyState.approved]: <CheckmarkCircle20Regular />,
  [ApplyState.rejected]: <DismissCircle20Regular />,
  [ApplyState.over]: <DismissCircle20Regular />,
} as const

export const downloadNotices = {
  moreDownloads: {
    icon: ({ nodeState, reminder }) => (reminder ? <Clock20Regular /> : icons[nodeState]),
    actor: ({ nodeState, userName }) => (nodeState === ApplyState.pending ? userName : ''),
    text: ({ nodeState, reminder, count }) =>
      t(reminder ? 'approvals.downloads.notice.remind' : texts[nodeState], { n: count }),
    detail: ({ nodeState, comments, handlerUserName, answer }) =>
      nodeState === ApplyState.pending ? comments : [handlerUserName, answer].filter(Boolean).join('：'),
    path: ({ nodeState, reviewId }) =>
      `/doc/folder/share/download-${nodeState === ApplyState.pending ? 'review' : 'application'}?reviewId=${reviewId}`,
  },
} satisfies Notices
