// The versions feature; its table belongs to contents.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { versionHandlers } from './index.ts'

export const versions = feature({
  wire: features.versions,
  open: () => ({ handlers: versionHandlers() }),
})
