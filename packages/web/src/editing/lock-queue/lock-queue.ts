/*
 * Whose turn it is to edit a file ([R179], [R180]): what those are told who wait for it or edit it. Who is asked for it while
 * they type is asked in the editor itself, so that no window takes the keys from them.
 */
import type { PushPayload } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { accountRecords } from '../../core/storage/account-records.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { openToEdit } from '../opening/open-to-edit.ts'
import { releaseLock } from '../shared/edit-transfers.ts'
import { editorOf, isEditedInBrowser } from '../shared/open-editors.ts'

export type LockGrant = PushPayload<'fileUnlocked'>
export type LockRequestPush = PushPayload<'unlockApplied'>
/** What is kept of somebody who asks, until they have an answer ([R355]). */
export type LockRequest = Pick<LockRequestPush, 'fileId' | 'fileName' | 'userId' | 'userName' | 'message'>

/** The number of the push that somebody asks by. */
const unlockAppliedType = 14

const ownId = (): number => sessionStore.getState().session?.account.userId ?? 0

/** A file that was waited for is kept for this person, unless that is over by now ([R317]). */
export async function onFileUnlocked(turn: LockGrant): Promise<void> {
  const { fileId } = turn
  itemsChanged([{ fId: fileId, fType: 1 }], [])
  try {
    const { editorId } = await api.getFileInfo({ fileId }, { quiet: true })
    if (editorId !== ownId()) return
    // Whoever has lost its lock while they typed can save again.
    if (editorOf(fileId) !== undefined) return toast({ kind: 'success', text: t('turn.free.save') })
    if (await isEditedInBrowser(ownId(), fileId)) return
    const answer = await openWindow('cloudoc-edit-turn', { grant: turn })
    if (answer === 'open') await openToEdit(fileId)
    if (answer === 'pass') await releaseLock({ fileId, fileName: turn.fileName })
  } catch (error) {
    // What has gone to the next one meanwhile is nothing to tell of.
    if (!(error instanceof CallError)) throw error
  }
}

/** Somebody asks for a file that this person edits ([R318]). */
export async function onUnlockApplied({ fileId, fileName, userId, userName, message }: LockRequest): Promise<void> {
  const asked = { fileId, fileName, userId, userName, ...(message !== undefined && { message }) }
  await accountRecords(ownId()).storeUnlockRequest({ ...asked, pushType: unlockAppliedType })
  const editor = editorOf(fileId)
  if (editor !== undefined) return editor.asked(asked)
  if (await isEditedInBrowser(ownId(), fileId)) return
  const approved = await openWindow('cloudoc-unlock-apply', { request: asked })
  if (approved !== undefined) await answerLockRequest(asked, approved)
}

/** Who has asked for a file and has no answer yet. */
export async function pendingLockRequest(fileId: number): Promise<LockRequest | undefined> {
  return (await accountRecords(ownId()).unlockRequests()).find((request) => request.fileId === fileId)
}

/** Nobody is waited with any more: the file is not this person's to give. */
export async function dropLockRequests(fileId: number): Promise<void> {
  const records = accountRecords(ownId())
  for (const request of await records.unlockRequests()) {
    if (request.fileId === fileId) await records.dropUnlockRequest(request)
  }
}

/** Answers who asked, who may be let have it in some minutes; true where that has reached the server. */
export async function answerLockRequest(
  { fileId, userId, userName }: LockRequest,
  approved: boolean,
  minutes = 0,
): Promise<boolean> {
  const over = (): Promise<void> => accountRecords(ownId()).dropUnlockRequest({ fileId, userId })
  try {
    await api.answerUnlockRequest({ fileId, userId, approved, ...(minutes > 0 && { minutes }) }, { quiet: true })
    if (minutes === 0) await over()
    const words = approved ? 'turn.left' : minutes === 0 ? 'turn.kept' : 'turn.keptFor'
    toast({ kind: 'success', text: t(words, { who: userName, n: minutes }) })
    return true
  } catch (error) {
    const isOver = error instanceof CallError && (error.code === 'notFound' || error.code === 'noEditLock')
    if (isOver) await over()
    notifyFailure(isOver ? t('turn.over') : error instanceof CallError ? error.message : error)
    return false
  }
}
