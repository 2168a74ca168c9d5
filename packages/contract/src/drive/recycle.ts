// The recycle bin ([R122], [R243]-[R246]).
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Count, Id, pageOf, Time } from '../fields.ts'
import { Conflict, folder, itemArrays, itemsOf } from './items.ts'

const recycleCalls = {
  fileOrFolderCompleteDelete: call({
    summary: 'Deletes items for good',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderCompleteDelete',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'completeDelete', lock: 'change' }] },
    /**
     * Items deleted from a folder before the folder itself are separate entries in the bin. They are purged only when
     * named.
     */
    log: 'delete',
    input: z.strictObject({ ...itemArrays, withDeleted: z.boolean().default(false) }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['holdsDeleted', 'keptByRule'],
  }),
  recycleRestore: call({
    summary: 'Restores items from the recycle bin',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/recycleRestore',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: itemsOf,
      gate: (item, input) => [
        { item, action: 'restore', lock: 'change' },
        ...(input.targetFolderId === undefined
          ? []
          : [{ item: folder(input.targetFolderId), action: 'upload', lock: 'hold' } as const]),
      ],
    },
    /**
     * Without a target an item returns to its original location. An existing name is refused or numbered, never
     * overwritten.
     */
    log: 'restore',
    input: z.strictObject({ targetFolderId: Id.optional(), ...itemArrays, conflict: Conflict }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['alreadyExists', 'notFound'],
  }),
  /** Purges the items that `getRecycleList` lists for the same input and caller. */
  recycleClean: call({
    summary: 'Empties the recycle bin of the caller',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/recycleClean',
    aliases: ['/services2/file/operate/cleanRecycle'],
    auth: 'required',
    payload: 'json',
    needs: 'recycle',
    origin: 'spec',
    timeoutMs: 10_000,
    guard: ownAccount,
    log: 'delete',
    input: z.strictObject({}),
    data: z.strictObject({
      count: z.int(),
      kept: z.int().describe('Items that stay, because rules of the company keep them.'),
    }),
  }),
  /** Items that the caller deleted, and all deleted items of libraries that the caller manages. */
  getRecycleList: call({
    summary: 'Lists the recycle bin of the caller',
    kind: 'read',
    method: 'GET',
    path: '/services2/recycle/list',
    auth: 'required',
    payload: 'query',
    needs: 'recycle',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      /** 1 today, 2 last 7 days, 3 last 30 days, 4 all (X26). */
      timeRange: Count.pipe(z.int().min(1).max(4)).default(4),
      ...pageOf(100, 3000),
    }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          /** For a link: its own id, used to restore it; fId is then 0. */
          linkId: z.int().optional(),
          fType: z.union([z.literal(1), z.literal(2)]),
          fName: z.string(),
          extName: z.string(),
          fileSize: z.int(),
          deleteTime: Time,
          deleterName: z.string(),
          /** Original path; empty when the caller may not see it. */
          pathString: z.string(),
          parentFolderId: z.int(),
          itemIdStr: z.string(),
        }),
      ),
      total: z.int(),
    }),
  }),
}

export const recycle = feature({
  about: { name: 'recycle bin', text: 'What was deleted' },
  calls: recycleCalls,
})
