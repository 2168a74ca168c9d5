// The list of conversations: pinned ones first, then the newest, with what is unread.
import type { TalkChat } from '@cloudoc/contract'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useDeferredValue, useMemo } from 'react'
import { useStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { badgeOf } from '../../core/notices/notice-groups.ts'
import { Button } from '../../kit/button.tsx'
import { AlertOff16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { ChatAvatar } from '../parts/chat-avatar.tsx'
import { timeUntilNow } from '../parts/now.ts'
import { chatName, lastLine } from '../parts/words.ts'
import { chatsStore, dropChat, inOrder, loadChats, loadMoreChats, myId, patchChat } from '../state/chats.ts'
import { type Outgoing, outboxStore } from '../state/outbox.ts'
import { shownUnread } from './seen.ts'

interface ChatListProps {
  readonly keyword: string
  readonly current: number | undefined
  readonly onOpen: (conversationId: number) => void
}

const none: readonly Outgoing[] = []

/** Shows a change at once, and what the server says if it refuses. */
async function changed(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    void loadChats()
    throw error
  }
}

/** The conversations that match a keyword. */
export function ChatList({ keyword, current, onOpen }: ChatListProps): ReactNode {
  const t = useT()
  const { state, byId, more } = useStore(chatsStore)
  const { list } = useStore(outboxStore)
  const word = useDeferredValue(keyword.trim().toLowerCase())
  const outgoing = useMemo(() => Map.groupBy(list, ({ conversationId }) => conversationId), [list])
  const chats = useMemo(() => {
    const all = inOrder(byId.values())
    return word === '' ? all : all.filter((chat) => chatName(t, chat).toLowerCase().includes(word))
  }, [byId, word, t])
  if (state === 'loading') return <Spinner label={t('im.loading')} />
  if (state === 'failed')
    return (
      <StatePage title={t('im.failed')}>
        <Button onClick={() => void loadChats()}>{t('im.retry')}</Button>
      </StatePage>
    )
  if (chats.length === 0)
    return word === '' ? (
      <StatePage title={t('im.none.title')} text={t('im.none.text')} />
    ) : (
      <p className="im-line">{t('im.noMatch')}</p>
    )
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button.im-chat')]
    const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return (
    <ul className="im-chats" aria-label={t('im.chatList')} onKeyDown={onKeyDown}>
      {chats.map((chat) => (
        <li key={chat.conversationId}>
          <ChatRow
            chat={chat}
            isCurrent={chat.conversationId === current}
            outgoing={outgoing.get(chat.conversationId) ?? none}
            onOpen={() => onOpen(chat.conversationId)}
          />
        </li>
      ))}
      {more && word === '' && (
        <li>
          <Button kind="link" onClick={() => void loadMoreChats()}>
            {t('im.more')}
          </Button>
        </li>
      )}
    </ul>
  )
}

interface ChatRowProps {
  readonly chat: TalkChat
  readonly isCurrent: boolean
  readonly outgoing: readonly Outgoing[]
  readonly onOpen: () => void
}

function ChatRow({ chat, isCurrent, outgoing, onOpen }: ChatRowProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { conversationId, unread, mute, top } = chat
  const { prefix, tone, text } = lastLine(t, chat, outgoing, myId())
  const menu = (event: MouseEvent): void => {
    event.preventDefault()
    void showMenu(
      [
        {
          id: 'top',
          label: t(top ? 'im.untop' : 'im.top'),
          run: () => {
            patchChat(conversationId, { top: !top })
            void changed(api.imTopChat({ conversationId, top: !top }))
          },
        },
        {
          id: 'mute',
          label: t(mute ? 'im.unmute' : 'im.mute'),
          run: () => {
            patchChat(conversationId, { mute: !mute })
            void changed(api.imMuteChat({ conversationId, mute: !mute }))
          },
        },
        {
          id: 'unread',
          label: t(unread > 0 ? 'im.markRead' : 'im.markUnread'),
          run: () => {
            if (unread > 0) {
              patchChat(conversationId, {
                unread: 0,
                mentioned: false,
                markedUnread: false,
                readNumber: chat.lastNumber,
              })
              void changed(api.imMarkRead({ conversationId, number: chat.lastNumber }))
            } else {
              shownUnread.add(conversationId)
              patchChat(conversationId, { unread: 1, markedUnread: true })
              void changed(api.imMarkUnread({ conversationId }))
            }
          },
        },
        { separator: true },
        {
          id: 'remove',
          label: t('im.remove'),
          run: () => {
            dropChat(conversationId)
            void changed(api.imDeleteChat({ conversationId }))
          },
        },
      ],
      { x: event.clientX, y: event.clientY },
    )
  }
  return (
    <button
      type="button"
      className={['im-chat', isCurrent && 'is-current', top && 'is-top'].filter(Boolean).join(' ')}
      aria-current={isCurrent}
      onClick={onOpen}
      onContextMenu={menu}
    >
      <ChatAvatar chat={chat} size={40} />
      <span className="im-chat-words">
        <span>
          <b>
            <bdi>{chatName(t, chat)}</bdi>
          </b>
          <time>{timeUntilNow(chat.timestamp, locale)}</time>
        </span>
        <span>
          <span className="im-chat-last">
            {prefix !== undefined && <em data-tone={tone}>{prefix} </em>}
            <bdi>{text}</bdi>
          </span>
          {mute && <AlertOff16Regular aria-label={t('im.mute')} />}
          {unread > 0 &&
            (mute && !chat.mentioned ? (
              <i className="im-dot" role="status" aria-label={t('talk.unread', { n: unread })} />
            ) : (
              <small className="im-badge" role="status" aria-label={t('talk.unread', { n: unread })}>
                {badgeOf(unread)}
              </small>
            ))}
        </span>
      </span>
    </button>
  )
}
