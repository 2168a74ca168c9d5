// Enter that is pressed before what is offered for the words that were typed has come counts when it is there: on a slow
// server it would take what was offered for other words.
import { useEffect, useEffectEvent, useRef } from 'react'

interface PendingEnter {
  /** Enter. */
  readonly take: () => void
  /** Other words are typed, or it was given up. */
  readonly forget: () => void
}

/** `isWaiting`: what is offered belongs to other words; `onTake` takes of what is offered. */
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
