// The feature of limits on file type, file size, space and number of libraries, and of the warnings before they are
// reached.
import { features } from '@cloudoc/contract'
import { fail, type UploadTypes } from '@cloudoc/domain'
import { feature } from '../../core/feature.ts'
import type { SpaceEvent } from '../tree/index.ts'
import { measureServer, quotaHandlers, readSpace, spaceAudience } from './index.ts'
import { quotaTables } from './tables.ts'

const measureEveryMs = 60_000
const everybodys: SpaceEvent = { kind: 'space.changed', accountIds: null }

export const quotas = feature({
  wire: features.quotas,
  tables: quotaTables,
  open: (services) => ({
    handlers: quotaHandlers(),
    audiences: { 'space.changed': spaceAudience },
    readers: [
      {
        name: 'space',
        kinds: ['space.changed'],
        read: (tx, events, now) => readSpace(tx, services.settings, events, now),
      },
    ],
    chores: [
      {
        name: 'how much room there is',
        everyMs: measureEveryMs,
        run: () => measureServer(services, services.now()),
      },
    ],
    reactions: [
      {
        to: 'settings',
        react(_tx, heard) {
          for (const { change, event } of heard) {
            assertTypes(change.after)
            const { before, after } = change
            if (
              before.user_space !== after.user_space ||
              before.personal_space_percent !== after.personal_space_percent
            )
              event(everybodys)
          }
          return Promise.resolve()
        },
      },
      {
        to: 'person',
        react(_tx, heard) {
          for (const { change, event } of heard) {
            const changed: SpaceEvent = { kind: 'space.changed', accountIds: [change.accountId] }
            if (change.what === 'quota') event(changed)
          }
          return Promise.resolve()
        },
      },
    ],
  }),
})

/** A file type that is both allowed and denied is a mistake of the administrator. */
function assertTypes({ upload_types_allowed: allowed, upload_types_denied: denied }: UploadTypes): void {
  const both = allowed.filter((ext) => denied.includes(ext))
  if (both.length > 0) fail('settingsContradict', both.join(' '))
}
