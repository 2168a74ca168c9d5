// Which files open to be edited, and by what ([R171], [R172]).
import type { ItemRecord } from '@cloudoc/contract'
import {
  extNameOf,
  isText,
  limits,
  MultiEdit,
  maxEditedOfficeBytes,
  maxEditedTableBytes,
  maxEditedTextBytes,
} from '@cloudoc/domain'
import { sessionStore } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { previewKind } from '../../viewing/shared/preview-kind.ts'
import { type EditorWindow, officeEditorWindow } from '../shared/editor-formats.ts'

/** The window of the editor for such a file, where there is one in the page. */
export function editorFor({ fName, fileSize }: Pick<ItemRecord, 'fName' | 'fileSize'>): EditorWindow | undefined {
  const ext = extNameOf(fName).toLowerCase()
  const kind = previewKind(ext)
  if (kind === 'table' && fileSize <= maxEditedTableBytes) return 'cloudoc-edit-table'
  if (kind === 'text' || kind === 'table') return fileSize <= maxEditedTextBytes ? 'cloudoc-edit-text' : undefined
  const editor = officeEditorWindow(ext)
  return editor !== undefined && fileSize <= maxEditedOfficeBytes ? editor : undefined
}

/** Whether there is an editor in the page for such a file. */
export function isEditable(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  return editorFor(item) !== undefined
}

/** Whether several may edit such a file at once, on the page of the office server. */
export function isOfficeServerEditable({ fName }: Pick<ItemRecord, 'fName'>): boolean {
  const { setting, preview_format: formats } = sessionStore.getState().session?.serverSetting ?? {}
  return (
    setting?.multi_edit_type === MultiEdit.office &&
    formats?.multiEdit.includes(extNameOf(fName).toLowerCase()) === true
  )
}

/** Whether several may edit such a file at once in the page. */
export function isCoeditable(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  const { setting } = sessionStore.getState().session?.serverSetting ?? {}
  const ext = extNameOf(item.fName).toLowerCase()
  return (
    setting?.multi_edit_type === MultiEdit.here &&
    (isText(ext) || ['cloudoc-edit-sheet', 'cloudoc-edit-doc'].includes(officeEditorWindow(ext) ?? '')) &&
    isEditable(item)
  )
}

/** The lists that show a file are asked of it anew once it has been opened to be edited for a while ([R177]). */
export function refreshLater(fId: number): void {
  setTimeout(() => itemsChanged([{ fId, fType: 1 }], []), limits.editRefreshMs)
}

/** Opens the page on which a file is edited together with others. */
export function openOfficeServerEditor({ fId, fName }: Pick<ItemRecord, 'fId' | 'fName'>): void {
  refreshLater(fId)
  void openWindow('cloudoc-multi-edit', { item: { fId, fName } })
}
