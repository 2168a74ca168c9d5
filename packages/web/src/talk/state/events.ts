// What the push channel says about messaging, for whichever part is loaded: the badge alone, or the pages too.
import type { PushPayload } from '@cloudoc/contract'
import { createStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'

export interface TalkEvents {
  readonly message: PushPayload<'messageReceived'>
  readonly changed: PushPayload<'talkChanged'>
  readonly read: PushPayload<'talkRead'>
  readonly typing: PushPayload<'talkTyping'>
  /** Pushes were missed; everything shown is read again. */
  readonly missed: undefined
}
type Listener = <K extends keyof TalkEvents>(kind: K, payload: TalkEvents[K]) => void
const listeners = new Set<Listener>()

/** Hears everything about messaging until the returned function is called. */
export function onTalk(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Passes a push on. */
export function emitTalk<K extends keyof TalkEvents>(kind: K, payload: TalkEvents[K]): void {
  for (const listener of listeners) listener(kind, payload)
}

/** Unread messages for the badge of the rail (X76). */
export const unreadStore = createStore<{ readonly unread: number }>(() => ({ unread: 0 }))

/** Reads the number of unread messages again, once for pushes that arrive together. */
export const refreshUnread = createBatcher(async () => {
  const answer = await api.imChatList({ rows: 1 }, { quiet: true }).catch(() => undefined)
  if (answer !== undefined) unreadStore.setState({ unread: answer.unread })
})
