// Saves the edited content as a local copy, as [R173] and [R174] offer.
import { splitName } from '@cloudoc/domain'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { saveBlob } from '../../transfer/tasks/browser-download.ts'

/** Downloads a copy; its name is the file name with the user's name. */
export function saveCopy(fileName: string, bytes: Uint8Array): void {
  const { base, ext } = splitName(fileName)
  const who = sessionStore.getState().session?.account.accountName ?? ''
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>])
  saveBlob(blob, `${base}${t('editor.copyName', { who })}${ext === '' ? '' : `.${ext}`}`)
}
