// Which files are editable, and in which editor ([R171], [R172]).
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

/** The window of the web editor for a file; undefined if there is none. */
export function editorFor({ fName, fileSize }: Pick<ItemRecord, 'fName' | 'fileSize'>): EditorWindow | undefined {
  const ext = extNameOf(fName).toLowerCase()
  const kind = previewKind(ext)
  if (kind === 'table' && fileSize <= maxEditedTableBytes) return 'cloudoc-edit-table'
  if (kind === 'text' || kind === 'table') return fileSize <= maxEditedTextBytes ? 'cloudoc-edit-text' : undefined
  const editor = officeEditorWindow(ext)
  return editor !== undefined && fileSize <= maxEditedOfficeBytes ? editor : undefined
}

/** Whether there is a web editor for a file. */
export function isEditable(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  return editorFor(item) !== undefined
}

/** Whether a file can be co-edited in the office server. */
export function isOfficeServerEditable({ fName }: Pick<ItemRecord, 'fName'>): boolean {
  const { setting, preview_format: formats } = sessionStore.getState().session?.serverSetting ?? {}
  return (
    setting?.multi_edit_type === MultiEdit.office &&
    formats?.multiEdit.includes(extNameOf(fName).toLowerCase()) === true
  )
}

/** Whether a file can be co-edited in the web editor. A table as text is edited alone, in its grid. */
export function isCoeditable(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  const { setting } = sessionStore.getState().session?.serverSetting ?? {}
  const ext = extNameOf(item.fName).toLowerCase()
  return (
    setting?.multi_edit_type === MultiEdit.here &&
    ((isText(ext) && editorFor(item) === 'cloudoc-edit-text') || officeEditorWindow(ext) !== undefined) &&
    isEditable(item)
  )
}

/** Refreshes lists that contain a file some time after it was opened for editing ([R177]). */
export function refreshLater({ serverId, fId }: Pick<ItemRecord, 'serverId' | 'fId'>): void {
  setTimeout(() => itemsChanged([{ serverId, fId, fType: 1 }], []), limits.editRefreshMs)
}

/** Opens the office server page for co-editing a file. */
export function openOfficeServerEditor({ serverId, fId, fName }: Pick<ItemRecord, 'serverId' | 'fId' | 'fName'>): void {
  refreshLater({ serverId, fId })
  void openWindow('cloudoc-multi-edit', { item: { serverId, fId, fName } })
}
