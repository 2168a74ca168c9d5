// A file that somebody else edits ([R171], [R178], [R180]): waiting for it, and asking whoever has it.
import type { ItemRecord } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'

type Named = Pick<ItemRecord, 'fId' | 'fName'>

/** What somebody can do who reads what they wanted to edit: ask who has it, wait for it, or ask for the right. */
export type ReadOnlyAction = 'ask' | 'wait' | 'rights'

/** Waits for a file; true where it has become free meanwhile. */
export function waitForLock({ fId: fileId, fName: name }: Named): Promise<boolean> {
  return unlessUnlocked(async () => {
    const { before } = await api.fileEditWait({ fileId }, { quiet: true })
    return before === 0 ? t('turn.waiting', { name }) : t('turn.waitingBehind', { name, n: before })
  })
}

/** Asks whoever edits a file for it, with some words to them; true where it has become free meanwhile. */
export function requestLock({ fId: fileId, fName: name }: Named, message = ''): Promise<boolean> {
  return unlessUnlocked(async () => {
    const { editorName: who } = await api.fileRequestUnlock(
      { fileId, ...(message !== '' && { message }) },
      { quiet: true },
    )
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
