// What a person keeps of a conversation for themselves: pinned, muted, hidden, read, the draft.
import type { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { settleNotices } from '../../core/notices/index.ts'
import { conversationObjects } from '../messages/index.ts'
import { listChanged, wasRead } from './events.ts'

/** Changes what the caller keeps of a conversation, and tells the caller's other devices. */
async function keep(context: WriteContext, conversationId: number, change: Record<string, unknown>): Promise<void> {
  const { accountId } = actorOf(context)
  await context.tx
    .updateTable('talk_member')
    .set(change)
    .where('conversation_id', '=', conversationId)
    .where('account_id', '=', accountId)
    .execute()
  context.event(listChanged(accountId, conversationId))
}

/** The handlers of what a person keeps of a conversation. */
export function ownStateHandlers(): Pick<
  Handlers<typeof features.talkConversations.calls>,
  'imDeleteChat' | 'imTopChat' | 'imMuteChat' | 'imMarkUnread' | 'imSaveDraft' | 'imMarkRead'
> {
  return {
    async imDeleteChat(context, { conversationId }) {
      const { lastNumber } = context.object(conversationObjects, conversationId)
      await keep(context, conversationId, { hidden_position: lastNumber, pinned_at: null, marked_unread: false })
      return {}
    },
    async imTopChat(context, { conversationId, top }) {
      await keep(context, conversationId, { pinned_at: top ? context.now : null })
      return {}
    },
    async imMuteChat(context, { conversationId, mute }) {
      await keep(context, conversationId, { muted: mute })
      return {}
    },
    async imMarkUnread(context, { conversationId }) {
      await keep(context, conversationId, { marked_unread: true })
      return {}
    },
    async imSaveDraft(context, { conversationId, draft }) {
      await keep(context, conversationId, { draft, draft_at: draft === '' ? null : context.now })
      return {}
    },

    async imMarkRead(context, { conversationId, number }) {
      const { accountId } = actorOf(context)
      const { lastNumber, peerId } = context.object(conversationObjects, conversationId)
      const to = Math.min(number, lastNumber)
      const { rows } = await sql<{ from: number; marked: boolean }>`
        with before as (
          select read_number, marked_unread from talk_member
          where conversation_id = ${conversationId} and account_id = ${accountId} for update
        )
        update talk_member m set read_number = greatest(m.read_number, ${to}::bigint), marked_unread = false
        from before b where m.conversation_id = ${conversationId} and m.account_id = ${accountId}
          and (m.read_number < ${to}::bigint or m.marked_unread)
        returning b.read_number as from, b.marked_unread as marked`.execute(context.tx)
      const [moved] = rows
      if (moved === undefined) return {}
      context.event(wasRead({ accountId, conversationId, from: moved.from, to: Math.max(moved.from, to) }))
      const key = peerId === null ? `GROUP ${conversationId}` : `USER ${peerId}`
      const subject = { group: 'instantMessage', key } as const
      for (const event of await settleNotices(context.tx, accountId, subject, context.now)) context.event(event)
      return {}
    },
  }
}
