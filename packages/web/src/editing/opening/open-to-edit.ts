// Opens a file for editing; loads the code on demand.

import { notifyFailure } from '../../items/actions/operations.ts'
import { type FileRef } from '../../items/item/item.ts'

/** Opens a file for editing, as far as the permissions of the user allow. */
export async function openToEdit(file: FileRef): Promise<void> {
  try {
    await (await import('./open-file.ts')).openFile(file)
  } catch (error) {
    notifyFailure(error)
  }
}
