import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarDay, calendarDays } from './calendar-days.ts'

const zones = ['Asia/Shanghai', 'UTC', 'Pacific/Kiritimati', 'Pacific/Midway', 'Asia/Kathmandu', 'America/New_York']

test('a day holds the moment, follows the day before without a gap, and has 23 to 25 hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2000, 0, 3), max: 4_000_000_000_000 }),
      fc.constantFrom(...zones),
      (at, zone) => {
        const { number, from, until } = calendarDay(at, zone)
        expect(from).toBeLessThanOrEqual(at)
        expect(until).toBeGreaterThan(at)
        expect((until - from) / 3_600_000).toBeGreaterThanOrEqual(23)
        expect((until - from) / 3_600_000).toBeLessThanOrEqual(25)
        expect(calendarDay(from - 1, zone)).toMatchObject({ number: number - 1, until: from })
      },
    ),
    { numRuns: 100 },
  )
})

test('half past midnight in Shanghai is today there and yesterday by UTC', () => {
  const at = Date.parse('2026-11-28T00:30:00+08:00')
  expect(calendarDay(at, 'Asia/Shanghai')).toEqual({
    day: '2026-11-28',
    number: Date.parse('2026-11-28') / 86_400_000,
    from: Date.parse('2026-11-28T00:00:00+08:00'),
    until: Date.parse('2026-11-29T00:00:00+08:00'),
  })
  expect(calendarDay(at, 'UTC').day).toBe('2026-11-27')
  expect(calendarDays(at, 'Asia/Shanghai', 3).map(({ day }) => day)).toEqual(['2026-11-26', '2026-11-27', '2026-11-28'])
})
