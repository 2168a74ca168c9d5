// Opens a file for editing; loads the code on demand.
import { notifyFailure } from '../../items/actions/operations.ts'

/** Opens a file for editing, as far as the permissions of the user allow. */
export async function openToEdit(fileId: number): Promise<void> {
  try {
    await (await import('./open-file.ts')).openFile(fileId)
  } catch (error) {
    notifyFailure(error)
  }
}
