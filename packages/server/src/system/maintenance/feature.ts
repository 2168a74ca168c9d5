/*
 * Feature: maintenance mode. While the setting is on, every operation of anybody but a system administrator is refused;
 * background work goes on. Sign-in stays open: whether somebody is an administrator is known only afterwards.
 */
import { fail } from '@cloudoc/domain'
import { type Admission, admissions } from '../../core/call/admission.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'

const maintenanceAdmission: Admission = ({ operation, actor }) => {
  if (actor === undefined || operation.name === 'logout2') return undefined
  const account = actor.kind === 'account' ? actor : actor.responsible
  const { maintenance_mode: isOn, maintenance_text: text } = account.settings.inner
  if (!isOn || (actor.kind === 'account' && (account.isAdmin || account.powers.includes('system')))) return undefined
  return text === '' ? fail('maintenance') : fail('maintenance', { zh: text, en: text })
}

export const maintenance = feature({
  open: () => ({ contributions: [contribute(admissions, maintenanceAdmission)] }),
})
