// Retries a failed save or upload of an edit: with the open editor, or by opening the file, which offers its draft.

import { mainServer } from '../../core/call/api.ts'
import { editorOf } from '../shared/open-editors.ts'
import { openToEdit } from './open-to-edit.ts'

/** Retries the edit of a file. */
export function retryEdit(fileId: number): void {
  const editor = editorOf(fileId)
  if (editor === undefined) void openToEdit({ ...mainServer, fId: fileId })
  else void editor.save?.()
}
