// The tags feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks } from '../follow/index.ts'
import { tagAudience, tagHandlers } from './index.ts'
import { tagTables } from './tables.ts'

export const tags = feature({
  wire: features.tags,
  tables: tagTables,
  open: (services) => ({
    handlers: tagHandlers(createMarks(services)),
    audiences: { 'tag.changed': tagAudience },
  }),
})
