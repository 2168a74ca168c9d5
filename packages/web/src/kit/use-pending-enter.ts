// Defers an Enter that is pressed before the suggestions for the typed text have arrived. Otherwise a slow server would
// cause a suggestion for an earlier text to be chosen.
import { useEffect, useEffectEvent, useRef } from 'react'

interface PendingEnter {
  /** Enter. */
  readonly take: () => void
  /** The text was changed, or the input was cancelled. */
  readonly forget: () => void
}

/** `isWaiting`: the shown suggestions belong to an earlier text. `onTake` chooses one of the suggestions. */
export function usePendingEnter(isWaiting: boolean, onTake: () => void): PendingEnter {
  const asked = useRef(false)
  const act = useEffectEvent(onTake)
  useEffect(() => {
    if (isWaiting || !asked.current) return
    asked.current = false
    act()
  }, [isWaiting])
  return {
    take() {
      if (isWaiting) asked.current = true
      else onTake()
    },
    forget() {
      asked.current = false
    },
  }
}
