// Feature: devices of people, and the rules on access from them.
import { features } from '@cloudoc/contract'
import { admissions } from '../../core/call/admission.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { accessAdmission } from '../auth/index.ts'
import { accessHandlers } from './access.ts'
import { deviceHandlers, removeOldDevices } from './index.ts'

const dayMs = 24 * 60 * 60_000

export const devices = feature({
  wire: features.devices,
  open: ({ db, now }) => ({
    handlers: { ...deviceHandlers, ...accessHandlers },
    contributions: [contribute(admissions, accessAdmission)],
    chores: [{ name: 'devices that nobody uses', everyMs: dayMs, run: () => removeOldDevices(db, now()) }],
  }),
})
