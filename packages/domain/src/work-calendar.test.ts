// Working days: National Day, Spring Festival, make-up working days, years without data, changed clocks.
import { describe, expect, test } from 'vitest'
import {
  afterWorkdays,
  calendarKey,
  isWorkday,
  specialDaysOf,
  workCalendar,
  yearsWithoutDays,
} from './work-calendar.ts'

const year2026 = [
  '2026-02-15..2026-02-23 休 春节',
  '2026-02-14 班 春节调休',
  '2026-02-28 班 春节调休',
  '2026-09-20 work',
  '2026-10-01..2026-10-07 off 国庆节',
  '2026-10-10 班',
]
const calendar = workCalendar({ work_week: 0, work_days: year2026 }, 'Asia/Shanghai')
const at = (text: string): number => Date.parse(`${text}:00+08:00`)
const shown = (moment: number): string => new Date(moment + 8 * 3_600_000).toISOString().slice(0, 16)

describe('a deadline in working days', () => {
  test.each([
    ['on a plain Monday', '2026-09-07T15:00', 2, '2026-09-09T15:00'],
    ['over a weekend', '2026-09-11T15:00', 1, '2026-09-14T15:00'],
    ['over a Sunday on which people work', '2026-09-18T15:00', 1, '2026-09-20T15:00'],
    ['over National Day', '2026-09-30T15:00', 1, '2026-10-08T15:00'],
    ['over National Day and its make-up Saturday', '2026-09-30T15:00', 3, '2026-10-10T15:00'],
    ['over Spring Festival', '2026-02-14T09:30', 1, '2026-02-24T09:30'],
    ['over Spring Festival and its make-up Saturday', '2026-02-13T09:30', 6, '2026-02-28T09:30'],
    ['from a holiday: to the end of the working day', '2026-10-03T11:00', 1, '2026-10-09T00:00'],
    ['from a Saturday', '2026-09-12T11:00', 2, '2026-09-16T00:00'],
    ['in a year without data', '2027-09-30T15:00', 1, '2027-10-01T15:00'],
    ['over the end of a year', '2026-12-31T15:00', 1, '2027-01-01T15:00'],
  ])('%s', (_, from, count, expected) => {
    expect(shown(afterWorkdays(calendar, at(from), count))).toBe(expected)
  })

  test('keeps the time of day where clocks are changed', () => {
    const berlin = workCalendar({ work_week: 0, work_days: [] }, 'Europe/Berlin')
    expect(afterWorkdays(berlin, Date.parse('2026-03-27T14:00:00Z'), 1)).toBe(Date.parse('2026-03-30T13:00:00Z'))
    expect(afterWorkdays(berlin, Date.parse('2026-10-23T13:00:00Z'), 1)).toBe(Date.parse('2026-10-26T14:00:00Z'))
  })

  test('ends also in a calendar in which nobody works', () => {
    const never = workCalendar({ work_week: 0, work_days: [] }, 'UTC')
    const days = new Map(
      Array.from({ length: 4000 }, (_, n) => [new Date(n * 86_400_000).toISOString().slice(0, 10), false]),
    )
    expect(afterWorkdays({ ...never, days }, 0, 1)).toBeGreaterThan(0)
  })
})

test('a week has five, six or seven working days', () => {
  const saturday = at('2026-09-12T12:00')
  const sunday = at('2026-09-13T12:00')
  const worked = [0, 1, 2].map((work_week) => {
    const one = workCalendar({ work_week, work_days: [] }, 'Asia/Shanghai')
    return [isWorkday(one, saturday), isWorkday(one, sunday)]
  })
  expect(worked).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})

test('lines are read, and what is no date is refused', () => {
  expect(specialDaysOf('2026-10-01..2026-10-07 休 国庆节')).toEqual({
    from: '2026-10-01',
    until: '2026-10-07',
    works: false,
    name: '国庆节',
  })
  expect(specialDaysOf('2026-10-01至2026-10-07 OFF')).toMatchObject({ until: '2026-10-07', works: false, name: '' })
  expect(specialDaysOf('2026-10-10 班')).toMatchObject({ until: '2026-10-10', works: true })
  for (const wrong of [
    '',
    '2026-10-01',
    '2026-02-30 休',
    '2026-10-07..2026-10-01 休',
    '2026-01-01..2026-12-31 休',
    '10-01 休',
  ])
    expect(specialDaysOf(wrong), wrong).toBeUndefined()
})

test('years without data are named, and equal calendars have equal keys', () => {
  expect(yearsWithoutDays(calendar, at('2026-12-01T00:00'), at('2027-02-01T00:00'))).toEqual([2027])
  expect(yearsWithoutDays(calendar, at('2026-12-01T00:00'), at('2026-12-02T00:00'))).toEqual([])
  const other = workCalendar({ work_week: 0, work_days: [...year2026].reverse() }, 'Asia/Shanghai')
  expect(calendarKey(other)).toBe(calendarKey(calendar))
  expect(calendarKey(workCalendar({ work_week: 0, work_days: year2026.slice(1) }, 'Asia/Shanghai'))).not.toBe(
    calendarKey(calendar),
  )
})
