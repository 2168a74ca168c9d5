// Explains why a user has their rights, who can see an item at all, and who changed its rights ([R208], [R140]).
import { z } from 'zod'
import { call } from '../call.ts'
import { BatchAnswer, Id, Nothing, pageOf, Time } from '../fields.ts'
import { areUnique, exactlyOne, fileOrFolder, itemOf, oneOf, Step, SubjectType, uniqueItems } from './rights-fields.ts'

const Level = z.strictObject({
  inherit: z.boolean(),
  restricted: z.boolean(),
  entries: z.array(
    z.strictObject({
      subjectType: SubjectType,
      subjectId: z.int(),
      subjectName: z.string(),
      rights: z.int(),
      kind: z.enum(['independent', 'application']),
      expireTime: Time.nullable(),
    }),
  ),
})

export const insightCalls = {
  /** Own rights: for users who see the item. Rights of another user: for users who may read its list of rights. */
  getRightsReasons: call({
    summary: 'Tells why somebody may do what they may with an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getRightsReasons',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: input.userId === undefined ? 'see' : 'viewShares' }],
    input: z.strictObject({ ...fileOrFolder, userId: Id.optional() }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      userId: z.int(),
      accountName: z.string(),
      rights: z.int(),
      steps: z.array(Step),
      limits: z
        .array(z.strictObject({ action: z.string(), fact: z.string(), result: z.int() }))
        .describe('The actions that are refused, each with the first condition that does not hold and its code.'),
      grants: z
        .array(
          z.strictObject({
            applicationId: z.int(),
            version: z.int().describe('The version when it was approved.'),
            onlyVersion: z.boolean().describe('Only this version; otherwise later ones too.'),
            count: z.int().describe('Downloads that were approved; 0: no limit.'),
            used: z.int(),
            endTime: z.int(),
            mayOpen: z.boolean().describe('Whether the caller may read the application.'),
          }),
        )
        .describe('Downloads that applications of the person give of the file, the first to end first ([R251]).'),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  getAccessList: call({
    summary: 'Lists who may see an item, and what they may do',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getAccessList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'viewShares' }],
    input: z.strictObject({ ...fileOrFolder, ...pageOf(100, 1000) }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          userId: z.int(),
          accountName: z.string(),
          groupName: z.string(),
          rights: z.int(),
          isManager: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  getShareHistory: call({
    summary: 'Tells who changed the permissions of an item, and how',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getShareHistory',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'viewShares' }],
    input: z.strictObject({ ...fileOrFolder, ...pageOf(30, 100) }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          changeId: z.int(),
          what: z.enum(['set', 'share', 'paste', 'clear', 'undo', 'approve', 'revoke']),
          operatorName: z.string(),
          createTime: Time,
          before: Level,
          after: Level,
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  /** Undoes one change of rights, if nobody has changed the same entries since. Other changes stay. */
  undoShareChange: call({
    summary: 'Takes back a change of permissions',
    title: { zh: '撤销权限修改', en: 'Change of rights taken back' },
    kind: 'write',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/undoShareChange',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'grant', lock: 'change' }],
    input: z.strictObject({ ...fileOrFolder, changeId: Id }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ changeId: ids.changeId, folderId: ids.folderId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyExists'],
  }),
  /**
   * Undoes the changes that one action made on several items. Each is undone separately and answered with the id of the
   * resulting change.
   */
  undoShareChanges: call({
    summary: 'Takes back changes of permissions on several items',
    title: { zh: '批量撤销权限修改', en: 'Changes of rights taken back' },
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/undoShareChanges',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ undone }) => undone.map(itemOf),
      gate: (item) => [{ item, action: 'grant', lock: 'change' }],
    },
    input: z.strictObject({
      undone: z
        .array(z.strictObject({ ...fileOrFolder, changeId: Id }).refine(exactlyOne, oneOf))
        .min(1)
        .max(100)
        .refine(areUnique, uniqueItems),
    }),
    sample: (ids) => ({ undone: [{ folderId: ids.folderId, changeId: ids.changeId }] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'alreadyExists'],
  }),
} as const
