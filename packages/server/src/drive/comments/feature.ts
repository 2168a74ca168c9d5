// The comments feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { commentAudience, commentHandlers } from './index.ts'
import { commentTables } from './tables.ts'

export const comments = feature({
  wire: features.comments,
  tables: commentTables,
  open: (services) => ({
    handlers: commentHandlers(services),
    audiences: { 'comment.changed': commentAudience },
  }),
})
