// Feature: programs for people's computers, and the logs that they send.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { clientHandlers } from './index.ts'
import { deleteOldLogs } from './logs.ts'
import { clientTables } from './tables.ts'

const dayMs = 24 * 60 * 60_000

export const clients = feature({
  wire: features.clients,
  tables: clientTables,
  open: (services) => ({
    handlers: clientHandlers(createCheckedContents(services), services.secrets),
    chores: [{ name: 'old logs of clients', everyMs: dayMs, run: () => deleteOldLogs(services.db, services.now()) }],
  }),
})
