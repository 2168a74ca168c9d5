// The working days of the company as deadlines use them (ADR 0266).
import { createHash } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { afterWorkdays, calendarKey, type WorkCalendar, workCalendar } from '@cloudoc/domain'
import type { Db } from './db/database.ts'
import { createSettings } from './settings.ts'

/** A calendar, and a short key that is stored with what was computed by it. */
export interface KeyedCalendar extends WorkCalendar {
  readonly key: string
}

/** The calendar that settings describe. */
export function calendarOf(settings: InstallationSetting): KeyedCalendar {
  const calendar = workCalendar(settings, settings.setting.download_time_zone)
  return { ...calendar, key: createHash('sha256').update(calendarKey(calendar)).digest('base64url').slice(0, 22) }
}

/** The company's calendar now. */
export const companyCalendar = async (db: Db): Promise<KeyedCalendar> => calendarOf(await createSettings(db).current())

/** Stands for a calendar where no deadline is in working days. */
export const noCalendar = {
  key: null,
  afterWorkdays(): never {
    throw new Error('a deadline in working days was computed without a calendar')
  },
} as const

/** Computes deadlines by a calendar. */
export const byCalendar = (calendar: KeyedCalendar) => ({
  key: calendar.key,
  afterWorkdays: (from: number, count: number): number => afterWorkdays(calendar, from, count),
})
