/*
 * The messages of conversations that this page has shown: for each one stretch of its history without holes. New
 * messages are appended only to a stretch that reaches the newest; changes replace what is shown, whichever came first.
 */
import type { TalkMessage } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { createStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { onTalk } from './events.ts'

export interface Stretch {
  readonly state: 'loading' | 'ready' | 'failed'
  /** Ascending by number. */
  readonly messages: readonly TalkMessage[]
  readonly older: boolean
  readonly newer: boolean
  /** Quoted messages by number; null: not to be read. */
  readonly quoted: ReadonlyMap<number, TalkMessage | null>
}

const empty: Stretch = { state: 'loading', messages: [], older: false, newer: false, quoted: new Map() }

/** The stretches by conversation. */
export const stretchStore = createStore<{ readonly byId: ReadonlyMap<number, Stretch> }>(() => ({ byId: new Map() }))

/** The stretch of a conversation. */
export const stretchOf = (conversationId: number): Stretch => stretchStore.getState().byId.get(conversationId) ?? empty

function set(conversationId: number, change: Partial<Stretch>): void {
  stretchStore.setState(({ byId }) => ({
    byId: new Map(byId).set(conversationId, { ...(byId.get(conversationId) ?? empty), ...change }),
  }))
}

/** Changes that arrived while a page was being read, by conversation: the newest of each message. */
const newest = new Map<string, TalkMessage>()
const keyOf = ({ conversationId, number }: Pick<TalkMessage, 'conversationId' | 'number'>): string =>
  `${conversationId} ${number}`

function latest(message: TalkMessage): TalkMessage {
  const known = newest.get(keyOf(message))
  return known !== undefined && known.changed > message.changed ? known : message
}

/** What has come by push behind a page that reached the newest message when the server read it. */
const arrivedBehind = (conversationId: number, last: number): TalkMessage[] =>
  [...newest.values()].filter((one) => one.conversationId === conversationId && one.number > last)

/** Joins messages to one ascending list, the newer state of each. */
export function merged(...lists: readonly (readonly TalkMessage[])[]): TalkMessage[] {
  const byNumber = new Map<number, TalkMessage>()
  for (const message of lists.flat()) {
    const known = byNumber.get(message.number)
    if (known === undefined || known.changed <= message.changed) byNumber.set(message.number, message)
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number)
}

type Place = { before?: number; after?: number; around?: number; date?: number; rows?: number }

async function readQuotes(conversationId: number): Promise<void> {
  const { messages, quoted } = stretchOf(conversationId)
  const known = new Map(messages.map((message) => [message.number, message]))
  const wanted = [...new Set(messages.map(({ quote }) => quote))].filter(
    (number) => number !== 0 && !known.has(number) && !quoted.has(number),
  )
  if (wanted.length === 0) return
  const asked = wanted.slice(0, 100)
  const answer = await api
    .imMessages({ conversationId, numbers: asked.join(',') }, { quiet: true })
    .catch(() => undefined)
  if (answer === undefined) return
  const found = new Map(answer.list.map((message) => [message.number, message]))
  set(conversationId, {
    quoted: new Map([...stretchOf(conversationId).quoted, ...asked.map((n) => [n, found.get(n) ?? null] as const)]),
  })
}

/** Reads a page of a conversation. Without a place: the newest, in place of what is shown. */
export async function readPage(conversationId: number, place: Place = {}): Promise<void> {
  const isNext = place.before !== undefined || place.after !== undefined
  if (!isNext && stretchOf(conversationId).messages.length === 0) set(conversationId, { state: 'loading' })
  try {
    const page = await api.imHistory({ conversationId, ...place })
    const list = page.list.map(latest)
    const before = stretchOf(conversationId)
    if (place.before !== undefined)
      set(conversationId, { messages: merged(list, before.messages), older: page.older, state: 'ready' })
    else {
      const behind = page.newer ? [] : arrivedBehind(conversationId, list.at(-1)?.number ?? place.after ?? 0)
      if (place.after !== undefined)
        set(conversationId, { messages: merged(before.messages, list, behind), newer: page.newer, state: 'ready' })
      else set(conversationId, { messages: merged(list, behind), older: page.older, newer: page.newer, state: 'ready' })
    }
    void readQuotes(conversationId)
  } catch {
    if (stretchOf(conversationId).messages.length === 0) set(conversationId, { state: 'failed' })
  }
}

/** Shows a message as it is now: one that was sent, received or changed. */
export function showMessage(message: TalkMessage): void {
  const { conversationId, number } = message
  newest.set(keyOf(message), message)
  if (newest.size > 500) newest.delete(newest.keys().next().value ?? '')
  const stretch = stretchStore.getState().byId.get(conversationId)
  if (stretch === undefined) return
  const isShown = stretch.messages.some((one) => one.number === number)
  const isNext = !stretch.newer && number > (stretch.messages.at(-1)?.number ?? 0)
  if (isShown || isNext) set(conversationId, { messages: merged(stretch.messages, [message]) })
  if (stretch.quoted.has(number)) set(conversationId, { quoted: new Map(stretch.quoted).set(number, message) })
  void readQuotes(conversationId)
}

/** Messages of one call at most. */
const mostRows = 100

/** The first message in view of conversations that are read above their end. */
const readPlaces = new Map<number, number>()

/** Notes where a conversation is read; undefined: at its end, or not at all. */
export function notePlace(conversationId: number, number: number | undefined): void {
  if (number === undefined) readPlaces.delete(conversationId)
  else readPlaces.set(conversationId, number)
}

/** The place of a stretch, so that what is read of it stays, however much has come behind it. */
function placeOf(conversationId: number, { messages, newer }: Stretch): Place {
  const rows = Math.min(mostRows, Math.max(limits.talkPage, messages.length))
  const around = readPlaces.get(conversationId) ?? (newer ? messages[messages.length >> 1]?.number : undefined)
  return around === undefined ? { rows } : { around, rows }
}

/** Keeps the messages current until the returned function is called. */
export function followMessages(): () => void {
  return onTalk((kind, payload) => {
    if (kind === 'message') showMessage(payload as TalkMessage)
    else if (kind === 'missed') {
      // What was missed may leave a hole, so stretches are read anew where they are.
      for (const [id, stretch] of stretchStore.getState().byId) void readPage(id, placeOf(id, stretch))
    }
  })
}
