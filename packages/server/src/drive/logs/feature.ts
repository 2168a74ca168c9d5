// The feature of item logs; they read the audit.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { logHandlers } from './index.ts'

export const logs = feature({
  wire: features.logs,
  open: () => ({ handlers: logHandlers() }),
})
