// Feature: conversations and groups.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { unreadTotal } from './chats.ts'
import { chatAudience, listAudience, readAudience } from './events.ts'
import { conversationHandlers } from './index.ts'
import { ownedGroups } from './leavers.ts'
import { endLostMemberships } from './library-groups.ts'
import { openTyping, removeClosed } from './typing.ts'
import { notifyUnread, settleRead } from './unread.ts'

const minuteMs = 60_000

export const talkConversations = feature({
  wire: features.talkConversations,
  open: (services) => ({
    handlers: conversationHandlers(openTyping(services)),
    audiences: { 'talk.chat': chatAudience, 'talk.kept': listAudience, 'talk.read': readAudience },
    readers: [
      { name: 'unread messages', kinds: ['talk.message'], read: (tx, events) => notifyUnread(tx, events) },
      { name: 'read messages', kinds: ['talk.read'], read: (tx, events, now) => settleRead(tx, events, now) },
    ],
    counters: {
      instantMessages: (db, { accountId, isGuest }) => (isGuest ? Promise.resolve(0) : unreadTotal(db, accountId)),
    },
    leavers: [ownedGroups],
    chores: [
      { name: 'conversations that nobody has open', everyMs: minuteMs, run: () => removeClosed(services) },
      {
        name: 'members of groups of libraries',
        everyMs: minuteMs,
        run: async () => {
          await endLostMemberships(services)
          return false
        },
      },
    ],
  }),
})
