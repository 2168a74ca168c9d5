// The follow feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks, followAudience, followHandlers, notifyFollowers } from './index.ts'
import { followTables } from './tables.ts'

export const follow = feature({
  wire: features.follow,
  tables: followTables,
  open: (services) => ({
    handlers: followHandlers(createMarks(services)),
    audiences: { 'follow.changed': followAudience },
    readers: [
      {
        name: 'follow',
        kinds: ['item', 'follow.download'],
        read: (tx, events, now) => notifyFollowers(tx, services.settings, events, now),
      },
    ],
  }),
})
