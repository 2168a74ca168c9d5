// Libraries as a feature: everybody gets one, and so does each department.
import { features } from '@cloudoc/contract'
import { fail, rightsGroup } from '@cloudoc/domain'
import { accountOf } from '../../core/actor.ts'
import { feature } from '../../core/feature.ts'
import { holdWorkspaces } from '../quotas/index.ts'
import { createLibrary, libraryHandlers } from './index.ts'
import { librariesTables } from './tables.ts'

export const libraries = feature({
  wire: features.libraries,
  tables: librariesTables,
  open: () => ({
    handlers: libraryHandlers(),
    reactions: [
      {
        to: 'person',
        async react(tx, heard) {
          for (const { change, now } of heard) {
            const { accountId: id, name, what } = change
            if (what === 'created') await createLibrary(tx, { kind: 'personal', name, ownerId: id, createdBy: id, now })
          }
        },
      },
      {
        to: 'group',
        async react(tx, heard) {
          for (const { change, actor, now } of heard) {
            const by = accountOf(actor ?? fail('notLoggedIn'))
            await holdWorkspaces(tx, by)
            // What everybody in the department starts with in its library.
            const entry = { groupId: change.groupId, rights: rightsGroup.edit }
            const people = { createdBy: by.accountId, managerIds: [by.accountId] }
            await createLibrary(tx, {
              kind: 'department',
              name: change.name,
              groupId: change.groupId,
              now,
              ...people,
              entry,
            })
          }
        },
      },
    ],
  }),
})
