// The presentation of notices about unread messages.

import type { Notices } from '../core/area/area.ts'
import { Chat20Regular } from '../kit/icons.ts'

export const notices = {
  unreadMessages: { icon: () => <Chat20Regular /> },
} satisfies Notices
