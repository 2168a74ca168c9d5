// The presentation of notices about additional daily downloads.
import { ApplyState } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import {
  ArrowDownload20Regular,
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
} from '../../kit/icons.ts'

const icons = {
  [ApplyState.pending]: <ArrowDownload20Regular />,
  [ApplyState.approved]: <CheckmarkCircle20Regular />,
  [ApplyState.rejected]: <DismissCircle20Regular />,
  [ApplyState.over]: <DismissCircle20Regular />,
} as const

export const downloadNotices = {
  moreDownloads: {
    icon: ({ nodeState, reminder }) => (reminder ? <Clock20Regular /> : icons[nodeState]),
    detail: ({ nodeState, comments, handlerUserName, answer }) =>
      nodeState === ApplyState.pending ? comments : [handlerUserName, answer].filter(Boolean).join('：'),
  },
} satisfies Notices
