// Feature: switches of whole features.
import { features } from '@cloudoc/contract'
import { admissions } from '../../core/call/admission.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { switchAdmission, switchHandlers } from './index.ts'

export const switches = feature({
  wire: features.switches,
  open: (services) => ({
    handlers: switchHandlers(),
    contributions: [contribute(admissions, switchAdmission(services))],
  }),
})
