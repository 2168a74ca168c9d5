// Feature: the licence of the installation.
import { features } from '@cloudoc/contract'
import { admissions } from '../../core/call/admission.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { notifyOfEndingLicences } from './ending.ts'
import { licenceAdmission, licenceHandlers } from './index.ts'

const hourMs = 60 * 60_000

export const licences = feature({
  wire: features.licences,
  open: (services) => ({
    handlers: licenceHandlers(services),
    contributions: [contribute(admissions, licenceAdmission(services))],
    chores: [
      {
        name: 'licences that end soon',
        everyMs: hourMs,
        run: async () => {
          await notifyOfEndingLicences(services)
          return false
        },
      },
    ],
  }),
})
