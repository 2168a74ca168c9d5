// Feature: people, departments and roles.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { assertPowersSeparated } from './administrators.ts'
import { organisationHandlers } from './index.ts'
import { assignedRoles, departmentsLed, otherDepartments } from './leavers.ts'
import { organisationTables } from './tables.ts'

export const organisation = feature({
  wire: features.people,
  tables: organisationTables,
  open: (services) => ({
    handlers: organisationHandlers(services),
    leavers: [departmentsLed, assignedRoles, otherDepartments],
    reactions: [
      {
        to: 'settings',
        async react(tx, heard) {
          for (const { change } of heard)
            if (change.before.combined_powers && !change.after.combined_powers) await assertPowersSeparated(tx)
        },
      },
    ],
  }),
})
