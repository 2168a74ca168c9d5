/*
 * What somebody waits for goes before what nobody does: while documents are opened in this process, small pictures and words
 * of what has come in begin later, but not for ever.
 */
import { EventEmitter, once } from 'node:events'

/** What nobody waits for begins after so long in any case. */
const patienceMs = 5000
let opened = 0
const ends = new EventEmitter().setMaxListeners(0)

/** Does what somebody waits for. */
export async function beforeOthers<T>(work: () => Promise<T>): Promise<T> {
  opened += 1
  try {
    return await work()
  } finally {
    opened -= 1
    if (opened === 0) ends.emit('end')
  }
}

/** Resolves once nobody waits for a document, or has waited for long. */
export async function afterOthers(signal: AbortSignal): Promise<void> {
  if (opened === 0) return
  await once(ends, 'end', { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) }).catch(() => {})
}
