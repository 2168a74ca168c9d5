// Texts that were begun: kept in this browser at once, and on the server for other devices.

import { api } from '../../core/call/api.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { myId, patchChat } from './chats.ts'
import type { TalkPerson } from './people.ts'

export interface ComposerDraft {
  readonly text: string
  readonly quote: number
  readonly mentions: readonly TalkPerson[]
}

const keyOf = (conversationId: number): string => `im__draft.${myId()}.${conversationId}`
const saveMs = 1500
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** The draft of a conversation in this browser. */
export function draftOf(conversationId: number): ComposerDraft | undefined {
  const text = stored(keyOf(conversationId))
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as ComposerDraft
  } catch {
    return undefined
  }
}

/** Keeps the draft of a conversation; it goes to the server when the person pauses. */
export function keepDraft(conversationId: number, draft: ComposerDraft): void {
  const isEmpty = draft.text === '' && draft.quote === 0
  store(keyOf(conversationId), isEmpty ? undefined : JSON.stringify(draft))
  clearTimeout(timers.get(conversationId))
  const save = (): void => {
    patchChat(conversationId, { draft: draft.text, draftTime: draft.text === '' ? null : Date.now() })
    void api.imSaveDraft({ conversationId, draft: draft.text }).catch(() => undefined)
  }
  if (isEmpty) save()
  else timers.set(conversationId, setTimeout(save, saveMs))
}
