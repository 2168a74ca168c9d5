// Feature: reminders by the clock.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { sendReminders } from './index.ts'
import { reminderTables } from './tables.ts'

const everyMs = 10_000

export const reminders = feature({
  wire: features.reminders,
  tables: reminderTables,
  open: ({ db, now }) => ({
    handlers: {},
    chores: [{ name: 'reminders', everyMs, run: async () => (await sendReminders(db, now())) > 0 }],
  }),
})
