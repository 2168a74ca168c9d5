// Calendar days in a time zone. Every "today", chart and daily limit uses the days of the company's time zone.

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000

/** A calendar day in a time zone. */
export interface CalendarDay {
  /** The date, as YYYY-MM-DD. */
  readonly day: string
  /** The number of days from 1970-01-01 to this date. */
  readonly number: number
  /** The moment at which the day begins, in milliseconds since 1970. */
  readonly from: number
  /** The moment at which the next day begins. */
  readonly until: number
}

/** Returns the calendar day of a moment in an IANA time zone. A day has 23 to 25 hours where clocks are changed. */
export function calendarDay(at: number, timeZone: string): CalendarDay {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const day = format.format(at)
  // Since 1980, offsets from UTC and clock changes are multiples of a quarter of an hour.
  let from = Math.floor(at / quarterMs) * quarterMs
  while (format.format(from - quarterMs) === day) from -= quarterMs
  let until = Math.floor(at / quarterMs) * quarterMs + quarterMs
  while (format.format(until) === day) until += quarterMs
  return { day, number: Date.parse(day) / dayMs, from, until }
}

/** Returns the last `count` calendar days up to the day of a moment, oldest first. */
export function calendarDays(at: number, timeZone: string, count: number): CalendarDay[] {
  const days = [calendarDay(at, timeZone)]
  while (days.length < count) days.unshift(calendarDay((days[0] as CalendarDay).from - 1, timeZone))
  return days
}
