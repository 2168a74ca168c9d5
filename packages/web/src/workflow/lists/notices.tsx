// How the notices of workflows look.
import { ProcessStateCode } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import {
  ArrowUndo20Regular,
  Branch20Regular,
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
} from '../../kit/icons.ts'

const icons = {
  [ProcessStateCode.pending]: <Branch20Regular />,
  [ProcessStateCode.nodePassed]: <CheckmarkCircle20Regular />,
  [ProcessStateCode.passed]: <CheckmarkCircle20Regular />,
  [ProcessStateCode.failed]: <DismissCircle20Regular />,
  [ProcessStateCode.withdrawn]: <DismissCircle20Regular />,
  [ProcessStateCode.back]: <ArrowUndo20Regular />,
} as const

export const workflowNotices = {
  processPlayer: {
    icon: ({ processState, reminder }) => (reminder ? <Clock20Regular /> : icons[processState]),
  },
  processLauncher: {
    icon: ({ nodeState }) => (nodeState === 1 ? <CheckmarkCircle20Regular /> : <ArrowUndo20Regular />),
  },
} satisfies Notices
