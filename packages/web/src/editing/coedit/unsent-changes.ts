// The changes of a co-editing session that the server has not confirmed. This browser stores them.
import * as Y from 'yjs'
import { debounced, saveWait } from '../../core/storage/debounced.ts'

/** The maximum number of bytes per request; larger changes come from editing offline. */
const sentAtOnce = 180 * 1024

export interface UnsentChanges {
  readonly add: (change: Uint8Array) => void
  readonly isDirty: () => boolean
  /** Whether a change has been sent and not been confirmed yet. */
  readonly isSending: () => boolean
  /** Whether changes have not been sent yet. */
  readonly hasWaiting: () => boolean
  /** The change to send: the one that is not confirmed, or the next ones. */
  readonly next: () => Uint8Array
  readonly confirmed: () => void
  /** Sends this change in place of all others. */
  readonly replace: (change: Uint8Array) => void
  readonly keepNow: () => Promise<void>
  readonly cancelKeeping: () => void
}

/** `storeUnsent` stores them in this browser. */
export function openUnsentChanges(storeUnsent: (unsent: Uint8Array) => Promise<unknown>): UnsentChanges {
  let waiting: Uint8Array[] = []
  let sending: Uint8Array | undefined
  const merged = (): Uint8Array | undefined => {
    const all = sending === undefined ? waiting : [sending, ...waiting]
    return all.length === 0 ? undefined : Y.mergeUpdates(all)
  }
  const keepNow = async (): Promise<void> => {
    keeping.cancel()
    const own = merged()
    if (own !== undefined) await storeUnsent(own)
  }
  const keeping = debounced(() => void keepNow(), saveWait)
  return {
    add(change) {
      waiting.push(change)
      keeping.later()
    },
    isDirty: () => sending !== undefined || waiting.length > 0,
    isSending: () => sending !== undefined,
    hasWaiting: () => waiting.length > 0,
    next() {
      if (sending === undefined) {
        let bytes = 0
        const count = waiting.findIndex((each) => (bytes += each.length) > sentAtOnce)
        const next = count < 0 ? waiting : waiting.slice(0, Math.max(1, count))
        waiting = waiting.slice(next.length)
        sending = Y.mergeUpdates(next)
      }
      return sending
    },
    confirmed() {
      sending = undefined
    },
    replace(change) {
      sending = change
      waiting = []
    },
    keepNow,
    cancelKeeping: () => keeping.cancel(),
  }
}
