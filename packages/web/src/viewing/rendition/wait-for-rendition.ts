// Waits for a result of the server: a rendition, or extracted text.
import { codes } from '@cloudoc/domain'

/** A failed conversion; `state` is the reason (-201 to -206). */
export class RenditionFailed extends Error {
  override readonly name = 'NotMade'
  readonly state: number

  constructor(state: number, message: string) {
    super(message)
    this.state = state
  }
}

/** The minimum and maximum polling interval, in milliseconds. */
const [firstLook, lastLook] = [120, 1500]
/** The minimum interval between long-polling requests, also if the server answers immediately. */
const atLeast = 20
/** Milliseconds that the server may hold a response without news. */
export const longPollMs = 1000
/** The polling interval as a fraction of the time elapsed so far. */
const late = 0.25

/**
 * Polls with increasing intervals (or immediately again, if the server holds responses until there is news) until the
 * result exists. Returns the last answer; throws `NotMade` if it cannot be created.
 */
export async function waitForRendition<A extends { readonly state: number; readonly msg: string }>(
  look: () => Promise<A>,
  signal: AbortSignal,
  waiting?: (answer: A) => void | Promise<void>,
  isHeld = false,
): Promise<A> {
  const since = performance.now()
  for (;;) {
    const answer = await look()
    signal.throwIfAborted()
    if (answer.state === codes.success.code) return answer
    if (answer.state !== codes.converting.code) throw new RenditionFailed(answer.state, answer.msg)
    await waiting?.(answer)
    signal.throwIfAborted()
    const soon = isHeld ? atLeast : Math.max(firstLook, (performance.now() - since) * late)
    await pause(Math.min(lastLook, soon), signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
