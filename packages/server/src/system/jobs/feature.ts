// Feature: background jobs for administrators.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { jobHandlers } from './index.ts'

export const jobs = feature({ wire: features.jobs, open: (services) => ({ handlers: jobHandlers(services) }) })
