// Beginning conversations: with a person, and with a group of people.
import { codes } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { knowChat } from '../state/chats.ts'
import type { TalkPerson } from '../state/people.ts'

/** Opens the conversation with a person; answers its id. */
export async function startChat(userId: number): Promise<number> {
  // Asked before the conversation opens ([R352]).
  const { ability, reason } = await api.imChatAbility({ userId })
  if (!ability && reason !== '')
    throw new CallError('imOpenChat', {
      ...{ code: 'noPermission', number: codes.noPermission.code, message: t(`im.ability.${reason}`), quiet: false },
    })
  const chat = await api.imOpenChat({ userId })
  knowChat(chat)
  return chat.conversationId
}

/** Asks for the members of a new group and makes it; answers its id. */
export async function startGroup(picked: readonly TalkPerson[] = []): Promise<number | undefined> {
  const answer = await openWindow('im-friends-picker', { purpose: 'group', picked: [...picked], present: [] })
  if (answer === undefined) return undefined
  const chat = await api.imCreateGroup({ name: answer.name, userIdArray: answer.people.map(({ userId }) => userId) })
  knowChat(chat)
  return chat.conversationId
}
