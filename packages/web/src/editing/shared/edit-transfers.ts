// What an editor reads and hands in: tasks of the engine of transfers ([R198]).
import { codes, codeText } from '@cloudoc/domain'
import { CallError, type FailureCode } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import type { EditedFile, EditTransferOptions } from '../../transfer/engine/edit-tasks.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { transfers } from '../../transfer/tasks/transfers.ts'

const { edits } = transfers

/** What the engine says, as calls say it. */
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

/** The content of a version. */
export function fetchContent(file: EditedFile, version: number, way?: EditTransferOptions): Promise<Uint8Array> {
  return withCallErrors('downloadServlet', edits.read(file, version, way))
}

/** Hands in what was made of a version, under its lock, or of an older one (`madeOf`) on top of it. */
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

/** Somebody saves once more: what rests of a file goes on. */
export function resumeTransfers(fileId: number): void {
  edits.goOn(fileId)
}

/** Takes the lock or renews it. */
export function acquireLock(file: EditedFile): Promise<{ readonly version: number }> {
  return withCallErrors('fileEditLock', edits.lock(file))
}

/** Gives the lock back, as soon as there is a way; that it could not be is told nobody: it runs out. */
export async function releaseLock(file: EditedFile): Promise<void> {
  await edits.unlock(file).catch(() => undefined)
}
