// Who may do what with an item ([R208], decisions "Rights evaluation" and "Wire shapes").
import { z } from 'zod'
import type { ItemRef } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, Time } from '../fields.ts'
import { push } from '../push.ts'

const SubjectType = z.enum(['user', 'group', 'role'])

/** A file or a folder, exactly one of the two. */
const subject = { fileId: Id.optional(), folderId: Id.optional() }
const exactlyOne = (input: { fileId?: number | undefined; folderId?: number | undefined }): boolean =>
  (input.fileId === undefined) !== (input.folderId === undefined)
const itemOf = (input: { fileId?: number | undefined; folderId?: number | undefined }): ItemRef =>
  input.fileId === undefined ? { fType: 2, fId: input.folderId ?? 0 } : { fType: 1, fId: input.fileId }

const rightsCalls = {
  setShareList: call({
    summary: 'Sets who may do what with an item',
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/share/setShareList',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'grant', lock: 'change' }],
    /**
     * Replaces the independent entries of the item; application entries stay. Nobody gives more than they hold; owner and
     * managers of the library hold every right.
     */
    log: 'permissionChange',
    input: z
      .strictObject({
        ...subject,
        inherit: z.boolean(),
        /** Others than managers see only what they uploaded themselves ([R210]). */
        restricted: z.boolean().optional(),
        entries: z
          .array(
            z.strictObject({
              subjectType: SubjectType,
              subjectId: Id,
              rights: Count.pipe(z.int().max(0x1fffff)),
              expireTime: Time.nullish(),
            }),
          )
          .max(1000),
        /**
         * The caller knows that they can not change the list any more after this; without it, such a list is refused.
         */
        withoutMyself: z.boolean().default(false),
      })
      .refine(exactlyOne, 'exactly one of fileId and folderId'),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  getShareList: call({
    summary: 'Tells who may do what with an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getShareList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'viewShares' }],
    input: z.strictObject(subject).refine(exactlyOne, 'exactly one of fileId and folderId'),
    data: z.strictObject({
      inherit: z.boolean(),
      restricted: z.boolean(),
      entries: z.array(
        z.strictObject({
          subjectType: SubjectType,
          subjectId: z.int(),
          subjectName: z.string(),
          rights: z.int(),
          expireTime: Time.nullable(),
          kind: z.enum(['inherited', 'application', 'independent']),
          source: z.strictObject({ folderId: z.int(), fName: z.string() }),
        }),
      ),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  getItemManagers: call({
    summary: 'Tells whom to ask for rights on an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getItemManagers',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'see' }],
    input: z.strictObject(subject).refine(exactlyOne, 'exactly one of fileId and folderId'),
    /** Whom to ask for rights: the owner and the managers of the library that the item is in, at most 20 of them. */
    data: z.strictObject({ list: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })) }),
    codes: ['notFound'],
  }),
}

/** What became of somebody's rights: 1 is as documented ([R092]), all others are a change. */
export const ShareType = { given: 0, cancelled: 1, reduced: 2 } as const

const rightsPushes = {
  /** Somebody gave the receiver rights on an item, took some of them or all ([R214], [R333]). */
  shareRemind: push({
    type: 55,
    summary: 'Somebody gave the receiver rights on an item, changed or took them',
    delivery: 'confirmed',
    notice: {
      group: 'authorization',
      key: ({ fileId, folderId, shareType, createTime }) => [fileId, folderId, shareType, createTime].join(' '),
      merge: 'later',
      // What was taken is not seen any more; who had it knows its name.
      item: ({ fileId, folderId, shareType }) =>
        shareType === ShareType.cancelled
          ? undefined
          : fileId === 0
            ? { fType: 2, fId: folderId }
            : { fType: 1, fId: fileId },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      operatorName: z.string(),
      targetName: z.string(),
      shareType: z.enum(ShareType),
      docName: z.string(),
      fileId: z.int(),
      folderId: z.int(),
      createTime: Time,
    }),
  }),
}

export const rights = feature({
  about: { name: 'rights', text: 'Who may do what' },
  calls: rightsCalls,
  pushes: rightsPushes,
  settings: {
    setting: {
      /** Printing is a right of its own, and download depends on it (X5). */
      print_rights: z.boolean().default(false),
    },
    administered: { print_rights: { power: 'system', group: 'files', as: 'switch' } },
  },
})
