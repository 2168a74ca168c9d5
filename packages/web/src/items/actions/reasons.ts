import { codes } from '@cloudoc/domain'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import type { ClientReason, Reason } from './actions.ts'

const isCode = (reason: Reason): reason is Exclude<Reason, ClientReason> => reason in codes

/** Reasons that the explanation of permissions covers in more detail: the user's rights and states of the item. */
const explained: readonly Reason[] = [
  'noPermission',
  'restrictedDocument',
  'secretLevel',
  'readOnlyFolder',
  'readOnlyLibrary',
  'fileLocked',
  'alreadyInProcess',
  'associatedRename',
  'virusFile',
  'notInspected',
]
export const isExplained = (reason: Reason | undefined): boolean => reason !== undefined && explained.includes(reason)

/** Returns the text of a reason. */
export function reasonText(reason: Reason): string {
  return isCode(reason) ? codes[reason][currentLocale()] : t(`drive.reason.${reason}`)
}
