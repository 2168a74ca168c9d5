/*
 * What the last page left of what was edited in this browser: records that say it is still open ([R356]), copies to clear
 * away, words that were never submitted ([R173]), and people who wait for an answer ([R355]). Read behind the first screen.
 */
import { EditState } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { localFlag } from '../../core/session/local-state.ts'
import { accountRecords, followEdits } from '../../core/storage/account-records.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { localCopiesStore } from '../../items/item/local-copies.tsx'
import { type LockRequest, onUnlockApplied } from '../lock-queue/lock-queue.ts'
import { isEditedInBrowser } from '../shared/open-editors.ts'

/** Begins to show what is kept, clears up and reminds; answers how to end that. */
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

/** Ends the records of editors that died, and clears away what was given up; what is open in another tab stays. */
export async function cleanUpEdits(userId: number): Promise<void> {
  const records = accountRecords(userId)
  const open = new Set<number>()
  for (const { fileId, closed } of await records.edits()) {
    if (!closed && (await isEditedInBrowser(userId, fileId))) open.add(fileId)
  }
  await records.closeAllEdits(open)
  for (const { fileId } of await records.takeRecycled()) await draftsOf(userId).drop(fileId)
}

/** Says that there are words of earlier that nobody has submitted, unless that is not wanted. */
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

/** Whoever asked for a file and has no answer yet is shown again, while it is still this person's to give. */
async function showOpenRequests(userId: number): Promise<void> {
  const records = accountRecords(userId)
  for (const request of await records.unlockRequests()) {
    try {
      const { editorId } = await api.getFileInfo({ fileId: request.fileId }, { quiet: true })
      if (editorId === userId) await onUnlockApplied(request satisfies LockRequest)
      else await records.dropUnlockRequest(request)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'notFound') await records.dropUnlockRequest(request)
    }
  }
}
