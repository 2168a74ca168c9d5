import { codes } from '@cloudoc/domain'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import type { ClientReason, Reason } from './actions.ts'

const isCode = (reason: Reason): reason is Exclude<Reason, ClientReason> => reason in codes

/** What the explanation of somebody's rights says more about: their rights themselves, and states of the item. */
const explained: readonly Reason[] = [
  'noPermission',
  'secretLevel',
  'readOnlyFolder',
  'readOnlyLibrary',
  'fileLocked',
  'alreadyInProcess',
  'associatedRename',
  'virusFile',
]
export const isExplained = (reason: Reason | undefined): boolean => reason !== undefined && explained.includes(reason)

/** Why something is not possible, in words. */
export function reasonText(reason: Reason): string {
  return isCode(reason) ? codes[reason][currentLocale()] : t(`drive.reason.${reason}`)
}
