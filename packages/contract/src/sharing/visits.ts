/*
 * Calls of link visitors without an account ([R228]). `openVisit` admits the visitor and issues a pass. A browser
 * stores the pass as a cookie limited to the addresses of the link; a program sends it as `x-link-pass`. All other
 * calls in this file accept visitors only. Visitors see the content below the link's item, as far as its creator may
 * share it.
 */
import { linkTokenShape } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { MailAddress } from '../core/mail.ts'
import { file, folder } from '../drive/items.ts'
import { AppliedWatermark } from '../drive/watermarks.ts'
import { Count, Id, ItemName, Nothing, pageOf, Time, text } from '../fields.ts'

const LinkToken = z.string().regex(linkTokenShape)
const FType = z.union([z.literal(1), z.literal(2)])

/** State of a link for a visitor. */
export const visitStates = ['open', 'notYet', 'expired', 'usedUp', 'approval', 'gone'] as const

const visitor = { auth: 'required', origin: 'ours', actors: ['visitor'] } as const
const link = { linkToken: LinkToken }
const codes = ['notFound', 'noPermission', 'linkExpired'] as const
/** Reasons why an upload is not stored. */
const storing = [
  'uploadInterrupted',
  'typeRestricted',
  'fileSizeExceeded',
  'folderSizeExceeded',
  'userSizeExceeded',
  'capacityNotSatisfied',
] as const

/** Parses `files` of visitZip and removes duplicates. */
const itemsOfZip = (files: string) =>
  [...new Set(files.split(','))].map((part) =>
    part.startsWith('fo_') ? folder(Number(part.slice(3))) : file(Number(part.slice(3))),
  )

export { itemsOfZip }

/** A link as seen by anyone who has its address. */
const VisitedLink = z.strictObject({
  state: z.enum(visitStates),
  /** True if the caller has been admitted. */
  inside: z.boolean(),
  company: z.string(),
  /** Name of the creator; empty if the link no longer exists. */
  creatorName: z.string(),
  fType: FType,
  startTime: Time,
  endTime: Time,
  needsPassword: z.boolean(),
  /** The link is for named company users, who have to sign in. */
  needsAccount: z.boolean(),
  /** The link is for named mail addresses; a code sent to one of them admits the visitor. */
  needsMail: z.boolean(),
  /** Visitors who upload or edit must enter their name. */
  needsName: z.boolean(),
  /** The link collects files, and each visitor sees only their own uploads. */
  collects: z.boolean(),
  /** The following fields are only returned to admitted visitors. */
  fId: z.int(),
  fName: z.string(),
  fileSize: z.int(),
  extName: z.string(),
  modifyTime: Time,
  version: z.int(),
  mayEdit: z.boolean(),
  mayPrint: z.boolean(),
  note: z.string().describe('What who collects files says to those who bring them.'),
  rights: z.int(),
  downloadsLeft: z.int().nullable().describe('null: any number.'),
  visitor: z.string(),
})

export const visitCalls = {
  getVisitedLink: call({
    summary: 'Tells whoever has the address of a link how it is',
    notes:
      'What it is called is told to those who have come in; the ending of a file also where the link asks nothing, as everybody comes in there. Looking at it is no visit.',
    kind: 'read',
    method: 'GET',
    path: '/services2/visit/{linkToken}',
    auth: 'optional',
    payload: 'none',
    origin: 'ours',
    open: 'who has the address of a link learns whether it can be opened, and nothing of what it holds',
    input: z.strictObject(link),
    sample: (ids) => ({ linkToken: ids.linkToken }),
    data: VisitedLink,
    codes: ['notFound'],
  }),
  openVisit: call({
    servesReading: true,
    summary: 'Comes in by a link',
    title: { zh: '通过外链进入', en: 'Came in by a link' },
    notes:
      'A wrong password is -26, a wrong code -115; too many from one address, or for one link, are -42 for a while, and none of those is looked at. Counts as a visit.',
    kind: 'staged',
    audit: 'file',
    method: 'POST',
    path: '/services2/visit/{linkToken}/open',
    auth: 'optional',
    payload: 'json',
    origin: 'ours',
    open: 'the password of the link, or an account that it is for, is asked for here, and throttled',
    input: z.strictObject({
      ...link,
      password: text(100).default(''),
      name: text(60).default(''),
      /** The ticket from sendVisitCode, and the code from the mail. */
      codeTicket: text(100).default(''),
      code: text(20).default(''),
    }),
    sample: (ids) => ({ linkToken: ids.linkToken }),
    data: z.strictObject({
      pass: z.string(),
      expiresAt: Time,
      link: VisitedLink.describe('As it is to who is inside.'),
    }),
    codes: [...codes, 'wrongLinkPassword', 'wrongVerificationCode', 'sendingTooOften'],
  }),
  sendVisitCode: call({
    servesReading: true,
    summary: 'Sends a code to somebody whom a link is for by mail',
    title: { zh: '发送访客验证码', en: 'Code sent to a visitor' },
    notes:
      'Six digits, good for ten minutes and five tries at openVisit, with the answered ticket alone. An address that the link is not for is answered the same and sent nothing. Once a minute for a link and an address: -42.',
    kind: 'staged',
    audit: 'file',
    method: 'POST',
    path: '/services2/visit/{linkToken}/code',
    auth: 'optional',
    payload: 'json',
    origin: 'ours',
    open: 'who is named by mail has nothing to prove it by before they have got the code; throttled, and the answer does not tell who is named',
    input: z.strictObject({ ...link, mail: MailAddress, locale: z.enum(['zh', 'en']).default('zh') }),
    sample: (ids) => ({ linkToken: ids.linkToken, mail: 'nobody@example.com' }),
    data: z.strictObject({ codeTicket: z.string(), expiresAt: Time }),
    codes: [...codes, 'mailNotSetUp', 'sendingTooOften'],
  }),
  visitList: call({
    summary: 'Lists a folder of a link',
    notes: 'Where the link only takes uploads, a visitor sees what they have brought.',
    ...visitor,
    kind: 'read',
    method: 'GET',
    path: '/services2/visit/{linkToken}/list/{folderId}',
    payload: 'query',
    gate: ({ folderId }) => [{ item: folder(folderId), action: 'see' }],
    input: z.strictObject({
      ...link,
      folderId: Id,
      keyword: text(100).default(''),
      sort: z.enum(['name', 'time', 'size']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
      ...pageOf(100, 1000),
    }),
    sample: (ids) => ({ linkToken: ids.linkToken, folderId: ids.folderId }),
    data: z.strictObject({
      /** Path from the link's root folder to this one. */
      path: z.array(z.strictObject({ fId: z.int(), fName: z.string() })),
      list: z.array(
        z.strictObject({
          fType: FType,
          fId: z.int(),
          fName: z.string(),
          extName: z.string(),
          fileSize: z.int(),
          modifyTime: Time,
          mayPreview: z.boolean(),
          mayDownload: z.boolean(),
          mayEdit: z.boolean(),
          mayPrint: z.boolean(),
          version: z.int().describe('0 of folders.'),
        }),
      ),
      total: z.int(),
    }),
    codes,
  }),
  visitPreview: call({
    servesReading: true,
    summary: 'Begins to show a file of a link, and tells how far that is',
    title: { zh: '外链访客预览', en: 'Visitor of a link looked' },
    notes:
      '`state` is -1 when visitContent answers it in the form told here; -200 while it is being made, or why it cannot be shown. While it is being made, visitContent answers the first `pages` of its pages by `from`, as renditionServlet does.',
    ...visitor,
    kind: 'write',
    log: 'preview',
    method: 'POST',
    path: '/services2/visit/{linkToken}/preview',
    payload: 'json',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'preview' }],
    input: z.strictObject({ ...link, fileId: Id }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileId: ids.fileId }),
    data: z.strictObject({
      form: z.enum(['original', 'view']),
      state: z.int(),
      percent: z.int(),
      msg: z.string(),
      pages: z.int(),
      version: z.int(),
      /** Watermark to draw over the file. */
      watermark: AppliedWatermark.nullable(),
    }),
    codes: [...codes, 'conversionUnsupported', 'noConversionLock', 'versionMissing'],
  }),
  visitPictures: call({
    servesReading: true,
    summary: 'Has small pictures of files of a link made, and tells which are there',
    log: 'none',
    notes:
      '`result` is -1 where visitContent answers the picture (`form=thumbnail`), -200 while it is being made, or why there is none. No look at a file is noted.',
    ...visitor,
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/visit/{linkToken}/pictures',
    payload: 'json',
    gate: ({ fileIdArray }) => fileIdArray.map((fId) => ({ item: file(fId), action: 'preview' }) as const),
    leavesOut: true,
    input: z.strictObject({ ...link, fileIdArray: z.array(Id).min(1).max(100) }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileIdArray: [ids.fileId] }),
    data: z.strictObject({ list: z.array(z.strictObject({ fileId: z.int(), result: z.int() })) }),
    codes,
  }),
  visitContent: call({
    summary: 'Answers a file of a link to be shown, or a range of it',
    title: { zh: '外链访客查看', en: 'Visitor looked' },
    ...visitor,
    answers: '*/*',
    statuses: [206, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/visit/{linkToken}/content/{fileId}',
    payload: 'query',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'preview' }],
    input: z.strictObject({
      ...link,
      fileId: Id,
      form: z.enum(['original', 'view', 'thumbnail']).default('original'),
      from: Count.optional(),
      version: Count.optional().describe(
        'Makes another address of another version, so that no browser puts parts of two together; answered is the latest.',
      ),
    }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileId: ids.fileId }),
    data: z.never(),
    codes: [...codes, 'converting', 'versionMissing'],
  }),
  visitDownload: call({
    summary: 'Downloads a file of a link',
    title: { zh: '外链访客下载', en: 'Visitor downloaded' },
    notes:
      'Counts as one download when its answer has begun, and is given back where that breaks off. Of a link with a limit a file is answered whole, whatever range is asked for; of others the first range counts. -34 where the link gives nothing away, -27 where its downloads are used up.',
    ...visitor,
    answers: '*/*',
    statuses: [206, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/visit/{linkToken}/download/{fileId}',
    payload: 'query',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'takeDownload' }],
    input: z.strictObject({ ...link, fileId: Id }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileId: ids.fileId }),
    data: z.never(),
    codes: [
      ...codes,
      ...['linkCopyProtected', 'linkDownloadLimit', 'versionMissing'],
      ...['sourceEncrypted', 'conversionFailed', 'conversionTimedOut', 'conversionUnsupported'],
    ] as const,
  }),
  visitPrint: call({
    servesReading: true,
    summary: 'Takes note that a file of a link is printed',
    title: { zh: '外链访客打印', en: 'Visitor of a link printed' },
    notes:
      'Printing hands a file out: it takes a link that gives downloads, and what its creator may print. It counts as a download, -27 where those are used up. What is printed is what visitContent shows, its watermark over it.',
    ...visitor,
    kind: 'write',
    log: 'download',
    method: 'POST',
    path: '/services2/visit/{linkToken}/print',
    payload: 'json',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'printItem' }],
    input: z.strictObject({ ...link, fileId: Id }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileId: ids.fileId }),
    data: Nothing,
    codes: [...codes, 'linkCopyProtected', 'linkDownloadLimit'],
  }),
  visitZip: call({
    summary: 'Downloads several items of a link as one zip',
    title: { zh: '外链访客打包下载', en: 'Visitor downloaded a zip' },
    notes: 'Counts as one download.',
    ...visitor,
    answers: 'application/zip',
    kind: 'stream',
    method: 'GET',
    path: '/services2/visit/{linkToken}/zip',
    payload: 'query',
    gate: ({ files }) => itemsOfZip(files).map((item) => ({ item, action: 'takeDownload' }) as const),
    input: z.strictObject({ ...link, files: text(60_000).regex(/^f[io]_\d{1,15}(,f[io]_\d{1,15})*$/) }),
    sample: (ids) => ({ linkToken: ids.linkToken, files: `fi_${ids.fileId}` }),
    data: z.never(),
    codes: [...codes, 'linkCopyProtected', 'linkDownloadLimit'],
  }),
  visitUpload: call({
    summary: 'Puts a file into a folder of a link',
    title: { zh: '外链访客上传', en: 'Visitor of a link uploaded' },
    notes: 'A name that is taken is numbered.',
    ...visitor,
    kind: 'staged',
    log: 'add',
    method: 'PUT',
    path: '/services2/visit/{linkToken}/upload',
    payload: 'raw',
    gate: ({ folderId }) => [{ item: folder(folderId), action: 'upload', lock: 'hold' }],
    input: z.strictObject({ ...link, folderId: Id, fileName: ItemName }),
    sample: (ids) => ({ linkToken: ids.linkToken, folderId: ids.folderId, fileName: '名.txt' }),
    data: z.strictObject({ fileId: z.int(), fName: z.string(), fileSize: z.int(), sha256: z.string() }),
    timeoutMs: 3_600_000,
    codes: [...codes, ...storing],
  }),
  visitVersion: call({
    summary: 'Brings a new version of a file of a link',
    title: { zh: '外链访客提交新版本', en: 'Visitor of a link brought a new version' },
    notes:
      'Where the link lets its visitors edit. `version` is the one that it was made of: -39 where the file has another one by now, and -40 while somebody of the company has it open for editing. The version bears the name that the visitor gave.',
    ...visitor,
    kind: 'staged',
    log: 'edit',
    method: 'PUT',
    path: '/services2/visit/{linkToken}/version/{fileId}',
    payload: 'raw',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'newVersion' }],
    input: z.strictObject({ ...link, fileId: Id, version: Count }),
    sample: (ids) => ({ linkToken: ids.linkToken, fileId: ids.fileId, version: 1 }),
    data: z.strictObject({ version: z.int(), fileSize: z.int(), sha256: z.string() }),
    timeoutMs: 3_600_000,
    codes: [
      ...codes,
      ...storing,
      'fileConflict',
      'fileLocked',
      'alreadyInProcess',
      'secretLevel',
      'readOnlyLibrary',
      'virusFile',
    ],
  }),
} as const
