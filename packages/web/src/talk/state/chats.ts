// The list of conversations, kept current by pushes ([R399]).
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import { createStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { sessionStore } from '../../core/session/session.ts'
import { onTalk, unreadStore } from './events.ts'

interface Chats {
  readonly state: 'loading' | 'ready' | 'failed'
  readonly byId: ReadonlyMap<number, TalkChat>
  readonly more: boolean
}

/** The conversations of this page. */
export const chatsStore = createStore<Chats>(() => ({ state: 'loading', byId: new Map(), more: false }))

/** The person of this page. */
export const myId = (): number => sessionStore.getState().session?.account.userId ?? 0

const pageRows = 100

/** Pinned conversations first, then the newest. */
export function inOrder(chats: Iterable<TalkChat>): TalkChat[] {
  return [...chats].sort(
    (a, b) => Number(b.top) - Number(a.top) || b.timestamp - a.timestamp || b.conversationId - a.conversationId,
  )
}

function put(...chats: readonly TalkChat[]): void {
  chatsStore.setState(({ byId }) => {
    const next = new Map(byId)
    for (const chat of chats) next.set(chat.conversationId, chat)
    return { byId: next }
  })
}

/** Changes what is shown of a conversation until the server has answered. */
export function patchChat(conversationId: number, change: Partial<TalkChat>): void {
  const chat = chatsStore.getState().byId.get(conversationId)
  if (chat !== undefined) put({ ...chat, ...change })
}

/** Takes a conversation off the shown list. */
export function dropChat(conversationId: number): void {
  chatsStore.setState(({ byId }) => {
    const next = new Map(byId)
    next.delete(conversationId)
    return { byId: next }
  })
}

/** Loads the list. */
export async function loadChats(): Promise<void> {
  try {
    const { list, more, unread } = await api.imChatList({ rows: pageRows })
    unreadStore.setState({ unread })
    // A conversation that is open and not on the list stays known.
    const open = new Map([...chatsStore.getState().byId].filter(([id]) => kept.has(id)))
    chatsStore.setState({
      state: 'ready',
      more,
      byId: new Map([...open, ...list.map((chat) => [chat.conversationId, chat] as const)]),
    })
  } catch {
    if (chatsStore.getState().state !== 'ready') chatsStore.setState({ state: 'failed' })
  }
}

/** Loads the next page of the list. */
export async function loadMoreChats(): Promise<void> {
  const { byId, more } = chatsStore.getState()
  if (!more) return
  const answer = await api.imChatList({ from: byId.size, rows: pageRows })
  put(...answer.list)
  chatsStore.setState({ more: answer.more })
}

/** Conversations that are open now. */
const kept = new Set<number>()

/** Keeps a conversation in the list while it is open. */
export function keepChat(conversationId: number): () => void {
  kept.add(conversationId)
  return () => kept.delete(conversationId)
}

const stale = new Set<number>()
const refreshSoon = createBatcher(async () => {
  const ids = [...stale]
  stale.clear()
  if (ids.length > 10) return loadChats()
  await Promise.all(
    ids.map(async (conversationId) => {
      const chat = await api.imGetChat({ conversationId }, { quiet: true }).catch(() => undefined)
      if (chat !== undefined && (chat.lastNumber > 0 || kept.has(conversationId))) put(chat)
    }),
  )
})

/** Reads one conversation again, soon. */
export function refreshChat(conversationId: number): void {
  stale.add(conversationId)
  refreshSoon()
}

/** Puts a conversation that was just opened or made into the list. */
export function knowChat(chat: TalkChat): void {
  put(chat)
}

function take(message: TalkMessage): void {
  const chat = chatsStore.getState().byId.get(message.conversationId)
  const isNew = message.number === message.changed
  if (chat === undefined || !isNew || message.number <= chat.lastNumber) {
    // What a change makes unread, or no longer, is counted by the server.
    if (chat?.last?.number === message.number) patchChat(message.conversationId, { last: message })
    return refreshChat(message.conversationId)
  }
  const me = myId()
  const counts = message.from !== me && message.data.type !== 'notify'
  const meant = message.mentions.some(({ userId }) => userId === 0 || userId === me)
  put({
    ...chat,
    last: message,
    lastNumber: message.number,
    timestamp: message.timestamp,
    unread: counts ? Math.min(100, (chat.markedUnread && chat.unread === 1 ? 0 : chat.unread) + 1) : chat.unread,
    mentioned: chat.mentioned || (counts && meant),
  })
}

/** Keeps the list current until the returned function is called. */
export function followChats(): () => void {
  void loadChats()
  return onTalk((kind, payload) => {
    if (kind === 'message') take(payload as TalkMessage)
    else if (kind === 'missed') void loadChats()
    else if (kind === 'changed') refreshChat((payload as { conversationId: number }).conversationId)
    else if (kind === 'read') {
      const { conversationId, userId, readNumber } = payload as {
        conversationId: number
        userId: number
        readNumber: number
      }
      const chat = chatsStore.getState().byId.get(conversationId)
      if (userId === myId()) refreshChat(conversationId)
      else if (chat?.push === 'USER')
        patchChat(conversationId, { peerReadNumber: Math.max(chat.peerReadNumber, readNumber) })
    }
  })
}
