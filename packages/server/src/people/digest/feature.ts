// Feature: digest mails of unread notices.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { digestHandlers, sendDigests } from './index.ts'
import { digestTables } from './tables.ts'

const checkEveryMs = 60_000

export const digest = feature({
  wire: features.digest,
  tables: digestTables,
  open: (services) => ({
    handlers: digestHandlers(services),
    chores: [{ name: 'mails of notices', everyMs: checkEveryMs, run: () => sendDigests(services, services.now()) }],
  }),
})
