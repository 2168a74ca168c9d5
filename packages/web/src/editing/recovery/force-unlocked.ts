// Another user has ended the edit lock of this user ([R181], [R339]): the editor uploads nothing more, and offers a
// copy.

import type { PushPayload } from '@cloudoc/contract'
import { mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { fetchContent } from '../shared/edit-transfers.ts'
import { editorOf, isEditedInBrowser } from '../shared/open-editors.ts'
import { saveCopy } from '../shared/save-copy.ts'
import { bytesOf } from './pending-edits.ts'

/** The payload of the push message. */
export type ForceUnlocked = PushPayload<'fileForceUnlocked'>

/** Notifies the user, in the tab that has the editor if there is one. */
export async function onForceUnlocked(told: ForceUnlocked): Promise<void> {
  const { fileId, fileName, userId, userName } = told
  itemsChanged([{ serverId: told.serverId, fId: fileId, fType: 1 }], [])
  if (told.serverId !== mainServer.serverId) return
  const own = sessionStore.getState().session?.account.userId ?? 0
  const editor = editorOf(fileId)
  editor?.lockLost(userId === own ? t('unlock.lost.self') : t('unlock.lost', { who: userName }))
  // A user who ended the lock themselves knows it. If another tab has the editor, that tab shows the notice.
  if (editor === undefined && (userId === own || (await isEditedInBrowser(own, fileId)))) return
  const draft = editor === undefined ? await draftsOf(own).of(fileId) : undefined
  const copies = editor !== undefined || draft !== undefined
  if ((await openWindow('cloudoc-force-unlock-notice', { told, copies })) !== 'saveAs') return
  if (editor !== undefined) return editor.saveCopy()
  try {
    if (draft !== undefined) saveCopy(fileName, await bytesOf(draft, fetchContent))
  } catch (error) {
    notifyFailure(error)
  }
}
