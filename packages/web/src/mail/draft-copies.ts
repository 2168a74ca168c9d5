/*
 * What is being written, kept in this browser at once: the draft on the server follows, and may not arrive when the
 * session ends or the connection is lost. Only the person who wrote it gets it back.
 */
import type { OutgoingMail } from '@cloudoc/contract'
import { sessionStore } from '../core/session/session.ts'
import { store, stored } from '../core/storage/storage.ts'

/** What a person writes of a mail. */
export type Written = Pick<OutgoingMail, 'boxId' | 'fromAddress' | 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

interface DraftCopy {
  /** The version of the draft on the server that it was written on. */
  readonly version: number
  readonly written: Written
}

const keyOf = (outgoingId: number): string =>
  `mail__draft.${sessionStore.getState().session?.account.userId ?? 0}.${outgoingId}`

/** Keeps what is written. */
export function keepCopy(outgoingId: number, copy: DraftCopy): void {
  store(keyOf(outgoingId), JSON.stringify(copy))
}

/** Removes what the server has. */
export function dropCopy(outgoingId: number): void {
  store(keyOf(outgoingId), undefined)
}

/** What this browser has of a draft that the server has not. */
export function copyOf(outgoingId: number): DraftCopy | undefined {
  const text = stored(keyOf(outgoingId))
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as DraftCopy
  } catch {
    return undefined
  }
}
