// What was edited, as a file of the person's own: the copy that [R173] and [R174] offer.
import { splitName } from '@cloudoc/domain'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { saveBlob } from '../../transfer/tasks/browser-download.ts'

/** Hands out a copy under the name of the file with that of the person. */
export function saveCopy(fileName: string, bytes: Uint8Array): void {
  const { base, ext } = splitName(fileName)
  const who = sessionStore.getState().session?.account.accountName ?? ''
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>])
  saveBlob(blob, `${base}${t('editor.copyName', { who })}${ext === '' ? '' : `.${ext}`}`)
}
