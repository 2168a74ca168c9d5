// How a file opens to be edited ([R171], [R172]): what is decided, and where each decision leads.
import type { ItemRecord } from '@cloudoc/contract'
import { editedTextBytes, extNameOf, hasRight, openDecision, rights } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { tell } from '../actions/operations.ts'
import { isFolder } from '../item/item.ts'
import { previewKind } from '../preview/preview-kind.ts'

/** Whether there is an editor in the page for such a file. */
export function isEditable({ fName, fileSize }: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  const kind = previewKind(extNameOf(fName))
  return (kind === 'text' || kind === 'table') && fileSize <= editedTextBytes
}

const heldBy = ({ editorId }: ItemRecord, userId: number | undefined): 'nobodyElse' | 'other' =>
  editorId > 0 && editorId !== userId ? 'other' : 'nobodyElse'

/** Opens a file to edit it, as far as the person may. */
export async function openToEdit(fileId: number): Promise<void> {
  const { session } = sessionStore.getState()
  if (session === undefined) return
  try {
    const item = await api.getFileInfo({ fileId })
    const own = rights(item.rights)
    const decided = openDecision({
      isFolder: isFolder(item),
      onlineEdit: session.setting.online_edit,
      canModify: hasRight(own, 'modify'),
      canDownload: hasRight(own, 'download'),
      canPreview: hasRight(own, 'preview'),
      isEditable: isEditable(item),
      heldBy: heldBy(item, session.account.userId),
      isShared: false,
      hasSandbox: false,
    })
    switch (decided.way) {
      case 'edit':
        return await edit(item)
      case 'choose':
        return read(item, t('editor.readOnly.held', { name: item.editorName, n: item.version }))
      case 'readOnly':
        return read(item, t(`editor.readOnly.${decided.why}`))
      case 'askRights':
        return void openWindow('cloudoc-authorization-apply', { item: { fId: item.fId, fType: 1, fName: item.fName } })
      default:
        return preview(item)
    }
  } catch (error) {
    tell(error)
  }
}

/** Takes the lock and opens the editor; where the server does not give it, the file is read with the reason above it. */
async function edit(item: ItemRecord): Promise<void> {
  try {
    const { version } = await api.fileEditLock({ fileId: item.fId }, { quiet: true })
    void openWindow('cloudoc-edit-text', { item: { ...item, version }, readOnly: '' })
  } catch (error) {
    if (!(error instanceof CallError) || error.code === 'network' || error.code === 'timeout') throw error
    read(item, error.message)
  }
}

function read(item: ItemRecord, why: string): void {
  if (isEditable(item)) void openWindow('cloudoc-edit-text', { item, readOnly: why })
  else preview(item)
}

function preview({ fId, fName, fileSize, rights: own }: ItemRecord): void {
  const canDownload = hasRight(rights(own), 'download')
  const canPreview = hasRight(rights(own), 'preview')
  const file = { fId, fName, fileSize, canPreview, canDownload, canPrint: false }
  void openWindow('previewer', { files: [file], index: 0 })
}
