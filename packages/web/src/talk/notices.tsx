// The presentation of notices about unread messages.
import { Chat20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'

export const notices = {
  unreadMessages: { icon: () => <Chat20Regular /> },
} satisfies Notices
