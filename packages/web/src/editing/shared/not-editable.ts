// The message why a file cannot be edited in the web editor.

import { NotEditable } from '@cloudoc/office/package'
import { t } from '../../core/i18n/i18n.ts'
import './office-texts.ts'

/** Converts an error to the message to show. */
export function notEditableError(error: unknown): Error {
  return error instanceof NotEditable ? new Error(t(`editor.office.${error.reason}`)) : (error as Error)
}
