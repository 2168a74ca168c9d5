// Copies between linked servers ([R123]).
import { z } from 'zod'
import { call } from '../call.ts'
import { Conflict, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Id, IdArray } from '../fields.ts'

const copyCalls = {
  copyFilesAndFolders: call({
    summary: 'Copies items from a linked server',
    kind: 'staged',
    method: 'POST',
    path: '/services2/file/operate/copyFilesAndFolders',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.targetFolderId), action: 'upload', lock: 'hold' }],
    log: 'add',
    input: z.strictObject({
      sourceServerId: Id,
      sourceFileIds: IdArray.default([]),
      sourceFolderIds: IdArray.default([]),
      targetFolderId: Id,
      conflict: Conflict,
    }),
    sample: (ids) => ({ sourceServerId: 1, targetFolderId: ids.library }),
    /** Ids are those of the source server; `fId` is the id of the copy on this server. */
    data: BatchAnswer,
    codes: [
      'interconnectedServerInvalid',
      'interconnectedServerMissing',
      'interconnectedServerNotResponding',
      'interconnectedServerFaulty',
    ],
  }),
}

export const serverCopies = feature({
  about: { name: 'copies between servers', text: 'Copies of items of one linked server on another' },
  calls: copyCalls,
})
