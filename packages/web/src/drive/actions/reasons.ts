import { codes } from '@cloudoc/domain'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import type { ClientReason, Reason } from './actions.ts'

const isCode = (reason: Reason): reason is Exclude<Reason, ClientReason> => reason in codes

/** Why something is not possible, in words. */
export function reasonText(reason: Reason): string {
  return isCode(reason) ? codes[reason][currentLocale()] : t(`drive.reason.${reason}`)
}
