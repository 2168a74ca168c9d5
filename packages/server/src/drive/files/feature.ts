// The feature of listing, creating, renaming, moving and copying items.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks } from '../follow/index.ts'
import { createFirstPages } from '../tree/index.ts'
import { fileHandlers } from './index.ts'
import { filesTables } from './tables.ts'

export const files = feature({
  wire: features.files,
  tables: filesTables,
  open: (services) => ({
    handlers: fileHandlers({
      blobs: services.blobs,
      db: services.db,
      firstPages: createFirstPages(services.invalidations),
      marks: createMarks(services),
    }),
  }),
})
