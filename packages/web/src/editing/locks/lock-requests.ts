// A file that another user edits ([R171], [R178], [R180]): joining its lock queue, and requesting it from the editor.
import type { ItemRecord } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'

type Named = Pick<ItemRecord, 'serverId' | 'fId' | 'fName'>

/**
 * The options of a user who can only read the file: request it from the editor, wait for it, or apply for the
 * permission.
 */
export type ReadOnlyAction = 'ask' | 'wait' | 'rights'

/** Joins the lock queue of a file; true if it is already free. */
export function waitForLock(file: Named): Promise<boolean> {
  const { fId: fileId, fName: name } = file
  return unlessUnlocked(async () => {
    const { before } = await api.of(file).fileEditWait({ fileId }, { quiet: true })
    return before === 0 ? t('turn.waiting', { name }) : t('turn.waitingBehind', { name, n: before })
  })
}

/** Requests the file from the user who edits it, with an optional message; true if it is already free. */
export function requestLock(file: Named, message = ''): Promise<boolean> {
  const { fId: fileId, fName: name } = file
  return unlessUnlocked(async () => {
    const { editorName: who } = await api
      .of(file)
      .fileRequestUnlock({ fileId, ...(message !== '' && { message }) }, { quiet: true })
    return t('turn.asked', { who, name })
  })
}

async function unlessUnlocked(ask: () => Promise<string>): Promise<boolean> {
  try {
    toast({ kind: 'info', text: await ask() })
  } catch (error) {
    if (error instanceof CallError && error.code === 'noEditLock') return true
    notifyFailure(error instanceof CallError ? error.message : error)
  }
  return false
}
