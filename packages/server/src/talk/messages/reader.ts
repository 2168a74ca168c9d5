// What the caller may see of a conversation.
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { type ConversationAccess, conversationObjects } from './conversations.ts'
import type { Reader } from './records.ts'

/** What the caller may see of a conversation. */
export function readerOf(
  context: Pick<WriteContext, 'object' | 'actor'>,
  conversationId: number,
): Reader & ConversationAccess {
  const access = context.object(conversationObjects, conversationId)
  return { ...access, accountId: actorOf(context as WriteContext).accountId }
}
