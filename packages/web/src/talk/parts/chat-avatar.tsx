import type { TalkChat } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { People20Regular } from '../../kit/icons.ts'
import { Avatar, pictureUrl } from '../../people/index.ts'

interface ChatAvatarProps {
  readonly chat: Pick<TalkChat, 'push' | 'name' | 'avatar'>
  readonly size?: number
}

/** The picture of a person or a group. */
export function ChatAvatar({ chat, size = limits.talkAvatar }: ChatAvatarProps): ReactNode {
  if (chat.push === 'USER') return <Avatar name={chat.name || '?'} picture={chat.avatar} size={size} />
  return (
    <span className="im-group-face" aria-hidden="true" style={{ width: size, height: size }}>
      {chat.avatar === '' ? (
        <People20Regular />
      ) : (
        <img src={pictureUrl(chat.avatar)} alt="" width={size} height={size} />
      )}
    </span>
  )
}
