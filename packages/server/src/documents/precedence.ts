/*
 * Priority of interactive work: while documents are being opened in this process, thumbnails and text extraction of new
 * files are delayed, but only for a limited time.
 */
import { EventEmitter, once } from 'node:events'

/** Maximum delay of background work. */
const patienceMs = 5000
let opened = 0
const ends = new EventEmitter().setMaxListeners(0)

/** Runs interactive work. */
export async function beforeOthers<T>(work: () => Promise<T>): Promise<T> {
  opened += 1
  try {
    return await work()
  } finally {
    opened -= 1
    if (opened === 0) ends.emit('end')
  }
}

/** Resolves once no interactive work is running, or after the maximum delay. */
export async function afterOthers(signal: AbortSignal): Promise<void> {
  if (opened === 0) return
  await once(ends, 'end', { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) }).catch(() => {})
}
