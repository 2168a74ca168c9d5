import { limits } from '@cloudoc/domain'
import { useEffect, useState } from 'react'

/** How many loading indicators are shown now, and when the last one ended. */
let shown = 0
let endedAt = Number.NEGATIVE_INFINITY
/** A wait that starts within this many milliseconds after another one counts as its continuation. */
const sameMs = 100
const goesOn = (): boolean => shown > 0 || performance.now() - endedAt < sameMs

/**
 * True once a wait has lasted long enough to show an indicator ([R390]). If an indicator is already shown, the next
 * wait continues it at once, so nothing flashes empty between a page and its rows.
 */
export function useDelayed(waiting: boolean): boolean {
  const [long, setLong] = useState(goesOn)
  useEffect(() => {
    if (!waiting) return setLong(false)
    const timer = setTimeout(() => setLong(true), limits.spinnerDelayMs)
    return () => clearTimeout(timer)
  }, [waiting])
  const isShown = waiting && long
  useEffect(() => {
    if (!isShown) return
    shown += 1
    return () => {
      shown -= 1
      endedAt = performance.now()
    }
  }, [isShown])
  return isShown
}
