// The presentation of notices about signing ([R090], [R335]).
import { SignState } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import { CheckmarkCircle20Regular, DismissCircle20Regular, Signature20Regular } from '../../kit/icons.ts'

const icons = {
  [SignState.withdrawn]: <DismissCircle20Regular />,
  [SignState.launched]: <Signature20Regular />,
  [SignState.signed]: <CheckmarkCircle20Regular />,
  [SignState.rejected]: <DismissCircle20Regular />,
  [SignState.archived]: <CheckmarkCircle20Regular />,
} as const

export const signNotices = {
  fileSign: { icon: ({ activityState }) => icons[activityState] },
} satisfies Notices
