// The feature of mailboxes.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { feature } from '../../core/feature.ts'
import { mailAudience, mailboxHandlers, mailboxObjects } from './index.ts'
import { mailboxesOf } from './leavers.ts'
import { mailMigration } from './migrations.ts'
import { mailboxTables } from './tables.ts'

export const mailboxes = feature({
  wire: features.mailboxes,
  tables: mailboxTables,
  migrations: { '0240-mailboxes': mailMigration },
  checks: [
    {
      says: 'a person with mailboxes writes from one of them by default',
      broken: sql`
        select 'account ' || account_id as what from mailbox group by account_id
        having count(*) filter (where is_default) <> 1`,
    },
  ],
  open: (services) => ({
    handlers: mailboxHandlers(services),
    objects: [mailboxObjects],
    leavers: [mailboxesOf],
    audiences: { 'mail.changed': mailAudience },
  }),
})
