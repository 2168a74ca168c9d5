// The presentation of notices about urges ([R090], [R272]).
import { RemindType } from '@cloudoc/domain'
import type { Notices } from '../../core/area/area.ts'
import {
  Alert20Regular,
  AlertOff20Regular,
  AlertUrgent20Regular,
  Chat20Regular,
  CheckmarkCircle20Regular,
  Clock20Regular,
} from '../../kit/icons.ts'

const icons = {
  [RemindType.created]: <Alert20Regular />,
  [RemindType.repeated]: <AlertUrgent20Regular />,
  [RemindType.message]: <Chat20Regular />,
  [RemindType.handled]: <CheckmarkCircle20Regular />,
  [RemindType.changed]: <AlertOff20Regular />,
} as const

export const urgeNotices = {
  remindersDue: { icon: () => <AlertUrgent20Regular /> },
  urgeRemind: {
    icon: ({ remindType, change }) =>
      change === 'late' || change === 'moved' ? <Clock20Regular /> : icons[remindType],
  },
} satisfies Notices
