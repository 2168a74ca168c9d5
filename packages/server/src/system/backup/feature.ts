// Feature: backups from the console.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { backupHandlers, backupJob } from './console.ts'

export const backups = feature({
  wire: features.backups,
  open: (services) => ({ handlers: backupHandlers(services), jobs: [backupJob(services)] }),
})
