// Waiting for what the server makes of a file: a rendition, its words.
import { codes } from '@cloudoc/domain'

/** What cannot be made; `state` is the number of why (-201 to -206). */
export class RenditionFailed extends Error {
  override readonly name = 'NotMade'
  readonly state: number

  constructor(state: number, message: string) {
    super(message)
    this.state = state
  }
}

/** Milliseconds between two looks, at least and at most. */
const [firstLook, lastLook] = [120, 1500]
/** Between two answers that were held, also where the server does not hold them. */
const atLeast = 20
/** Milliseconds for which the server may hold an answer that is no news. */
export const longPollMs = 1000
/** What a look may come too late by, of the time that it has taken so far. */
const late = 0.25

/** Looks, less and less often (or at once again, where answers are held until there is news), until it is made, and answers what the last look said; fails with NotMade where it cannot be. */
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
