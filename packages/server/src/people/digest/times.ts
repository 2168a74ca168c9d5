// When the next mail is due.
import type { DigestTimes } from '@cloudoc/contract'

const hourMs = 60 * 60_000
/** Time zone offsets are multiples of a quarter of an hour. */
const stepMs = 15 * 60_000
const mailHour = 9
const weekend = new Set(['Sat', 'Sun'])

/** Returns the next full hour, or the next 9:00 of a day, after a moment. */
export function nextDigest(every: Exclude<DigestTimes, 'never'>, timeZone: string, after: number): number {
  if (every === 'hourly') return (Math.floor(after / hourMs) + 1) * hourMs
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  const isDue = (at: number): boolean => {
    const told = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]))
    if (Number(told['hour']) !== mailHour || Number(told['minute']) !== 0) return false
    return every === 'daily' || !weekend.has(told['weekday'] ?? '')
  }
  let at = (Math.floor(after / stepMs) + 1) * stepMs
  while (!isDue(at)) at += stepMs
  return at
}
