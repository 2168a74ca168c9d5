// How the notices of workflows look.
import { ProcessState } from '@cloudoc/contract'
import {
  ArrowUndo20Regular,
  Branch20Regular,
  CheckmarkCircle20Regular,
  Clock20Regular,
  DismissCircle20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'

const icons = {
  [ProcessState.pending]: <Branch20Regular />,
  [ProcessState.nodePassed]: <CheckmarkCircle20Regular />,
  [ProcessState.passed]: <CheckmarkCircle20Regular />,
  [ProcessState.failed]: <DismissCircle20Regular />,
  [ProcessState.withdrawn]: <DismissCircle20Regular />,
  [ProcessState.back]: <ArrowUndo20Regular />,
} as const

export const workflowNotices = {
  processPlayer: {
    icon: ({ processState, reminder }) => (reminder ? <Clock20Regular /> : icons[processState]),
  },
  processLauncher: {
    icon: ({ nodeState }) => (nodeState === 1 ? <CheckmarkCircle20Regular /> : <ArrowUndo20Regular />),
  },
} satisfies Notices
