import { limits } from '@cloudoc/domain'
import { useEffect, useState } from 'react'

/** True once something has lasted long enough to be worth showing that one waits ([R390]). */
export function useDelayed(waiting: boolean): boolean {
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!waiting) return setLong(false)
    const timer = setTimeout(() => setLong(true), limits.spinnerDelayMs)
    return () => clearTimeout(timer)
  }, [waiting])
  return waiting && long
}
