/*
 * External links ([R222]-[R231]): an address that opens a file or folder, optionally limited by a password, an expiry,
 * a number of uses, or a list of named company users. When the creator loses the right to share the item, the link
 * stops working from the next request on. The visitor side is in visits.ts.
 */

import {
  fact,
  LinkStatus,
  linkAddress,
  linkPassword,
  linkRightNames,
  linkRights,
  maxLinkMails,
  maxLinkPeople,
  maxLinkTextLength,
  nameInText,
} from '@cloudoc/domain'
import { z } from 'zod'
import { objectKind, on, ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { MailAddress } from '../core/mail.ts'
import { file, folder } from '../drive/items.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from '../drive/rights-fields.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, ItemRecord, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { linkAdministrationCalls } from './link-administration.ts'
import { linkReportCalls, linkReportPushes } from './link-reports.ts'
import { visitCalls } from './visits.ts'

const LinkPassword = z.string().regex(linkPassword)
const LinkToken = z.string().regex(linkAddress)
const everyRight = Object.values(linkRights).reduce<number>((mask, right) => mask | right, 0)
const LinkRights = Count.pipe(z.int().max(everyRight)).refine(
  (mask) => mask !== 0 && (mask & ~everyRight) === 0,
  linkRightNames.join(', '),
)

/** Reasons for the state of a link. */
const linkReasons = [
  'active',
  'notYet',
  'paused',
  'ended',
  'visits',
  'downloads',
  'cancelled',
  'approval',
  'unasked',
  'refused',
  'revoked',
  'policy',
  'item',
  'right',
  'level',
  'creator',
] as const
export type LinkReason = (typeof linkReasons)[number]

interface LinkFacts {
  /** The user created the link or manages the library of its item. */
  readonly mayManage: boolean
  readonly isCancelled: boolean
}
const manages = fact<LinkFacts>('made it, or manages the library', (f) => f.mayManage, 'notFound')
const linkGates = fact<LinkFacts>('not cancelled', (f) => !f.isCancelled, 'duplicateOperation')
/** Links as objects, for users who may know their addresses. */
export const externalLinkKind = objectKind<LinkFacts, 'see' | 'change'>('externalLink', {
  see: manages,
  change: { all: [manages, linkGates] },
})

const Person = z.strictObject({ userId: z.int(), accountName: z.string() })
const FType = z.union([z.literal(1), z.literal(2)])

const linkFields = {
  externalId: z.int(),
  fType: FType,
  /** 0 when the caller may no longer see the item. */
  fId: z.int(),
  fName: z.string(),
  extName: z.string(),
  note: z.string(),
  /**
   * Message to visitors of a file-collecting link. Apart from its visitors, only users who manage the link receive it.
   */
  greeting: z.string(),
  creatorId: z.int(),
  creatorName: z.string(),
  createTime: Time,
  rights: z.int(),
  hasPassword: z.boolean(),
  startTime: Time,
  endTime: Time,
  visitLimit: z.int().describe('How often it can be opened; 0: any number of times.'),
  downloadLimit: z.int().describe('How often something can be downloaded; 0: any number of times.'),
  visits: z.int(),
  downloads: z.int(),
  people: z.array(Person).describe('Whom it is for by name.'),
  mails: z.array(z.string()).describe('Whom it is for by mail; told to those who may manage it.'),
  isNamed: z.boolean().describe('It is for people by name or by mail, not for whoever knows it.'),
  status: z.enum(LinkStatus),
  reason: z.enum(linkReasons),
  /**
   * True if the caller created the link or manages the library. For other callers the address, password and counters
   * are empty.
   */
  mayManage: z.boolean(),
  /** The last segment of its address, after `/s/`. */
  linkToken: z.string(),
  password: z.string(),
  notify: z.boolean(),
  /** Whether displayed and downloaded files get a watermark ([R222]), and its template; 0 is the standard one. */
  watermark: z.boolean(),
  watermarkTemplateId: z.int(),
}
const ExternalLink = z.strictObject(linkFields).meta({ id: 'ExternalLink' })
export type ExternalLink = z.output<typeof ExternalLink>
const Listed = z.strictObject({ ...linkFields, item: ItemRecord.nullable() }).meta({ id: 'ListedLink' })
export type ListedLink = z.output<typeof Listed>

/** Actions and attempts of visitors of a link. */
const visited = ['open', 'preview', 'download', 'print', 'upload', 'edit', 'wrongPassword', 'wrongCode'] as const
export type VisitKind = (typeof visited)[number]

const one = { externalId: Id }
const settable = {
  rights: LinkRights,
  password: LinkPassword,
  startTime: Time,
  endTime: Time,
  visitLimit: Count,
  downloadLimit: Count,
  userIdArray: z.array(Id).max(maxLinkPeople),
  /** A visitor who enters the code sent to one of these addresses is let in. */
  mailArray: z.array(MailAddress).max(maxLinkMails),
  note: text(maxLinkTextLength),
  /** Message to visitors of a file-collecting link. */
  greeting: text(maxLinkTextLength),
  /** Notifies the owner when a visitor opens the link or uploads a file. */
  notify: Flag,
  /** Adds a watermark to displayed and downloaded files. */
  watermark: Flag,
  watermarkTemplateId: Count,
}
const ours = { auth: 'required', origin: 'ours' } as const
const page = { ...pageOf(30, 1000) }
const listPage = {
  ...page,
  state: z.enum(['all', 'active', 'inactive', 'approval', 'over']).default('all'),
  keyword: text(100).default(''),
}
const codes = ['notFound', 'noPermission'] as const

const linkCalls = {
  externalCreate: call({
    summary: 'Makes a link to a file or folder for people outside',
    title: { zh: '创建外链', en: 'Link created' },
    notes:
      'Takes the right to create links (256). `startTime` 0 is now. A custom address that is taken is -5. `mailArray` takes a mail server (-440). Only a folder can take uploads. Who may edit (64) may download and look as well. Where links need an approval, it waits in status 4.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    log: 'createLink',
    method: 'POST',
    path: '/services2/external/create',
    payload: 'json',
    gate: (input) => [{ item: itemOf(input), action: 'createLink', lock: 'change' }],
    input: z
      .strictObject({
        ...fileOrFolder,
        ...settable,
        password: LinkPassword.default(''),
        startTime: Time.default(0),
        visitLimit: Count.default(0),
        downloadLimit: Count.default(0),
        userIdArray: settable.userIdArray.default([]),
        mailArray: settable.mailArray.default([]),
        note: settable.note.default(''),
        greeting: settable.greeting.default(''),
        notify: Flag.default(false),
        watermark: Flag.default(false),
        watermarkTemplateId: Count.default(0),
        address: LinkToken.optional(),
        /** Message to the reviewers, if the link needs an approval. */
        comments: text(1000).default(''),
        handleBefore: Time.nullable().default(null),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ rights: 12, endTime: ids.now + 3_600_000, folderId: ids.folderId }),
    data: ExternalLink,
    codes: [...codes, 'alreadyExists', 'secretLevel', 'folderWithoutApprover', 'mailNotSetUp'],
  }),
  externalModify: call({
    summary: 'Changes a link; what is left out stays',
    title: { zh: '修改外链', en: 'Link changed' },
    log: 'none',
    notes:
      'Who came in by the password before has to enter the new one. Where links need an approval, what gives more is asked for anew; -95 while a request waits.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/modify',
    payload: 'json',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'change', 'change')],
    input: z.strictObject({
      ...one,
      rights: LinkRights.optional(),
      password: LinkPassword.optional(),
      startTime: Time.optional(),
      endTime: Time.optional(),
      visitLimit: Count.optional(),
      downloadLimit: Count.optional(),
      userIdArray: settable.userIdArray.optional(),
      mailArray: settable.mailArray.optional(),
      note: settable.note.optional(),
      greeting: settable.greeting.optional(),
      notify: Flag.optional(),
      watermark: Flag.optional(),
      watermarkTemplateId: Count.optional(),
    }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: ExternalLink,
    codes: [...codes, 'duplicateOperation', 'duplicateRequest', 'folderWithoutApprover', 'mailNotSetUp'],
  }),
  pauseExternal: call({
    summary: 'Lets a link rest, or go on',
    title: { zh: '暂停或恢复外链', en: 'Link paused or resumed' },
    log: 'none',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/pause',
    payload: 'json',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'change', 'change')],
    input: z.strictObject({ ...one, paused: Flag }),
    sample: (ids) => ({ externalId: ids.externalId, paused: true }),
    data: Nothing,
    codes: [...codes, 'duplicateOperation'],
  }),
  cancelExternal: call({
    summary: 'Ends a link for good',
    title: { zh: '取消外链', en: 'Link cancelled' },
    log: 'none',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/cancel',
    payload: 'json',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'change', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: Nothing,
    codes: [...codes, 'duplicateOperation'],
  }),
  getExternalListByFileId: call({
    summary: 'Lists the links to a file',
    notes:
      'Whoever sees the file learns which there are; address, password and numbers are told to those who may change them.',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getExternalListByFileId/{fileId}',
    payload: 'none',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({ list: z.array(ExternalLink) }),
    codes: ['notFound'],
  }),
  getExternalListByFolderId: call({
    summary: 'Lists the links to a folder',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getExternalListByFolderId/{folderId}',
    payload: 'none',
    gate: ({ folderId }) => [{ item: folder(folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({ list: z.array(ExternalLink) }),
    codes: ['notFound'],
  }),
  getExternalInfo: call({
    summary: 'Reads one link, with its address and password',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getExternalInfo/{externalId}',
    payload: 'none',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: z.strictObject({
      ...linkFields,
      fileKey: z.string().describe('The last part of its address, as linkToken.'),
      applicationId: z
        .int()
        .describe('The application by which it opens; 0 without one, or if the caller may not see it.'),
    }),
    codes: ['notFound'],
  }),
  getExternalVisitList: call({
    summary: 'Lists who used a link: when, from where, what',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getExternalVisitList/{externalId}',
    payload: 'query',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'see')],
    input: z.strictObject({
      ...one,
      ...page,
      what: z.enum(['all', ...visited]).default('all'),
    }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          time: Time,
          what: z.enum(visited),
          /** Name of the file that was viewed, downloaded or uploaded; empty for the link itself. */
          fName: z.string(),
          visitor: z.string(),
          address: z.string(),
          agent: z.string(),
          bytes: z.int(),
        }),
      ),
      total: z.int(),
      addresses: z.int(),
      wrongPasswords: z.int().describe('With the codes of mails that were wrong.'),
      bytes: z.int(),
      /** The last seven days, today last. Days start at midnight of the caller's `timeZone` offset from UTC. */
      days: z.array(z.strictObject({ from: Time, opens: z.int(), downloads: z.int() })),
    }),
    codes: ['notFound'],
  }),
  exportExternalVisits: call({
    summary: 'Answers who used a link as a table',
    title: { zh: '导出外链访问记录', en: 'Visits of a link exported' },
    ...ours,
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/external/exportVisits/{externalId}',
    payload: 'query',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'see')],
    input: z.strictObject({ ...one, what: z.enum(['all', ...visited]).default('all') }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: z.never(),
    codes: ['notFound'],
  }),
  sendExternalMail: call({
    summary: 'Sends a link by mail',
    title: { zh: '邮件发送外链', en: 'Link sent by mail' },
    log: 'none',
    notes: '-440 where no mail server is set up.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/sendMail',
    payload: 'json',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'change', 'hold')],
    input: z.strictObject({
      ...one,
      toArray: z.array(MailAddress).min(1).max(20),
      comments: text(1000).default(''),
      /** Include the password in the mail; otherwise the user sends it separately. */
      withPassword: Flag.default(false),
    }),
    sample: (ids) => ({ externalId: ids.externalId, toArray: ['nobody@example.com'] }),
    data: Nothing,
    codes: [...codes, 'duplicateOperation', 'mailNotSetUp', 'sendingTooOften'],
  }),
  getLinkCreationList: call({
    summary: 'Lists the links that the caller made, the latest first',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getLinkCreationList',
    payload: 'query',
    guard: ownAccount,
    input: z.strictObject(listPage),
    data: z.strictObject({ list: z.array(Listed), total: z.int() }),
  }),
  getLinkSharedList: call({
    summary: 'Lists the links of others that are for the caller by name, the latest first',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getLinkSharedList',
    payload: 'query',
    guard: ownAccount,
    input: z.strictObject(listPage),
    data: z.strictObject({ list: z.array(Listed), total: z.int() }),
  }),
} as const

const visitSentences = {
  open: { zh: '打开了“{name}”的外链', en: 'opened the link to “{name}”' },
  upload: { zh: '通过外链向“{name}”上传了文件', en: 'brought a file to “{name}” by a link' },
  edit: { zh: '通过外链改了“{name}”里的内容', en: 'changed something in “{name}” by a link' },
  guessed: {
    zh: '有人连续输错“{name}”外链的密码，已按地址拦截',
    en: 'Somebody guesses at the password of the link to “{name}”; the address was stopped',
  },
  guessedWidely: {
    zh: '“{name}”外链的密码在一小时内从多个网络地址输错十次',
    en: 'The password of the link to “{name}” was entered wrong ten times within an hour, from several addresses',
  },
  spread: {
    zh: '“{name}”的外链在一小时内从十个不同的网络地址打开',
    en: 'The link to “{name}” was opened from ten network addresses within an hour',
  },
  reported: { zh: '有访客举报了“{name}”的外链', en: 'A visitor reported the link to “{name}”' },
  ended: { zh: '管理员取消了《{name}》的外链', en: 'An administrator ended the link to “{name}”' },
} as const

const linkPushes = {
  ...linkReportPushes,
  /**
   * Not in the spec: a visitor opened a link, uploaded or changed a file, or guesses its password, from one address or
   * from many (X35); the link was
   * opened from ten addresses within an hour (sent once per hour); a visitor reported it; or an administrator ended it.
   */
  linkVisited: push({
    summary:
      'A link of the person was opened, was given something, had a file changed, is being guessed at, is opened from many places, was reported by a visitor, or was ended by an administrator',
    type: 144,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ externalId, what }) => `link ${externalId} ${what}`,
      merge: 'later',
      item: ({ fType, fId }) => ({ fType, fId }),
      actor: ({ visitor, what }) =>
        what === 'guessed' || what === 'guessedWidely' || what === 'spread' ? '' : visitor,
      sentence: ({ what, fName }) => ({ ...visitSentences[what], values: { name: nameInText(fName) } }),
      path: ({ externalId }) => `/doc/folder/share/link-creation?externalId=${externalId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      externalId: z.int(),
      what: z.enum(['open', 'upload', 'edit', 'guessed', 'guessedWidely', 'spread', 'reported', 'ended']),
      fType: FType,
      fId: z.int(),
      fName: z.string(),
      note: z.string(),
      visitor: z.string(),
      address: z.string(),
      time: Time,
    }),
  }),
}

export const externalLinks = feature({
  about: { name: 'external links', text: 'Links for people outside, and what those do by them' },
  calls: { ...linkCalls, ...linkAdministrationCalls, ...linkReportCalls, ...visitCalls },
  pushes: linkPushes,
  objects: { externalLink: externalLinkKind },
  settings: {
    setting: {
      /** External links can be created and used ([R154]). */
      show_shared_links: z.boolean().default(true),
    },
    administered: {
      show_shared_links: {
        label: { zh: '外链', en: 'External links' },
        note: {
          zh: '有外链权限的人为文件和文件夹创建外链；关闭后不能再创建，已有的外链立即打不开，重新开启后恢复。',
          en: 'Whoever has the right makes links to files and folders for people outside. Off, none can be made and those there are open nothing, until it is on again.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
