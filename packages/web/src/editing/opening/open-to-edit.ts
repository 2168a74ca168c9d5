// Opening a file to edit it; what that takes is loaded when it is wanted.
import { notifyFailure } from '../../items/actions/operations.ts'

/** Opens a file to edit it, as far as the person may. */
export async function openToEdit(fileId: number): Promise<void> {
  try {
    await (await import('./open-file.ts')).openFile(fileId)
  } catch (error) {
    notifyFailure(error)
  }
}
