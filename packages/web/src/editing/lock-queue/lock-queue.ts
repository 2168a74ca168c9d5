/*
 * The lock queue on the client ([R179], [R180]): notifications for users who wait for a file, and for the user who
 * edits it. If the file is open in an editor, the request is shown in that editor, so that no dialog takes the keyboard
 * focus.
 */
import type { PushPayload } from '@cloudoc/contract'
import { EditState } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
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
/** An edit request of another user, stored until it is answered ([R355]). */
export type LockRequest = Pick<LockRequestPush, 'fileId' | 'fileName' | 'userId' | 'userName' | 'message'>

/** The type number of the push message of an edit request. */
const unlockAppliedType = 14

const ownId = (): number => sessionStore.getState().session?.account.userId ?? 0

/** The file that the user waited for is reserved for them, unless the reservation has expired ([R317]). */
export async function onFileUnlocked(turn: LockGrant): Promise<void> {
  const { fileId } = turn
  itemsChanged([{ serverId: turn.serverId, fId: fileId, fType: 1 }], [])
  if (turn.serverId !== mainServer.serverId) return
  try {
    const { editorId } = await api.of(turn).getFileInfo({ fileId }, { quiet: true })
    if (editorId !== ownId()) return
    // A user who lost the lock while typing can save again.
    if (editorOf(fileId) !== undefined) return toast({ kind: 'success', text: t('turn.free.save') })
    if (await isEditedInBrowser(ownId(), fileId)) return
    const answer = await openWindow('cloudoc-edit-turn', { grant: turn })
    if (answer === 'open') await openToEdit({ serverId: turn.serverId, fId: fileId })
    if (answer === 'pass') await releaseLock({ fileId, fileName: turn.fileName })
  } catch (error) {
    // If the file went to the next user in the queue in the meantime, there is nothing to show.
    if (!(error instanceof CallError)) throw error
  }
}

/** Another user requests a file that this user edits ([R318]). */
export async function onUnlockApplied({ fileId, fileName, userId, userName, message }: LockRequest): Promise<void> {
  const asked = { fileId, fileName, userId, userName, ...(message !== undefined && { message }) }
  await accountRecords(ownId()).storeUnlockRequest({ ...asked, pushType: unlockAppliedType })
  const editor = editorOf(fileId)
  if (editor !== undefined) return editor.asked(asked)
  if (await isEditedInBrowser(ownId(), fileId)) return
  const approved = await openWindow('cloudoc-unlock-apply', { request: asked })
  if (approved === undefined) return
  if ((await answerLockRequest(asked, approved)) && approved) await deleteEditsOf(fileId)
}

/** Deletes the records of the edits of a file whose lock was handed over, except those with unsubmitted changes. */
async function deleteEditsOf(fileId: number): Promise<void> {
  const records = accountRecords(ownId())
  for (const edit of await records.edits()) {
    if (edit.fileId === fileId && edit.state !== EditState.changed) await records.deleteEdit(edit.localPath)
  }
}

/** The unanswered request for a file. */
export async function pendingLockRequest(fileId: number): Promise<LockRequest | undefined> {
  return (await accountRecords(ownId()).unlockRequests()).find((request) => request.fileId === fileId)
}

/** Drops the unanswered requests for a file, because this user no longer has its lock. */
export async function dropLockRequests(fileId: number): Promise<void> {
  const records = accountRecords(ownId())
  for (const request of await records.unlockRequests()) {
    if (request.fileId === fileId) await records.dropUnlockRequest(request)
  }
}

/**
 * Answers a request; a refusal may promise the file in some minutes. Returns true if the server has received the
 * answer.
 */
export async function answerLockRequest(
  { fileId, userId, userName }: LockRequest,
  approved: boolean,
  minutes = 0,
): Promise<boolean> {
  const over = (): Promise<void> => accountRecords(ownId()).dropUnlockRequest({ fileId, userId })
  try {
    await api
      .of(mainServer)
      .answerUnlockRequest({ fileId, userId, approved, ...(minutes > 0 && { minutes }) }, { quiet: true })
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
