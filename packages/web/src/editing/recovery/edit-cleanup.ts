/*
 * Cleans up after the previous page: edit records that are still marked open ([R356]), drafts to delete, unsubmitted
 * changes ([R173]), and unanswered edit requests of other users ([R355]). Runs after the first screen is rendered.
 */
import { EditState } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { localFlag } from '../../core/session/local-state.ts'
import { accountRecords, followEdits } from '../../core/storage/account-records.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { localCopiesStore } from '../../items/item/local-copies.tsx'
import { type LockRequest, onUnlockApplied } from '../lock-queue/lock-queue.ts'
import { isEditedInBrowser } from '../shared/open-editors.ts'

/** Starts to follow the drafts, cleans up and reminds the user; returns a function that stops it. */
export function startEditCleanup(userId: number): () => void {
  const stop = followEdits(userId, () => void readCopies(userId))
  void begin(userId)
  return () => {
    stop()
    localCopiesStore.setState(new Map(), true)
  }
}

async function begin(userId: number): Promise<void> {
  await cleanUpEdits(userId)
  await readCopies(userId)
  await remind(userId)
  await showOpenRequests(userId)
}

async function readCopies(userId: number): Promise<void> {
  const edits = await accountRecords(userId).edits()
  localCopiesStore.setState(new Map(edits.map(({ fileId, state, version }) => [fileId, { state, version }])), true)
}

/** Closes the records of editors that crashed, and deletes discarded drafts; files open in another tab are skipped. */
export async function cleanUpEdits(userId: number): Promise<void> {
  const records = accountRecords(userId)
  const open = new Set<number>()
  for (const { fileId, closed } of await records.edits()) {
    if (!closed && (await isEditedInBrowser(userId, fileId))) open.add(fileId)
  }
  await records.closeAllEdits(open)
  for (const { fileId } of await records.takeRecycled()) await draftsOf(userId).drop(fileId)
}

/** Reminds the user of unsubmitted changes, unless the reminder is disabled. */
async function remind(userId: number): Promise<void> {
  if (!localFlag('fileStorageNotice')) return
  const edits = await accountRecords(userId).edits()
  const left = await Promise.all(
    edits.map(
      async ({ fileId, state }) =>
        state === EditState.changed &&
        (await draftsOf(userId).of(fileId)) !== undefined &&
        !(await isEditedInBrowser(userId, fileId)),
    ),
  )
  const n = left.filter(Boolean).length
  if (n === 0) return
  const action = { text: t('editor.left.show'), run: () => void openWindow('cloudoc-recent-edit', {}) }
  toast({ kind: 'warning', key: 'edits-left', text: t('editor.left', { n }), action })
}

/** Shows unanswered edit requests again, while this user still has the lock. */
async function showOpenRequests(userId: number): Promise<void> {
  const records = accountRecords(userId)
  for (const request of await records.unlockRequests()) {
    try {
      const { editorId } = await api.of(mainServer).getFileInfo({ fileId: request.fileId }, { quiet: true })
      if (editorId === userId) await onUnlockApplied(request satisfies LockRequest)
      else await records.dropUnlockRequest(request)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'notFound') await records.dropUnlockRequest(request)
    }
  }
}
