import { limits } from '@cloudoc/domain'
import { useEffect, useState } from 'react'

/** How many waits are shown now, and when the last one ended. */
let shown = 0
let endedAt = Number.NEGATIVE_INFINITY
/** A wait that begins within so many milliseconds of the end of another one is the same to whoever waits. */
const sameMs = 100
const goesOn = (): boolean => shown > 0 || performance.now() - endedAt < sameMs

/**
 * True once something has lasted long enough to be worth showing that one waits ([R390]). Where one wait is shown already,
 * the next goes on at once: between a page and its rows nothing stands empty.
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
