// Requests for rights ([R153], [R217]-[R221]). An approved request creates a permission that expires with the request.
import { AuthorizationResult, itemAddress, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { type ItemRef, on } from '../authority.ts'
import { call } from '../call.ts'
import { file, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, Time, text } from '../fields.ts'

import { push } from '../push.ts'
import { requestItemFields } from './request-fields.ts'
import { ReviewState, requestList, reviewKind } from './review.ts'

const item = { fileId: Id.optional(), folderId: Id.optional() }
const exactlyOne = (input: { fileId?: number | undefined; folderId?: number | undefined }): boolean =>
  (input.fileId === undefined) !== (input.folderId === undefined)
const itemOf = ({ fileId, folderId }: { fileId?: number | undefined; folderId?: number | undefined }): ItemRef =>
  fileId === undefined ? folder(folderId ?? 0) : file(fileId)

const Right = Count.pipe(z.int().max(0x1fffff))
const Comments = text(1000).default('')
const Person = z.strictObject({ userId: z.int(), accountName: z.string() })
const FType = z.union([z.literal(1), z.literal(2)])

/** A request for rights, as returned to the requester and to the reviewer. */
const Authorization = z.strictObject({
  authorizationId: z.int(),
  userId: z.int(),
  userName: z.string(),
  groupName: z.string(),
  fType: FType,
  /** 0 when the caller may no longer see the item. */
  fId: z.int(),
  fName: z.string(),
  pathString: z.string(),
  /** Secret level of the item; only set when the caller may see the item. */
  secretLevel: z.int(),
  /** The requested rights and their deadline. */
  right: z.int(),
  deadline: Time.nullable(),
  comments: z.string(),
  createTime: Time,
  handleBefore: Time.nullable(),
  state: ReviewState,
  /** The granted rights and their deadline. */
  given: z.strictObject({ right: z.int(), deadline: Time.nullable() }).nullable(),
  handleTime: Time.nullable(),
  handledBy: Person.nullable(),
  answer: z.string(),
  /** The people who still have to decide. */
  waitsFor: z.array(Person),
  isAwaited: z.boolean(),
})
export type Authorization = z.output<typeof Authorization>

const list = requestList(Authorization)
const one = { authorizationId: Id }

const authorizationCalls = {
  /** Returns who would review a request and which rights the caller already has. */
  getAuthorizationReviewers: call({
    summary: 'Tells who decides about requests for rights on an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/authorization/getAuthorizationReviewers',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'applyAuthorization' }],
    input: z.strictObject(item).refine(exactlyOne, 'exactly one of fileId and folderId'),
    sample: (ids) => ({ folderId: ids.borrowed }),
    data: z.strictObject({
      right: z.int(),
      pathString: z.string(),
      list: z.array(Person.extend({ why: z.enum(['owner', 'manager', 'named', 'role']), standIn: Person.optional() })),
      /** Id of a pending request of the caller. */
      pendingId: z.int().nullable(),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  authorizationApply: call({
    summary: 'Asks for rights on a file or folder',
    title: { zh: '申请权限', en: 'Request for rights' },
    log: 'none',
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/authorization/authorizationApply',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'applyAuthorization', lock: 'hold' }],
    input: z
      .strictObject({
        ...item,
        right: Right,
        /** Deadline of the requested rights; null means permanent. */
        deadline: Time.nullable().default(null),
        /** Date by which the requester hopes for an answer. Reviewers are reminded before it. */
        handleBefore: Time.nullable().default(null),
        comments: Comments,
      })
      .refine(exactlyOne, 'exactly one of fileId and folderId'),
    sample: (ids) => ({ right: 14, folderId: ids.borrowed }),
    data: z.strictObject(one),
    codes: ['notFound', 'noPermission', 'duplicateRequest', 'folderWithoutApprover', 'levelWithoutApprover'],
  }),
  /** Grants the requested rights or different ones. The reviewer cannot grant more rights than they hold. */
  authorizationApprove: call({
    summary: 'Approves a request for rights',
    title: { zh: '同意权限申请', en: 'Request approved' },
    kind: 'write',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/authorization/authorizationApprove',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: ({ authorizationId }) => [on(reviewKind, authorizationId, 'decide', 'change')],
    input: z.strictObject({
      ...one,
      right: Right.optional(),
      deadline: Time.nullable().optional(),
      comments: Comments,
    }),
    sample: (ids) => ({ authorizationId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  authorizationReject: call({
    summary: 'Rejects a request for rights',
    title: { zh: '拒绝权限申请', en: 'Request rejected' },
    log: 'none',
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/authorization/authorizationReject',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: ({ authorizationId }) => [on(reviewKind, authorizationId, 'decide', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ authorizationId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  getAuthorization: call({
    summary: 'Reads one request for rights',
    kind: 'read',
    method: 'GET',
    path: '/services2/authorization/getAuthorization/{authorizationId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: ({ authorizationId }) => [on(reviewKind, authorizationId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ authorizationId: ids.authorizationId }),
    data: Authorization,
    codes: ['notFound'],
  }),
  /** Requests made by the caller, newest first. */
  getAuthorizationCreationList: call({
    ...list,
    summary: 'Lists requests of the caller for rights',
    path: '/services2/authorization/getAuthorizationCreationList',
  }),
  /** Requests that the caller is or was asked to review. Pending ones come first, then the newest. */
  getAuthorizationReviewList: call({
    ...list,
    summary: 'Lists requests for rights that the caller decides about',
    path: '/services2/authorization/getAuthorizationReviewList',
  }),
}

const applicationFields = {
  serverId: z.int(),
  remindId: z.int(),
  authorizationId: z.int(),
  userId: z.int(),
  userName: z.string(),
  fType: FType,
  fId: z.int(),
  ...requestItemFields,
  fName: z.string(),
  right: z.int(),
  createTime: Time,
}

const replySentences = {
  [AuthorizationResult.approved]: { zh: '你对 {name} 的申请已同意', en: 'Your request for {name} was approved' },
  [AuthorizationResult.rejected]: { zh: '你对 {name} 的申请被拒绝', en: 'Your request for {name} was rejected' },
  [AuthorizationResult.late]: {
    zh: '你对 {name} 的申请已到期限，还没有人处理',
    en: 'Your request for {name} has not been decided in time',
  },
} as const

const authorizationPushes = {
  /** A user requests rights that the receiver has to decide about ([R221], [R325]). */
  authorizationApply: push({
    summary: 'Somebody asks for rights that the receiver decides about',
    type: 35,
    delivery: 'confirmed',
    notice: {
      group: 'permissionApply',
      key: ({ authorizationId }) => String(authorizationId),
      merge: 'later',
      item: ({ fType, fId }) => ({ fType, fId }),
      actor: ({ userName }) => userName,
      // The page adds the names of the rights, which depend on its settings.
      sentence: ({ fName, reminder }) => ({
        ...(reminder
          ? { zh: '对 {name} 的权限申请还在等你处理', en: 'still waits for your answer about rights on {name}' }
          : { zh: '申请 {name} 的权限', en: 'asks for rights on {name}' }),
        values: { name: nameInText(fName) },
      }),
      path: ({ authorizationId }) => `/doc/folder/share/auth-review?authorizationId=${authorizationId}`,
    },
    /** Not in the spec: `reminder` marks a repeated push, sent because nobody has decided yet. */
    payload: z.strictObject({ ...applicationFields, reminder: z.literal(true).optional() }),
  }),
  /** The receiver's request for rights was decided ([R218], [R326]). */
  authorizationReply: push({
    summary: 'A request for rights was approved or rejected, or nobody has decided about it in time',
    type: 36,
    delivery: 'confirmed',
    notice: {
      group: 'authorization',
      key: ({ authorizationId }) => `reply ${authorizationId}`,
      merge: 'later',
      item: ({ fType, fId }) => ({ fType, fId }),
      sentence: ({ result, fName }) => ({ ...replySentences[result], values: { name: nameInText(fName) } }),
      path({ result, fType, fId }) {
        if (result !== AuthorizationResult.approved) return '/doc/folder/share/auth-creation'
        return fId === 0 ? undefined : itemAddress({ fType, fId })
      },
    },
    payload: z.strictObject({ ...applicationFields, result: z.enum(AuthorizationResult), handleTime: Time }),
  }),
}

export const authorization = feature({
  about: { name: 'authorization', text: 'Asking for rights' },
  calls: authorizationCalls,
  pushes: authorizationPushes,
  settings: {
    setting: {
      /** Users may request more rights on items that they see. [R153] */
      authorization_menu: z.boolean().default(true),
    },
    administered: {
      authorization_menu: {
        label: { zh: '申请授权', en: 'Requests for rights' },
        note: {
          zh: '看得到却没有权限的人可以申请，由所有者或文档库管理员审批。',
          en: 'Whoever sees something may ask for more rights; owner or managers of the library decide.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
