// The conversation that is open: its messages, what is on its way, and the field for a new one.
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import type { CloudLink } from '@cloudoc/domain'
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useOnline } from '../../core/push/connection.ts'
import { openWindow } from '../../core/windows/index.ts'
import { carriesCloudLink, linkOfDrag, linkOfFiles } from '../../items/link-files/cloud-links.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  ArrowDown20Regular,
  ArrowLeft20Regular,
  History20Regular,
  Info20Regular,
  Search20Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { carriesFiles } from '../../transfer/engine/dropped-files.ts'
import { createAnnouncer } from '../parts/announcer.ts'
import { ChatWatermark } from '../parts/chat-watermark.tsx'
import { forwardMessages } from '../parts/forwarding.ts'
import { type MessageActions, type MessagePlace, MessageView, recalledTexts } from '../parts/message.tsx'
import { chatName, lineOf } from '../parts/words.ts'
import { keepChat, myId, patchChat, refreshChat } from '../state/chats.ts'
import { notePlace, readPage, type Stretch, stretchStore } from '../state/conversation.ts'
import { onTalk } from '../state/events.ts'
import { discard, type Outgoing, outboxStore, resend, sendMessage, sendWithFile } from '../state/outbox.ts'
import { type Anchor, createAnchor } from './anchor.ts'
import { Composer, type ComposerHandle } from './composer.tsx'
import { shownUnread, whenSeen } from './seen.ts'

interface ConversationProps {
  readonly chat: TalkChat
  readonly hasInfo: boolean
  readonly onInfo: () => void
  readonly onBack: () => void
  /** A message to show first. */
  readonly at: number | undefined
}

const nothing: Stretch = { state: 'loading', messages: [], older: false, newer: false, quoted: new Map() }
/** A gap of this many minutes between two messages is shown as a time. */
const gapMs = 5 * 60_000

/** Moves the read mark when the newest message has been in view for a second, to somebody who is there. */
function useReading(chat: TalkChat, isAtEnd: boolean, newest: number): void {
  const { conversationId, readNumber, markedUnread } = chat
  useEffect(() => {
    shownUnread.delete(conversationId)
  }, [conversationId])
  useEffect(() => {
    if (!isAtEnd || newest === 0 || (newest <= readNumber && !markedUnread)) return undefined
    return whenSeen(() => {
      if (shownUnread.has(conversationId)) return
      patchChat(conversationId, { readNumber: newest, unread: 0, mentioned: false, markedUnread: false })
      void api.imMarkRead({ conversationId, number: newest }).catch(() => refreshChat(conversationId))
    })
  }, [conversationId, isAtEnd, newest, readNumber, markedUnread])
}

/** Who types in this conversation now. */
function useTyping(conversationId: number): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onTalk((kind, payload) => {
      if (kind !== 'typing') return
      const told = payload as { conversationId: number; people: readonly { userId: number; name: string }[] }
      if (told.conversationId !== conversationId) return
      setNames(told.people.filter(({ userId }) => userId !== myId()).map(({ name }) => name))
      clearTimeout(timer)
      timer = setTimeout(() => setNames([]), 6000)
    })
    return () => {
      stop()
      clearTimeout(timer)
      setNames([])
    }
  }, [conversationId])
  return names
}

/**
 * Announces new messages of others to screen readers, a few by their words and more by their number; nothing while the
 * history is read or the page is not shown.
 */
function useAnnouncement(messages: readonly TalkMessage[], isAtEnd: boolean): string {
  const t = useT()
  const [said, setSaid] = useState('')
  const last = useRef(messages.at(-1)?.number ?? 0)
  const [announcer] = useState(() =>
    createAnnouncer<string>((what) =>
      setSaid(typeof what === 'number' ? t('im.newMessagesSay', { n: what }) : what.join('\n')),
    ),
  )
  useEffect(() => () => announcer.clear(), [announcer])
  useEffect(() => {
    const fresh = messages.filter(
      ({ number, from, data, recall }) => number > last.current && from !== myId() && data.type !== 'notify' && !recall,
    )
    const isFirst = last.current === 0
    last.current = Math.max(last.current, messages.at(-1)?.number ?? 0)
    if (isFirst || !isAtEnd || document.visibilityState !== 'visible') return
    announcer.add(fresh.map((message) => t('im.newMessageSay', { name: message.fromName, text: lineOf(t, message) })))
  }, [announcer, isAtEnd, messages, t])
  return said
}

/** A message on its way. */
function OutgoingView({ one, isHeld }: { readonly one: Outgoing; readonly isHeld: boolean }): ReactNode {
  const t = useT()
  const { message, file, send, done, reason = '' } = one
  const text =
    message.type === 'text' ? (message.value ?? '') : message.type === 'share' ? t('im.type.share') : (file?.name ?? '')
  const state =
    send === 'ERR'
      ? t('im.failedSend', { reason })
      : send === 'ING'
        ? done !== undefined && done < 100
          ? t('im.uploading', { done })
          : t('im.sending')
        : t(isHeld ? 'im.holds' : 'im.waiting')
  const choose = (): void => {
    const input = document.createElement('input')
    input.type = 'file'
    input.onchange = () => {
      const [content] = input.files ?? []
      if (content !== undefined) sendWithFile(one.uuid, content)
    }
    input.click()
  }
  return (
    <div className="im-message is-mine" data-send={send}>
      <div className="im-body">
        <div className="im-content">
          <div className="im-bubble">
            <bdi className="im-text">{text}</bdi>
            {send === 'ING' && done !== undefined && <progress max={100} value={done} />}
            {message.type === 'img' && <small>{t('im.pictureNote')}</small>}
          </div>
        </div>
        <footer className={send === 'ERR' ? 'is-error' : undefined}>
          <span>{state}</span>
          {send === 'ERR' && (
            <Button kind="link" size="small" onClick={() => (one.isLost === true ? choose() : resend(one.uuid))}>
              {t(one.isLost === true ? 'im.chooseFile' : 'im.resend')}
            </Button>
          )}
          {(send !== 'ING' || file !== undefined) && (
            <Button kind="link" size="small" onClick={() => discard(one.uuid)}>
              {t(send === 'ERR' ? 'im.drop2' : 'im.cancel')}
            </Button>
          )}
        </footer>
      </div>
    </div>
  )
}

/** Moves the focus between messages by the arrow keys, from the newest upwards. */
function stepMessages(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const list = event.currentTarget
  const focused = event.target as HTMLElement
  // Inside a message, keys belong to what is in it.
  if (step === undefined || (focused !== list && focused.dataset['number'] === undefined)) return
  const items = [...list.querySelectorAll<HTMLElement>('[data-number]')]
  const at = focused === list ? items.length : items.indexOf(focused)
  const next = items[at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** The messages with their scroll position: the one in view stays where it is while others are added around it. */
function Messages(props: {
  readonly chat: TalkChat
  readonly stretch: Stretch
  readonly outgoing: readonly Outgoing[]
  readonly actions: MessageActions
  readonly marked: number | undefined
  readonly divider: number
  readonly selected: ReadonlySet<number> | undefined
  readonly onSelect: (number: number) => void
  readonly onEnd: (isAtEnd: boolean) => void
}): ReactNode {
  const { chat, stretch, outgoing, actions, marked, divider, selected, onSelect, onEnd } = props
  const t = useT()
  const me = myId()
  const box = useRef<HTMLDivElement>(null)
  const anchor = useRef<Anchor>(undefined)
  const { messages, older, newer } = stretch
  const { conversationId, name, push, isMember, dissolved, mayWrite } = chat
  const place = useMemo(
    (): MessagePlace => ({ conversationId, name, push, isMember, dissolved, mayWrite }),
    [conversationId, name, push, isMember, dissolved, mayWrite],
  )
  const first = messages[0]?.number ?? 0
  const loading = useRef(false)

  useLayoutEffect(() => {
    if (box.current !== null) anchor.current ??= createAnchor(box.current)
    anchor.current?.restore()
  }, [messages, outgoing])

  // What grows later, such as a card or a picture, moves nothing either.
  useEffect(() => {
    const element = box.current
    const inside = element?.firstElementChild
    if (element === null || inside === null || inside === undefined) return undefined
    const watch = new ResizeObserver(() => anchor.current?.restore())
    watch.observe(inside)
    watch.observe(element)
    return () => watch.disconnect()
  }, [])

  useLayoutEffect(() => {
    if (marked === undefined) return
    box.current?.querySelector(`[data-number="${marked}"]`)?.scrollIntoView({ block: 'center' })
    anchor.current?.look()
  }, [marked, stretch.state])
  useEffect(() => () => notePlace(conversationId, undefined), [conversationId])

  const more = async (where: { before: number } | { after: number }): Promise<void> => {
    if (loading.current) return
    loading.current = true
    await readPage(conversationId, where)
    loading.current = false
  }
  const onScroll = (): void => {
    const element = box.current
    if (element === null) return
    const { isAtEnd = true, number } = anchor.current?.look() ?? {}
    const isAtNewest = isAtEnd && !newer
    notePlace(conversationId, isAtNewest || number === undefined ? undefined : Number(number))
    onEnd(isAtNewest)
    const last = messages.at(-1)?.number ?? 0
    if (element.scrollTop < 200 && older) void more({ before: first })
    if (element.scrollHeight - element.scrollTop - element.clientHeight < 200 && newer) void more({ after: last })
  }

  return (
    <div
      ref={box}
      className="im-scroll"
      onScroll={onScroll}
      onKeyDown={stepMessages}
      role="log"
      aria-live="off"
      aria-label={t('im.messageList')}
      tabIndex={0}
    >
      <div className="im-list">
        {older && <p className="im-line">{t('im.loading')}</p>}
        {messages.map((message, n) => {
          const before = messages[n - 1]
          const isLater = before === undefined || message.timestamp - before.timestamp > gapMs
          return (
            <div
              key={message.number}
              data-number={message.number}
              role="article"
              tabIndex={-1}
              className={message.number === marked ? 'im-item is-marked' : 'im-item'}
            >
              {isLater && <time className="im-line">{minuteOf(message.timestamp)}</time>}
              {divider !== 0 &&
                message.number > divider &&
                (before === undefined || before.number <= divider) &&
                message.from !== me && <p className="im-divider">{t('im.newMessages')}</p>}
              {selected !== undefined && !message.recall && message.data.type !== 'notify' && (
                <input
                  type="checkbox"
                  aria-label={t('im.select')}
                  checked={selected.has(message.number)}
                  onChange={() => onSelect(message.number)}
                />
              )}
              <MessageView
                message={message}
                chat={place}
                isRead={message.number <= chat.peerReadNumber}
                me={me}
                quoted={
                  message.quote === 0
                    ? undefined
                    : (messages.find(({ number }) => number === message.quote) ?? stretch.quoted.get(message.quote))
                }
                actions={actions}
                recalled={recalledTexts.get(`${conversationId} ${message.number}`)}
              />
            </div>
          )
        })}
        {!newer &&
          outgoing.map((one, n) => (
            <OutgoingView key={one.uuid} one={one} isHeld={n > 0 && outgoing[0]?.send === 'ERR'} />
          ))}
      </div>
    </div>
  )
}

/** The date and time above a group of messages. */
function minuteOf(ms: number): string {
  const time = new Date(ms)
  const hour = `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday ? hour : `${time.getFullYear()}-${time.getMonth() + 1}-${time.getDate()} ${hour}`
}

/** Shows the items of a link file ([R131]), and sends cards of those that the user chooses. */
async function sendLinked({ items }: CloudLink, conversationId: number, target: string): Promise<void> {
  const chosen = await openWindow('cloudoc-dmcdFilelist', { items, use: 'send', target })
  for (const { fType, fId } of chosen ?? []) sendMessage(conversationId, { type: 'share', value: '', fType, fId })
}

/** Shows a message, and reads those around it where they are not here. */
function useJump(conversationId: number, show: (number: number) => void): (number: number) => void {
  return useCallback(
    (number: number): void => {
      show(number)
      if (
        !stretchStore
          .getState()
          .byId.get(conversationId)
          ?.messages.some((one) => one.number === number)
      )
        void readPage(conversationId, { around: number })
    },
    [conversationId, show],
  )
}

interface HeadProps extends Pick<ConversationProps, 'chat' | 'hasInfo' | 'onInfo' | 'onBack'> {
  readonly name: string
}

/** The name of the conversation, who types, and the ways to its search, history and facts. */
function Head({ chat, name, hasInfo, onInfo, onBack }: HeadProps): ReactNode {
  const t = useT()
  const { conversationId } = chat
  const typing = useTyping(conversationId)
  return (
    <header className="im-head">
      <IconButton className="im-back" label={t('im.back')} icon={<ArrowLeft20Regular />} onClick={onBack} />
      <h1 data-tip={name}>{name}</h1>
      {chat.push === 'GROUP' && chat.isMember && <span>{t('im.members', { n: chat.members })}</span>}
      {typing.length > 0 && <em role="status">{t('im.typing', { names: typing.slice(0, 3).join(t('im.and')) })}</em>}
      <span className="im-head-ways">
        <IconButton
          label={t('talk.window.search')}
          icon={<Search20Regular />}
          onClick={() => void openWindow('im-search', { conversationId })}
        />
        <IconButton
          label={t('im.history')}
          icon={<History20Regular />}
          onClick={() => void openWindow('im-chat-log', { conversationId, name })}
        />
        <IconButton label={t('im.info')} icon={<Info20Regular />} pressed={hasInfo} onClick={onInfo} />
      </span>
    </header>
  )
}

interface SelectingProps {
  readonly n: number
  readonly onForward: (isMerged: boolean) => void
  readonly onCancel: () => void
}

/** What can be done with the selected messages. */
function Selecting({ n, onForward, onCancel }: SelectingProps): ReactNode {
  const t = useT()
  return (
    <div className="im-selecting">
      <span>{t('im.selected', { n })}</span>
      <Button disabled={n === 0} onClick={() => onForward(true)}>
        {t('im.forwardMerged')}
      </Button>
      <Button disabled={n === 0} onClick={() => onForward(false)}>
        {t('im.forwardEach')}
      </Button>
      <Button onClick={onCancel}>{t('im.cancel')}</Button>
    </div>
  )
}

/** The open conversation. */
export function Conversation({ chat, hasInfo, onInfo, onBack, at }: ConversationProps): ReactNode {
  const t = useT()
  const { conversationId } = chat
  const stretch = useStore(stretchStore, ({ byId }) => byId.get(conversationId)) ?? nothing
  const all = useStore(outboxStore, ({ list }) => list)
  const outgoing = useMemo(() => all.filter((one) => one.conversationId === conversationId), [all, conversationId])
  const [marked, setMarked] = useState(at)
  const [isAtEnd, setAtEnd] = useState(true)
  const [selected, setSelected] = useState<ReadonlySet<number>>()
  const [isOver, setOver] = useState(false)
  const composer = useRef<ComposerHandle>(undefined)
  const isOnline = useOnline()
  const said = useAnnouncement(stretch.messages, isAtEnd && !stretch.newer)
  // Where reading stopped when the conversation was opened.
  const [divider] = useState(chat.unread > 0 ? chat.readNumber : 0)
  const newest = stretch.newer ? 0 : (stretch.messages.at(-1)?.number ?? 0)
  useReading(chat, isAtEnd && !stretch.newer, newest)

  useEffect(() => keepChat(conversationId), [conversationId])
  useEffect(() => {
    void readPage(conversationId, at === undefined ? {} : { around: at })
  }, [conversationId, at])

  const handle = useCallback((made: ComposerHandle | undefined) => {
    composer.current = made
  }, [])
  const jump = useJump(conversationId, setMarked)
  const toNewest = (): void => {
    setMarked(undefined)
    void readPage(conversationId).then(() => {
      const box = document.querySelector('.im-scroll')
      if (box !== null) box.scrollTop = box.scrollHeight
    })
  }
  const actions: MessageActions = useMemo(
    () => ({
      quote: (message) => composer.current?.quote(message),
      edit: (message) => composer.current?.edit(message),
      forward: (numbers) => void forwardMessages(conversationId, numbers),
      select: (number) => setSelected(new Set([number])),
      jump,
      mention: (person) => composer.current?.mention(person),
    }),
    [conversationId, jump],
  )
  const toggle = (number: number): void =>
    setSelected((before = new Set()) => {
      const next = new Set(before)
      if (!next.delete(number)) next.add(number)
      return next
    })
  const forwardSelected = async (isMerged: boolean): Promise<void> => {
    if (selected === undefined || selected.size === 0) return
    if (
      await forwardMessages(
        conversationId,
        [...selected].sort((a, b) => a - b),
        isMerged,
      )
    )
      setSelected(undefined)
  }
  const drop = (event: DragEvent): void => {
    setOver(false)
    const files = [...event.dataTransfer.files]
    const link = linkOfDrag(event.dataTransfer)
    if ((files.length === 0 && link === undefined) || !chat.mayWrite) return
    event.preventDefault()
    void linkOfFiles(files).then((linked = link) => {
      if (linked === undefined) composer.current?.files(files)
      else return sendLinked(linked, conversationId, chatName(t, chat))
    })
  }
  const name = chatName(t, chat)
  return (
    <section
      className="im-conversation"
      aria-label={name}
      onDragOver={(event) => {
        if (!(carriesFiles(event.dataTransfer) || carriesCloudLink(event.dataTransfer)) || !chat.mayWrite) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget === event.target && setOver(false)}
      onDrop={drop}
    >
      <Head chat={chat} name={name} hasInfo={hasInfo} onInfo={onInfo} onBack={onBack} />
      {!isOnline && (
        <p className="im-strip" role="status">
          {t('im.offline')}
        </p>
      )}
      <div className="im-middle">
        {stretch.state === 'loading' && stretch.messages.length === 0 ? (
          <Spinner label={t('im.loading')} />
        ) : stretch.state === 'failed' ? (
          <StatePage title={t('im.failed')}>
            <Button onClick={() => void readPage(conversationId)}>{t('im.retry')}</Button>
          </StatePage>
        ) : (
          <Messages
            chat={chat}
            stretch={stretch}
            outgoing={outgoing}
            actions={actions}
            marked={marked}
            divider={divider}
            selected={selected}
            onSelect={toggle}
            onEnd={(end) => {
              setAtEnd(end)
              if (end) setMarked(undefined)
            }}
          />
        )}
        <ChatWatermark />
        {(!isAtEnd || stretch.newer) && stretch.state === 'ready' && (
          <Button className="im-down" icon={<ArrowDown20Regular />} onClick={toNewest}>
            {chat.unread > 0 ? t('im.newBelow', { n: chat.unread }) : t('im.toNewest')}
          </Button>
        )}
        {isOver && <div className="im-drop">{t('im.drop', { name })}</div>}
        <div className="sr-only" aria-live="polite">
          {said}
        </div>
      </div>
      {selected !== undefined ? (
        <Selecting
          n={selected.size}
          onForward={(isMerged) => void forwardSelected(isMerged)}
          onCancel={() => setSelected(undefined)}
        />
      ) : chat.mayWrite ? (
        <Composer
          key={conversationId}
          chat={chat}
          handle={handle}
          quotedOf={(number) => stretch.messages.find((one) => one.number === number) ?? stretch.quoted.get(number)}
        />
      ) : (
        <p className="im-closed">
          {t(chat.isMember && chat.allMuted && !chat.dissolved ? 'im.allMutedNote' : 'im.closed')}
        </p>
      )}
    </section>
  )
}
