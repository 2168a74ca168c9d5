// Limits of kind, size, space and number as a feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { quotaHandlers } from './index.ts'

export const quotas = feature({ wire: features.quotas, open: () => ({ handlers: quotaHandlers() }) })
