// Taken names of an upload that is waiting for a decision. Loaded on demand.
import { api, mainServer } from '../../core/call/api.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { Clash, Existing } from '../engine/upload-plan.ts'
import { transfers } from './transfers.ts'
import { clashPolicies } from './uploads.ts'

const unseen: Existing = {
  fType: 1,
  fileSize: 0,
  modifyTime: 0,
  version: 0,
  lastOperatorName: '',
  editorName: '',
  sha256: '',
}

/** Asks what to do with names that turned out to be taken during the upload. */
export async function decideClashes(taskId: number, folderName: string): Promise<void> {
  const waiting = transfers.clashesOf(taskId)
  try {
    const clashes = new Map<number, Clash>()
    for (const [folderId, files] of groupBy(waiting, ({ folderId }) => folderId)) {
      const taken = await api.of(mainServer).checkFileExist({ folderId, fileNames: files.map(({ name }) => name) })
      const byName = new Map(taken.map((one) => [one.fileName, one]))
      for (const { index, name, path, size, modified } of files) {
        const existing = byName.get(name) ?? unseen
        const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
        clashes.set(index, { name, folder, size, modified, existing })
      }
    }
    const decision = await clashPolicies(folderName, [...clashes.values()])
    if (decision === undefined) return
    const ways = new Map([...clashes.keys()].map((index, n) => [index, decision.ways[n] ?? 'skip'] as const))
    transfers.decide(taskId, ways, decision.sameWay)
  } catch (error) {
    notifyFailure(error)
  }
}
