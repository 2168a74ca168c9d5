// Dates of the demo documents: within the last year, on working days and in office hours of Shanghai; deterministic per
// document and day.
import { random } from './random.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const shanghai = 8 * 60 * minuteMs
const days = 364
/** Start and end of the office hours in minutes of the day. */
const office = [8 * 60 + 30, 18 * 60] as const

/** Returns the dates of the versions of one document, oldest first; none of them is today. */
export function datesOf(seed: string, versions: number, now: number): number[] {
  const r = random(`${seed}/dates`)
  const today = Math.floor((now + shanghai) / dayMs)
  let ago = r.whole(1, days)
  const dates = Array.from({ length: versions }, () => {
    const day = workingDay(today - ago)
    ago = Math.max(1, ago - r.whole(1, 24))
    return day * dayMs - shanghai + r.whole(...office) * minuteMs + r.whole(0, 59_999)
  })
  return dates.sort((a, b) => a - b)
}

/** Returns the day, or the Friday before it. */
function workingDay(day: number): number {
  // 1970 began on a Thursday.
  const weekday = (day + 4) % 7
  return weekday === 6 ? day - 1 : weekday === 0 ? day - 2 : day
}
