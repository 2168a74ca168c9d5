// Asks what becomes of an edit whose file has a newer version by now ([R174], X50).
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { openWindow } from '../../core/windows/index.ts'
import { fetchContent } from '../shared/edit-transfers.ts'
import type { ConflictAnswer, EditConflictProps } from './edit-conflict.tsx'

/** Asks; `made` is what the file would become, `base` the version that it was made of. */
export async function askConflict(
  fileId: number,
  base: number,
  made: Uint8Array,
): Promise<{ readonly answer: ConflictAnswer | undefined; readonly newest: ItemRecord }> {
  const newest = await api.getFileInfo({ fileId }, { quiet: true })
  const file = { fileId, fileName: newest.fName }
  const read: EditConflictProps['read'] = async (signal, onStep) => {
    const [{ compareInWorker }, before, theirs] = await Promise.all([
      import('./comparison-client.ts'),
      fetchContent(file, base, { signal }),
      fetchContent(file, newest.version, { signal }),
    ])
    return compareInWorker({ name: newest.fName, base: before, mine: made, theirs }, signal, onStep)
  }
  const answer = await openWindow('cloudoc-edit-conflict', { newest, base, read })
  // That it ended so is for the log; the copy is made whether it can be told or not.
  if (answer === 'saveAs') void api.noteSavedAs({ fileId, version: base }, { quiet: true }).catch(() => undefined)
  return { answer, newest }
}
