// Shows the conflict dialog for an edit whose file has a newer version ([R174], X50).
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { ConflictAnswer } from './edit-conflict.tsx'

/** Asks the user. `made` is the edited content, `base` the version that it is based on. */
export async function askConflict(
  on: Pick<ItemRecord, 'serverId' | 'fId'>,
  base: number,
  made: Uint8Array,
): Promise<{ readonly answer: ConflictAnswer | undefined; readonly newest: ItemRecord }> {
  const { fId: fileId } = on
  const newest = await api.of(on).getFileInfo({ fileId }, { quiet: true })
  const answer = await openWindow('cloudoc-edit-conflict', { newest, base, made })
  // The call only writes an audit record. The copy is saved even if the call fails.
  if (answer === 'saveAs')
    void api
      .of(on)
      .noteSavedAs({ fileId, version: base }, { quiet: true })
      .catch(() => undefined)
  return { answer, newest }
}
