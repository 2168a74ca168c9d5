/*
 * Whether somebody has seen what is shown: the page is visible and has the focus for a second without interruption, and
 * the person has done something within five minutes. A window behind others, a locked screen or an empty chair reads
 * nothing.
 */

const seenAfterMs = 1000
const lookEveryMs = 250
/** Somebody who has done nothing for so long is not reading. */
const idleMs = 5 * 60_000

/** When the person last did anything on this page. */
let activeAt = Date.now()
for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'])
  globalThis.addEventListener?.(kind, () => {
    activeAt = Date.now()
  })

/** Conversations that the person has marked as unread while they were open: not read until opened anew. */
export const shownUnread = new Set<number>()

const isThere = (): boolean =>
  document.visibilityState === 'visible' && document.hasFocus() && Date.now() - activeAt < idleMs

/** Runs `seen` once when what is shown now has been seen, unless the returned function is called before. */
export function whenSeen(seen: () => void): () => void {
  let since: number | undefined
  const timer = setInterval(() => {
    if (!isThere()) {
      since = undefined
      return
    }
    since ??= Date.now()
    if (Date.now() - since < seenAfterMs) return
    clearInterval(timer)
    seen()
  }, lookEveryMs)
  return () => clearInterval(timer)
}
