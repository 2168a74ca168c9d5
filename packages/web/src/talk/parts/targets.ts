// Receivers that were picked: a conversation, or a person with whom there may be none yet.
import { api } from '../../core/call/api.ts'
import { knowChat } from '../state/chats.ts'

/** A picked receiver ([R081]). */
export interface Target {
  readonly push: 'USER' | 'GROUP'
  /** The person, or the group. */
  readonly id: number
  readonly name: string
}

/** The conversation of a receiver; made where there was none. */
export async function targetsOf({ push, id }: Target): Promise<number> {
  if (push === 'GROUP') return id
  const chat = await api.imOpenChat({ userId: id }, { quiet: true })
  if (chat.lastNumber > 0) knowChat(chat)
  return chat.conversationId
}
