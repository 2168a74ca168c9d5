// Feature: passkeys.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { assertNobodyStranded } from './host-change.ts'
import { passkeyHandlers } from './index.ts'
import { passkeyTables } from './tables.ts'

export const passkeys = feature({
  wire: features.passkeys,
  tables: passkeyTables,
  open: (services) => ({
    handlers: passkeyHandlers(services),
    reactions: [
      {
        to: 'settings',
        async react(tx, heard) {
          for (const { change } of heard) await assertNobodyStranded(tx, change.before, change.after)
        },
      },
    ],
  }),
})
