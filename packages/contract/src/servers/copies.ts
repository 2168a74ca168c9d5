// Copies between linked servers ([R123], X78).
import { z } from 'zod'
import { accountHolder, signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { Conflict, file, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Flag, Id, IdArray, integer, Nothing, Time, text } from '../fields.ts'

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

/** What is copied, and where to. */
const asked = {
  sourceServerId: ServerId,
  targetServerId: ServerId.default(0).describe('The server of the target folder; 0 is the main one.'),
  sourceFileIds: IdArray.default([]),
  sourceFolderIds: IdArray.default([]),
  targetFolderId: Id,
  conflict: Conflict,
}

/** An item that the target would not take, or would take under another name. */
const CopyProblem = z.strictObject({
  path: z.string().describe('Below the items that were asked for; empty if the item cannot be read.'),
  fType: z.union([z.literal(1), z.literal(2)]),
  result: z.int().describe('Why it would be refused; -1 if it would only be renamed.'),
  msg: z.string(),
  name: z.string().describe('The name that it would have at the target.'),
})

const copyCalls = {
  checkServerCopy: call({
    summary: 'Tells what a copy between servers could not send, before it starts',
    title: { zh: '检查跨服务器复制', en: 'Copy between servers checked' },
    notes:
      'The server of the target decides about names, types, levels, depth and space; the one of the source, what may be read. What is larger than the check takes is checked in part. Nothing is reserved: each item is checked again when it is sent.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/servers/checkServerCopy',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    unrecorded: true,
    personOnly: true,
    guard: accountHolder,
    input: z.strictObject(asked),
    sample: (ids) => ({ sourceServerId: 1, targetFolderId: ids.library }),
    data: z.strictObject({
      files: z.int(),
      folders: z.int(),
      bytes: z.int(),
      isComplete: z.boolean().describe('Whether everything in the items was checked.'),
      refused: z.int(),
      renamed: z.int(),
      /** The first ones; refusals before new names. */
      problems: z.array(CopyProblem),
    }),
    codes: [...stateCodes, 'noPermission'],
  }),
  copyFilesAndFolders: call({
    summary: 'Copies or moves items from one linked server to another',
    title: { zh: '跨服务器复制', en: 'Copy between servers' },
    notes:
      'The servers do it by themselves, as a job: `getServerCopy` tells its progress and the answer for each item. Every content is compared by its hash. A move puts each item into the recycle bin of its server once everything in it has arrived. Neither rights, older versions, comments nor shortcuts are copied; the modification time, the author and the time of creation are, as information.',
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
      ...asked,
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
  noteFileOrigin: call({
    summary: 'Notes who has made a file on the server that it was copied from, and when',
    title: { zh: '记录文件来源', en: 'Origin of a file' },
    notes: 'Only in a session that a linked server has opened, for a file that was made in the same name. Kept once.',
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/noteFileOrigin',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    personOnly: true,
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    log: 'none',
    input: z.strictObject({
      fileId: Id,
      server: text(100).describe('The name of the server that it was copied from.'),
      author: text(200).describe('The name of the person who has made it there.'),
      createTime: Time.describe('When it was made there.'),
    }),
    sample: (ids) => ({ fileId: ids.fileId, server: '分公司', author: '林夏', createTime: 1 }),
    data: Nothing,
    codes: ['noPermission'],
  }),
  getFileOrigin: call({
    summary: 'Tells where a file was copied from by the servers, and who had made it there',
    kind: 'read',
    method: 'GET',
    path: '/services2/servers/getFileOrigin/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      origin: z.strictObject({ server: z.string(), author: z.string(), createTime: Time }).optional(),
    }),
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
