// Reading and uploading for editors, as tasks of the transfer engine ([R198]).
import { codes, codeText } from '@cloudoc/domain'
import { CallError, type FailureCode } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import type { EditedFile, EditTransferOptions } from '../../transfer/engine/edit-tasks.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { transfers } from '../../transfer/tasks/transfers.ts'

const { edits } = transfers

/** Converts errors of the transfer engine to call errors. */
async function withCallErrors<T>(
  call: 'downloadServlet' | 'submitFile' | 'fileEditLock',
  task: Promise<T>,
): Promise<T> {
  try {
    return await task
  } catch (error) {
    if (!(error instanceof TransferFailure)) throw error
    const { said } = error
    const code = error.code as FailureCode
    const number = code in codes ? codes[code as keyof typeof codes].code : 0
    const words =
      code === 'network' || code === 'timeout'
        ? t('api.network')
        : code === 'withdrawn'
          ? t('editor.calledOff')
          : code in codes
            ? codeText(number, currentLocale())
            : t('api.noAnswer')
    throw new CallError(call, { code, number, message: said || words, quiet: false })
  }
}

/** Reads the content of a version. */
export function fetchContent(file: EditedFile, version: number, way?: EditTransferOptions): Promise<Uint8Array> {
  return withCallErrors('downloadServlet', edits.read(file, version, way))
}

/**
 * Uploads a content that is based on `version`, under its lock. `madeOf` is the older base version if the content
 * overwrites `version`.
 */
export function submit(
  file: EditedFile,
  version: number,
  content: Uint8Array,
  madeOf?: number,
  way?: EditTransferOptions,
): Promise<{ readonly version: number }> {
  const { fileId, fileName } = file
  return withCallErrors('submitFile', edits.submit({ fileId, fileName, version, content, madeOf }, way))
}

/** The user saves again: resumes the paused upload of a file. */
export function resumeTransfers(fileId: number): void {
  edits.goOn(fileId)
}

/** Acquires or renews the lock. */
export function acquireLock(file: EditedFile): Promise<{ readonly version: number }> {
  return withCallErrors('fileEditLock', edits.lock(file))
}

/** Releases the lock as soon as the server is reachable. A failure is ignored, because the lock expires. */
export async function releaseLock(file: EditedFile): Promise<void> {
  await edits.unlock(file).catch(() => undefined)
}
