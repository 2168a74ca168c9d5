// Why a file is not edited in the page, in words.

import { NotEditable } from '@cloudoc/office/package'
import { t } from '../../core/i18n/i18n.ts'
import './office-texts.ts'

/** An error as it is told. */
export function notEditableError(error: unknown): Error {
  return error instanceof NotEditable ? new Error(t(`editor.office.${error.reason}`)) : (error as Error)
}
