// Asks what becomes of an edit whose file has a newer version by now ([R174], X50).
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { ConflictAnswer } from './conflict.tsx'
import { contentOf } from './wire.ts'

/** Asks; `made` is what the file would become, `base` the version that it was made of. */
export async function askConflict(
  fileId: number,
  base: number,
  made: Uint8Array,
): Promise<{ readonly answer: ConflictAnswer | undefined; readonly newest: ItemRecord }> {
  const newest = await api.getFileInfo({ fileId }, { quiet: true })
  const read = async () => {
    const [{ readBoth }, before, theirs] = await Promise.all([
      import('./comparison.ts'),
      contentOf(fileId, base),
      contentOf(fileId, newest.version),
    ])
    return readBoth(newest.fName, before, made, theirs)
  }
  return { answer: await openWindow('cloudoc-edit-conflict', { newest, base, read }), newest }
}
