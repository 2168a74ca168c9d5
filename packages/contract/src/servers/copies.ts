// Copies between linked servers ([R123], X78).
import { z } from 'zod'
import { accountHolder, signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { Conflict, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Flag, Id, IdArray, integer, Nothing, Time } from '../fields.ts'

/** 0 is the main server (X28). */
const ServerId = integer(0, 1_000_000)
const CopyId = integer(1, Number.MAX_SAFE_INTEGER)

const stateCodes = [
  'interconnectedServerInvalid',
  'interconnectedServerMissing',
  'interconnectedServerNotResponding',
  'interconnectedServerFaulty',
] as const

/** `running` also while it waits for a server that does not respond. */
export const serverCopyStates = ['running', 'done', 'failed', 'cancelled'] as const
export type ServerCopyState = (typeof serverCopyStates)[number]

const ServerCopy = z
  .strictObject({
    copyId: z.int(),
    sourceServerId: z.int(),
    targetServerId: z.int(),
    targetFolderId: z.int(),
    targetName: z.string().describe('The name of the target folder; empty until it is read.'),
    name: z.string().describe('The name of the first item; empty until it is read.'),
    items: z.int().describe('The number of items that were asked for.'),
    isMove: z.boolean(),
    state: z.enum(serverCopyStates),
    code: z.int().describe('Why it has failed; 0 otherwise.'),
    waitingFor: z.int().describe('The server that does not respond, while the copy waits for it; -1 otherwise.'),
    waitingCode: z.int().describe('The state of that server; 0 otherwise.'),
    isListed: z.boolean().describe('Whether the numbers of all items are known.'),
    files: z.int(),
    filesDone: z.int(),
    folders: z.int(),
    foldersDone: z.int(),
    bytes: z.int(),
    bytesDone: z.int(),
    refused: z.int().describe('Items that could not be copied, or not be removed at the source.'),
    createdAt: Time,
    endedAt: Time,
  })
  .meta({ id: 'ServerCopy' })

const copyCalls = {
  copyFilesAndFolders: call({
    summary: 'Copies or moves items from one linked server to another',
    title: { zh: '跨服务器复制', en: 'Copy between servers' },
    notes:
      'The servers do it by themselves, as a job: `getServerCopy` tells its progress and the answer for each item. Every content is compared by its hash. A move puts each item into the recycle bin of its server once everything in it has arrived. Neither rights, older versions, comments nor shortcuts are copied.',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/copyFilesAndFolders',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    personOnly: true,
    gate: (input) =>
      input.targetServerId === 0 ? [{ item: folder(input.targetFolderId), action: 'upload', lock: 'hold' }] : [],
    log: 'none',
    input: z.strictObject({
      sourceServerId: ServerId,
      targetServerId: ServerId.default(0).describe('The server of the target folder; 0 is the main one.'),
      sourceFileIds: IdArray.default([]),
      sourceFolderIds: IdArray.default([]),
      targetFolderId: Id,
      conflict: Conflict,
      isMove: Flag.default(false).describe(
        'Whether the items are put into the recycle bin of their server afterwards.',
      ),
    }),
    sample: (ids) => ({ sourceServerId: 1, targetFolderId: ids.library }),
    data: z.strictObject({ copyId: z.int() }),
    codes: stateCodes,
  }),
  getServerCopies: call({
    summary: 'Lists the copies between servers that the caller has started, the newest first',
    kind: 'read',
    method: 'GET',
    path: '/services2/servers/getServerCopies',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(ServerCopy) }),
  }),
  getServerCopy: call({
    summary: 'Tells how far a copy between servers is',
    kind: 'read',
    method: 'GET',
    path: '/services2/servers/getServerCopy/{copyId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ copyId: CopyId }),
    sample: () => ({ copyId: 1 }),
    data: z.strictObject({
      copy: ServerCopy,
      /** Ids are those of the source server; `fId` is the id of the copy on the target server. */
      items: BatchAnswer,
      /** What could not be copied, with its path below the items; at most 200. */
      refused: z.array(
        z.strictObject({
          path: z.string(),
          fType: z.union([z.literal(1), z.literal(2)]),
          result: z.int(),
          msg: z.string(),
        }),
      ),
    }),
    codes: ['notFound'],
  }),
  cancelServerCopy: call({
    summary: 'Ends a copy between servers; what has arrived stays',
    title: { zh: '取消跨服务器复制', en: 'Copy between servers cancelled' },
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/servers/cancelServerCopy',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject({ copyId: CopyId }),
    sample: () => ({ copyId: 1 }),
    data: Nothing,
    codes: ['notFound', 'duplicateOperation'],
  }),
  resumeServerCopy: call({
    summary: 'Tries again what a copy between servers could not do',
    title: { zh: '继续跨服务器复制', en: 'Copy between servers resumed' },
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/servers/resumeServerCopy',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    personOnly: true,
    guard: accountHolder,
    input: z.strictObject({ copyId: CopyId }),
    sample: () => ({ copyId: 1 }),
    data: Nothing,
    codes: ['notFound', 'duplicateOperation'],
  }),
}

export const serverCopies = feature({
  about: { name: 'copies between servers', text: 'Copies and moves of items between linked servers' },
  calls: copyCalls,
})
