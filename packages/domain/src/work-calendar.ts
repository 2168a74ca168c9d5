/*
 * Working days of the company. A week has fixed working days; single days differ from it: holidays, and days of a weekend
 * on which people work instead. Deadlines "in n working days" are computed by it, in the company's time zone.
 */
import { calendarDay } from './calendar-days.ts'

/** The working days of a week: Monday to Friday, Monday to Saturday, or all. */
export const workWeeks = [5, 6, 7] as const

/** Days that differ from the week, as an administrator enters them. */
export interface SpecialDays {
  readonly from: string
  readonly until: string
  readonly works: boolean
  readonly name: string
}

export interface WorkCalendar {
  readonly timeZone: string
  /** How many days of a week are worked, from Monday on. */
  readonly week: number
  /** By date (YYYY-MM-DD): whether people work on a day that differs from the week. */
  readonly days: ReadonlyMap<string, boolean>
}

const dayMs = 24 * 60 * 60_000
const date = String.raw`(\d{4}-\d{2}-\d{2})`
const line = new RegExp(
  String.raw`^\s*${date}(?:\s*(?:\.\.|~|～|至)\s*${date})?\s+(休|班|off|work)(?:\s+(.{0,60}?))?\s*$`,
  'iu',
)
/** The most days that one line names. */
const mostDays = 62

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10)
const isDate = (day: string): boolean => Number.isFinite(numberOf(day)) && dayOf(numberOf(day)) === day

/**
 * Reads one line such as `2026-10-01..2026-10-07 休 国庆节` or `2026-10-10 work`. Returns undefined if it is none, names no
 * date of the calendar, or more than two months.
 */
export function specialDaysOf(text: string): SpecialDays | undefined {
  const [, from = '', until = from, kind = '', name = ''] = line.exec(text) ?? []
  if (!isDate(from) || !isDate(until)) return undefined
  const count = numberOf(until) - numberOf(from) + 1
  if (count < 1 || count > mostDays) return undefined
  return { from, until, works: kind === '班' || kind.toLowerCase() === 'work', name }
}

/** The calendar of a company by its settings. Of two lines about one day the later one holds. */
export function workCalendar(
  { work_week, work_days }: { readonly work_week: number; readonly work_days: readonly string[] },
  timeZone: string,
): WorkCalendar {
  const days = new Map<string, boolean>()
  for (const text of work_days) {
    const special = specialDaysOf(text)
    if (special === undefined) continue
    for (let at = numberOf(special.from); at <= numberOf(special.until); at += 1) days.set(dayOf(at), special.works)
  }
  return { timeZone, week: workWeeks[work_week] ?? 5, days }
}

/** Identifies a calendar: two that are equal give the same deadlines. */
export const calendarKey = ({ timeZone, week, days }: WorkCalendar): string =>
  [
    timeZone,
    week,
    ...[...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, works]) => `${day}${works ? '+' : '-'}`),
  ].join(' ')

function works(calendar: WorkCalendar, number: number): boolean {
  // 1970-01-01 was a Thursday.
  const weekday = (((number + 3) % 7) + 7) % 7
  return calendar.days.get(dayOf(number)) ?? weekday < calendar.week
}

/** Whether people work on the day of a moment. */
export const isWorkday = (calendar: WorkCalendar, at: number): boolean =>
  works(calendar, calendarDay(at, calendar.timeZone).number)

/** Longer holidays do not exist; without a limit, a calendar without working days would be searched for ever. */
const longestSearch = 3 * 366

/**
 * The moment `count` working days after a moment: at the same time of day on that working day. From a day on which nobody
 * works it is counted from the next working day on, to the end of the last one.
 */
export function afterWorkdays(calendar: WorkCalendar, from: number, count: number): number {
  const start = calendarDay(from, calendar.timeZone)
  const inTime = works(calendar, start.number)
  let number = start.number
  for (let left = count, tried = 0; left > 0 && tried < longestSearch; tried += 1) {
    number += 1
    if (works(calendar, number)) left -= 1
  }
  const noon = dayNear(number, calendar.timeZone)
  return inTime ? sameTime(start.from, from, noon.from, noon.until, calendar.timeZone) : noon.until
}

/** The calendar day with a number; noon in UTC is within a day of it in every time zone. */
function dayNear(number: number, timeZone: string) {
  const near = calendarDay(number * dayMs + dayMs / 2, timeZone)
  if (near.number === number) return near
  return calendarDay(near.number < number ? near.until : near.from - 1, timeZone)
}

/** The moment of a day at which clocks show what they showed at `at`; where clocks skip it, the end of the gap. */
function sameTime(dayFrom: number, at: number, from: number, until: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const wall = format.format(at)
  const plain = from + (at - dayFrom)
  for (const moved of [0, -60, 60, -30, 30]) {
    const moment = plain + moved * 60_000
    if (moment >= from && moment < until && format.format(moment) === wall) return moment
  }
  return Math.min(plain, until)
}

/** The years of these moments for which no day has been entered: their holidays count as working days. */
export function yearsWithoutDays(calendar: WorkCalendar, from: number, until: number): number[] {
  const known = new Set([...calendar.days.keys()].map((day) => Number(day.slice(0, 4))))
  const [first, last] = [from, until].map((at) => Number(calendarDay(at, calendar.timeZone).day.slice(0, 4)))
  const years: number[] = []
  for (let year = first ?? 0; year <= (last ?? 0); year += 1) if (!known.has(year)) years.push(year)
  return years
}
