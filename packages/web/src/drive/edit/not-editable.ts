// Why a file is not edited in the page, in words.
import { t } from '../../core/i18n/i18n.ts'
import { NotEditable } from './office/package.ts'

/** An error as it is told. */
export function sayNotEditable(error: unknown): Error {
  return error instanceof NotEditable ? new Error(t(`editor.office.${error.reason}`)) : (error as Error)
}
