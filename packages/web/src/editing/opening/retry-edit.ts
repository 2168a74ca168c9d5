// What failed of editing a file is tried again: by its editor, with what stands there, or by opening it, with its draft.

import { editorOf } from '../shared/open-editors.ts'
import { openToEdit } from './open-to-edit.ts'

/** Tries again. */
export function retryEdit(fileId: number): void {
  const editor = editorOf(fileId)
  if (editor === undefined) void openToEdit(fileId)
  else void editor.save?.()
}
