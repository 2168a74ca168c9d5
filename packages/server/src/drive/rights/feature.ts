// The rights feature.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { feature } from '../../core/feature.ts'
import { rightsChecks } from './checks.ts'
import { itemAudience, rightsHandlers } from './index.ts'
import { ownRights } from './leavers.ts'
import { rightsTables } from './tables.ts'

export const rights = feature({
  wire: features.rights,
  tables: rightsTables,
  checks: rightsChecks,
  open: (services) => ({
    handlers: rightsHandlers(services),
    audiences: { item: itemAudience },
    leavers: [ownRights],
    reactions: [
      {
        to: 'role',
        async react(tx, heard) {
          for (const { change } of heard)
            await tx
              .deleteFrom('entry')
              .where('subject_type', '=', 'role')
              .where('subject_id', '=', change.roleId)
              .execute()
        },
      },
      {
        to: 'group',
        async react(tx, heard) {
          for (const { change } of heard)
            if (change.what === 'merged') await passEntries(tx, change.groupId, change.into)
        },
      },
    ],
  }),
})

/**
 * When a department is merged, its entries are transferred to the other department. Where that one has its own entry on
 * an item, its own entry is used.
 */
async function passEntries(tx: Tx, groupId: number, into: number): Promise<void> {
  await sql`
    delete from entry e where e.subject_type = 'group' and e.subject_id = ${groupId} and exists (
      select 1 from entry o where o.item_id = e.item_id and o.kind = e.kind
        and o.subject_type = 'group' and o.subject_id = ${into})`.execute(tx)
  await sql`
    update entry set subject_id = ${into} where subject_type = 'group' and subject_id = ${groupId}`.execute(tx)
}
