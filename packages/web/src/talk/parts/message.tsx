// One message in a conversation, and its menu.
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import { splitName } from '@cloudoc/domain'
import { type MouseEvent, memo, type ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { ArrowReply20Regular, Emoji20Regular, MoreHorizontal20Regular } from '../../kit/icons.ts'
import { PersonAvatar } from '../../people/index.ts'
import { showMessage } from '../state/conversation.ts'
import { MessageText } from './message-text.tsx'
import { mayRecallNow, timeUntilNow } from './now.ts'
import { FileMessage, LinkMessage, PictureMessage, RecordsMessage, ShareMessage } from './shared.tsx'
import { lineOf, recallLine, systemLine } from './words.ts'

/** What can be done with messages of the conversation that is shown. */
export interface MessageActions {
  readonly quote: (message: TalkMessage) => void
  readonly edit: (message: TalkMessage) => void
  readonly forward: (numbers: readonly number[]) => void
  readonly select: (number: number) => void
  readonly jump: (number: number) => void
  readonly mention: (person: { readonly userId: number; readonly name: string }) => void
}

/** Reactions offered first. */
const reactions = ['👍', '❤️', '😄', '🎉', '👀', '✅'] as const

/** What messages need of their conversation. It stays the same object while others write. */
export type MessagePlace = Pick<TalkChat, 'conversationId' | 'name' | 'push' | 'isMember' | 'dissolved' | 'mayWrite'>

interface MessageViewProps {
  readonly message: TalkMessage
  readonly chat: MessagePlace
  /** The other person of two has read it. */
  readonly isRead: boolean
  readonly me: number
  readonly quoted: TalkMessage | null | undefined
  readonly actions: MessageActions
  /** The text of a message that this page has recalled, to be edited again. */
  readonly recalled: string | undefined
}

/** The kinds of messages that are shown otherwise than as text. */
function Content({ message, me }: { readonly message: TalkMessage; readonly me: number }): ReactNode {
  const t = useT()
  const { data } = message
  if (message.withheld) return <p className="im-bubble is-muted">{t('im.withheld')}</p>
  if (data.records !== undefined) return <RecordsMessage message={message} />
  if (data.type === 'img') return <PictureMessage message={message} />
  if (data.type === 'file') return <FileMessage message={message} />
  if (data.type === 'share') return <ShareMessage message={message} mine={message.from === me} />
  if (data.type === 'link') return <LinkMessage message={message} />
  return (
    <div className="im-bubble">
      <MessageText text={message.value} mentions={message.mentions} me={me} />
    </div>
  )
}

const react = async ({ conversationId, number }: TalkMessage, emoji: string, on: boolean): Promise<void> =>
  showMessage(await api.imReact({ conversationId, number, emoji, on }))

/** A message with its sender, quote, content, reactions and receipt. Not drawn again when another one comes. */
export const MessageView = memo(function MessageView(props: MessageViewProps): ReactNode {
  const { message, chat, isRead, me, quoted, actions, recalled } = props
  const t = useT()
  const locale = useLocale()
  const windowMs = useSession().setting.im_recall_minutes * 60_000
  const isMine = message.from === me
  if (message.data.type === 'notify') return <p className="im-line">{systemLine(t, message, me)}</p>
  if (message.recall)
    return (
      <p className="im-line">
        {recallLine(t, message, me)}
        {recalled !== undefined && (
          <Button kind="link" onClick={() => actions.edit({ ...message, value: recalled })}>
            {t('im.editAgain')}
          </Button>
        )}
      </p>
    )
  const isText = message.data.type === 'text' && message.data.records === undefined
  const canAct = chat.isMember && !chat.dissolved
  const menu = (event: MouseEvent): void => {
    event.preventDefault()
    const may = mayRecallNow({ ...message, type: message.data.type }, me, windowMs)
    void showMenu(
      [
        { id: 'copy', label: t('im.copy'), show: isText, run: () => void copyText(message.value) },
        { id: 'quote', label: t('im.quote'), show: chat.mayWrite, run: () => actions.quote(message) },
        {
          id: 'forward',
          label: t('im.forward'),
          show: !message.withheld,
          run: () => actions.forward([message.number]),
        },
        { id: 'select', label: t('im.select'), run: () => actions.select(message.number) },
        {
          id: 'react',
          label: t('im.react'),
          show: canAct,
          children: reactions.map((emoji) => ({
            id: emoji,
            label: emoji,
            run: () => void react(message, emoji, true),
          })),
        },
        { separator: true },
        {
          id: 'context',
          label: t('im.context'),
          run: () =>
            void openWindow('im-chat-log-context', {
              conversationId: chat.conversationId,
              number: message.number,
              name: chat.name,
            }),
        },
        { id: 'edit', label: t('im.edit'), show: may && isText && canAct, run: () => actions.edit(message) },
        { id: 'recall', label: t('im.recall'), show: may && canAct, danger: true, run: () => void recall(message) },
      ],
      { x: event.clientX, y: event.clientY },
    )
  }
  return (
    <div className={isMine ? 'im-message is-mine' : 'im-message'} onContextMenu={menu}>
      {!isMine && <PersonAvatar id={message.from} name={message.fromName} />}
      <div className="im-body">
        {!isMine && (
          <header>
            <bdi>{message.fromName}</bdi>
            <time>{timeUntilNow(message.timestamp, locale)}</time>
          </header>
        )}
        <div className="im-content">
          <div className="im-stack">
            {message.quote !== 0 && (
              <button type="button" className="im-quote" onClick={() => actions.jump(message.quote)}>
                <bdi>
                  {quoted === null || quoted === undefined
                    ? '…'
                    : quoted.recall
                      ? recallLine(t, quoted, me)
                      : `${quoted.fromName}：${lineOf(t, quoted)}`}
                </bdi>
              </button>
            )}
            <Content message={message} me={me} />
          </div>
          <span className="im-acts">
            {canAct && (
              <IconButton
                size="small"
                label={t('im.react')}
                icon={<Emoji20Regular />}
                onClick={() => void react(message, '👍', true)}
              />
            )}
            {chat.mayWrite && (
              <IconButton
                size="small"
                label={t('im.quote')}
                icon={<ArrowReply20Regular />}
                onClick={() => actions.quote(message)}
              />
            )}
            <IconButton size="small" label={t('im.moreMenu')} icon={<MoreHorizontal20Regular />} onClick={menu} />
          </span>
        </div>
        {message.reactions.length > 0 && (
          <div className="im-reactions">
            {message.reactions.map(({ emoji, count, userIds }) => {
              const isMineToo = userIds.includes(me)
              return (
                <button
                  key={emoji}
                  type="button"
                  aria-pressed={isMineToo}
                  disabled={!canAct}
                  onClick={() => void react(message, emoji, !isMineToo)}
                >
                  {emoji} {count}
                </button>
              )
            })}
          </div>
        )}
        {(isMine || message.editedAt !== null) && (
          <footer>
            {isMine && <Receipt message={message} chat={chat} isRead={isRead} />}
            {message.editedAt !== null && <span>{t('im.edited')}</span>}
            {isMine && <time>{timeUntilNow(message.timestamp, locale)}</time>}
          </footer>
        )}
      </div>
    </div>
  )
})

/** Recalled texts of this page, by conversation and number, until it is closed. */
export const recalledTexts = new Map<string, string>()

async function recall(message: TalkMessage): Promise<void> {
  const { conversationId, number, data, value } = message
  if (data.type === 'text') recalledTexts.set(`${conversationId} ${number}`, value)
  showMessage(await api.imRecall({ conversationId, number }))
}

/** Whether the message was read: by the other person, or a way to see who has in a group. */
function Receipt({ message, chat, isRead }: Pick<MessageViewProps, 'message' | 'chat' | 'isRead'>): ReactNode {
  const t = useT()
  if (chat.push === 'USER') return <span>{t(isRead ? 'im.read' : 'im.notRead')}</span>
  return (
    <Button
      kind="link"
      size="small"
      onClick={() => void openWindow('im-read-by', { conversationId: chat.conversationId, number: message.number })}
    >
      {t('im.readBy')}
    </Button>
  )
}

/** The file name for a text that is too long for a message. */
export const textFileName = (text: string): string => {
  const { base } = splitName(
    text
      .trim()
      .split('\n')[0]
      ?.replace(/[\\/:*?"<>|]/g, ' ')
      .slice(0, 20) ?? '',
  )
  return `${base.trim() || 'text'}.txt`
}
