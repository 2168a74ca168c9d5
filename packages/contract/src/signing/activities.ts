/*
 * Electronic signing ([R274]-[R278]): somebody sends a file to be signed by others, in order or at once. What is signed
 * is a PDF with a cryptographic signature of each signer; when everybody has signed it is archived. The documents call
 * a signing process an activity on the wire.
 */
import { all, any, fact, nameInText, SignState, signFieldKinds, signLimits } from '@cloudoc/domain'
import { z } from 'zod'
import { Person } from '../approvals/review.ts'
import { accountHolder, objectKind, on, ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { MailAddress } from '../core/mail.ts'
import { MobileNumber } from '../core/sms.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { WebAddress } from '../setting.ts'
import { signFromEmailCalls } from './from-email.ts'
import { FieldOfSigner } from './parts.ts'

/** Where a signing process is. `signed`: by everybody, and the archive is still to be written. */
export const SigningState = z.enum(['running', 'signed', 'archived', 'rejected', 'withdrawn', 'expired'])
export type SigningState = z.output<typeof SigningState>

/** The facts of a signing process as seen by one user. */
export interface FactsOfSigning {
  readonly state: SigningState
  readonly isLauncher: boolean
  readonly isSigner: boolean
  /** It is the turn of this user. */
  readonly isTurn: boolean
  /** The user has signed or refused. */
  readonly hasActed: boolean
  /** The secret levels of the user and of the file. */
  readonly secretLevel: number
  readonly fileLevel: number
  /** The archive could not be written, and waits for another folder. */
  readonly archiveFailed: boolean
  /** It is their own signature, not one of a role or of somebody they stand in for, and the launch allows handing on. */
  readonly mayHandOn: boolean
}

const running = fact<FactsOfSigning>('being signed', ({ state }) => state === 'running', 'alreadyHandled')
const launcher = fact<FactsOfSigning>('who launched it', ({ isLauncher }) => isLauncher)
const signer = fact<FactsOfSigning>('one of its signers', ({ isSigner }) => isSigner)
const notActed = fact<FactsOfSigning>('not signed or refused yet', ({ hasActed }) => !hasActed, 'alreadyHandled')
const turn = fact<FactsOfSigning>('the turn of the user', ({ isTurn }) => isTurn)
const level = fact<FactsOfSigning>(
  'secret level',
  ({ secretLevel, fileLevel }) => secretLevel >= fileLevel,
  'secretLevel',
)

type SigningAction = 'see' | 'read' | 'sign' | 'handOn' | 'withdraw' | 'archive'

/** Signing processes. One does not exist for users who neither launched it nor are among its signers. */
export const signingKind = objectKind<FactsOfSigning, SigningAction>('signing', {
  see: any(launcher, signer),
  read: all(any(launcher, signer), level),
  sign: all(signer, notActed, running, turn, level),
  handOn: all(
    ...[signer, notActed, running, turn, level],
    fact('a signature of their own that may be handed on', ({ mayHandOn }) => mayHandOn),
  ),
  withdraw: all(launcher, running),
  archive: all(
    launcher,
    fact('waiting for another folder', ({ archiveFailed }) => archiveFailed, 'alreadyHandled'),
  ),
})

const one = { activityId: Id }
const of = (action: SigningAction, lock?: 'change') => ({
  gate: ({ activityId }: { activityId: number }) => [on(signingKind, activityId, action, lock)],
})
const sample = (ids: { activityId: number }) => ({ activityId: ids.activityId })

const reading = { kind: 'read', auth: 'required', origin: 'ours', method: 'GET' } as const
const writing = {
  method: 'POST',
  auth: 'required',
  payload: 'json',
  origin: 'ours',
  audit: 'file',
  log: 'none',
} as const

/** A place on a page, in points from the bottom left of the page as it is stored. */
const Place = z.strictObject({
  kind: z.enum(signFieldKinds).describe('What the signer puts there.'),
  page: Count.pipe(z.int().min(1)).describe('The number of the page, from 1.'),
  x: z.number().min(-20_000).max(20_000).describe('Left, in points.'),
  y: z.number().min(-20_000).max(20_000).describe('Bottom, in points.'),
  width: z.number().min(8).max(5000).describe('Width, in points.'),
  height: z.number().min(8).max(5000).describe('Height, in points.'),
  spread: z
    .enum(['one', 'every', 'edge'])
    .default('one')
    .describe('Signatures and seals: also on every page, or in slices across the right edges of all pages.'),
})

/** A person without an account. */
const Outside = z.strictObject({
  name: text(60).describe('The name, as it stands in the signature.'),
  mail: MailAddress.describe('Where the link to sign goes.'),
  phone: MobileNumber.default('').describe('Where the code goes; empty: to the mail address.'),
})

const Signer = z.strictObject({
  userId: Id.optional().describe('A person of the company.'),
  roleId: Id.optional().describe('Or a role: whoever of its holders signs first signs for it.'),
  outside: Outside.optional().describe('Or somebody without an account.'),
  places: z.array(Place).max(100).default([]).describe('Where they sign; without any, at the foot of the last page.'),
})

const SignerShape = z
  .strictObject({
    signerId: z.int(),
    ...Person.shape,
    groupName: z.string(),
    order: z.int(),
    state: z.enum(['next', 'now', 'signed', 'rejected', 'left']),
    time: Time.nullable(),
    comments: z.string(),
    isOutside: z.boolean(),
    /** It is asked of a role; any of its holders signs. The name is that of the role. */
    isRole: z.boolean(),
    /** Who signed or refused in place of the person or for the role. */
    actedBy: Person.nullable(),
    /** Who may sign in their place at the moment. */
    standIn: Person.nullable(),
    /** Of somebody without an account; only the launcher is told. */
    mail: z.string(),
    phone: z.string(),
    /** Their secret level has sunk below that of the file. */
    isTooLow: z.boolean(),
  })
  .meta({ id: 'Signer' })
export type Signer = z.output<typeof SignerShape>

const facts = {
  activityId: z.int(),
  activityTitle: z.string(),
  activityState: z.enum(SignState).describe('As the caller is told: 2 once the caller has signed.'),
  state: SigningState,
  launchId: z.int().describe('Who launched it.'),
  launcherName: z.string(),
  /** Whom the caller signs for: a role, or somebody they stand in for; empty for their own signature. */
  signsFor: z.string(),
  fileName: z.string(),
  pages: z.int(),
  order: z.boolean(),
  createTime: Time,
  endTime: Time.nullable(),
  deadline: Time.nullable(),
  signedCount: z.int(),
  signerCount: z.int(),
  /** Those whose turn it is. */
  waiting: z.array(Person),
  isTurn: z.boolean(),
  /** Places of the caller. */
  fieldCount: z.int(),
  /** Who refused and why. */
  rejection: z.strictObject({ ...Person.shape, comments: z.string() }).nullable(),
}

const Activity = z.strictObject(facts).meta({ id: 'SignActivity' })
export type SignActivity = z.output<typeof Activity>

const Detail = z
  .strictObject({
    ...facts,
    comment: z.string(),
    /** 0 when the caller may not see it. */
    fileId: z.int(),
    archiveFolderId: z.int(),
    archiveFolderName: z.string(),
    archiveProblem: z.int().nullable().describe('The result code by which the archive folder refused.'),
    archivedFileId: z.int().describe('The signed file; 0 until it is archived, or when the caller may not see it.'),
    watermarkTemplateId: z.int().nullable(),
    secretLevel: z.int(),
    /** The number of the revision: what is signed are exactly its bytes. */
    revision: z.int(),
    size: z.int(),
    /** Who is signing at the moment. */
    lockedBy: Person.nullable(),
    signers: z.array(SignerShape),
    /** Places of the caller that are still to be filled. */
    fields: z.array(FieldOfSigner),
    timeline: z.array(
      z.strictObject({
        at: Time,
        what: z.enum([
          ...(['launched', 'opened', 'signed', 'rejected', 'handedOn', 'reminded'] as const),
          ...(['withdrawn', 'expired', 'archived', 'notArchived'] as const),
        ]),
        by: Person.optional(),
        to: Person.optional(),
        comments: z.string(),
      }),
    ),
    may: z.strictObject({
      sign: z.boolean(),
      handOn: z.boolean(),
      withdraw: z.boolean(),
      archive: z.boolean(),
    }),
    remindsLeft: z.int(),
  })
  .meta({ id: 'SignDetail' })
export type SignDetail = z.output<typeof Detail>

const Check = z
  .strictObject({
    fieldName: z.string(),
    subject: z.string(),
    issuer: z.string(),
    /** The time in the signature; the signer's server has set it. */
    time: Time.nullable(),
    /** The bytes that it covers are as they were signed, and the signature is by the key of its certificate. */
    isIntact: z.boolean(),
    /** By the authority of this company, at the time of the signature. */
    isTrusted: z.boolean(),
    /** The trusted authority above the signer; empty without one. */
    trustedBy: z.string(),
    /** The time that a time stamp authority confirms; null without a valid time stamp. */
    stamp: z.strictObject({ time: Time, authority: z.string() }).nullable(),
    isRevoked: z.boolean(),
    /** It covers the whole file, or only later signatures and their evidence follow. */
    isComplete: z.boolean(),
    serialNumber: z.string(),
    /** Why it is not intact; empty if it is. */
    problem: z.enum(['', 'range', 'gap', 'certificate', 'changed', 'signature', 'algorithm', 'unreadable']),
  })
  .meta({ id: 'SignatureCheck' })
export type SignatureCheck = z.output<typeof Check>

const list = {
  ...reading,
  payload: 'query',
  guard: accountHolder,
  input: z.strictObject({
    state: z.enum(['all', 'open', 'signed', 'rejected', 'done']).default('all'),
    keyword: text(100).default(''),
    ...pageOf(100, 200),
  }),
  data: z.strictObject({
    list: z.array(Activity),
    total: z.int(),
    counts: z.strictObject({ all: z.int(), open: z.int(), signed: z.int(), rejected: z.int(), done: z.int() }),
  }),
} as const

const proof = {
  password: text(1000)
    .optional()
    .describe('The password of the caller. Nothing is typed after finishConfirmation of the same session.'),
  factorCode: text(20).optional().describe('Or a code of their second factor.'),
}
const signCodes = [
  ...(['notFound', 'noPermission', 'alreadyHandled', 'secretLevel', 'fileLocked'] as const),
  ...(['wrongPassword', 'wrongSecondFactor', 'accountLocked', 'fileConflict', 'badRequest'] as const),
  ...(['certificateRefused', 'timeStampFailed'] as const),
] as const

const signingInput = {
  ...one,
  revision: Count.describe('The revision that the caller has seen.'),
  comments: text(signLimits.remark).default(''),
  ...proof,
}
/** What signing and approving have in common: both sign the file with the certificate of the caller. */
const signingCall = {
  ...writing,
  ...of('sign', 'change'),
  kind: 'staged',
  audits: ['revision'],
  sample: (ids: { activityId: number }) => ({ ...sample(ids), revision: 0, password: 'unknown' }),
  data: z.strictObject({ revision: z.int(), activityState: z.enum(SignState) }),
  timeoutMs: 180_000,
  codes: signCodes,
} as const

const calls = {
  launchSign: call({
    ...writing,
    kind: 'staged',
    summary: 'Sends a file to be signed',
    title: { zh: '发起签署', en: 'Signing launched' },
    notes:
      'doc and docx are made a PDF first. Everybody signs that PDF, which is not changed any more after the launch.',
    path: '/services2/sign/launchSign',
    gate: ({ fileId, archiveFolderId }) => [
      { item: { fType: 2, fId: archiveFolderId }, action: 'upload', lock: 'hold' },
      { item: { fType: 1, fId: fileId }, action: 'launchSign', lock: 'change' },
    ],
    input: z.strictObject({
      fileId: Id,
      title: text(signLimits.title),
      comment: text(signLimits.remark).default(''),
      archiveFolderId: Id.describe('Where the signed file is archived; needs the upload right.'),
      order: z.boolean().default(true).describe('Whether the signers sign one after the other.'),
      watermarkTemplateId: Id.nullable()
        .default(null)
        .describe('The watermark drawn on every page before anybody signs, filled in for the launcher.'),
      singerList: z.array(Signer).min(1).max(signLimits.signers).describe('The signers in their order.'),
      deadline: Time.nullable().default(null),
      handOn: z.boolean().default(true).describe('Whether signers may hand their signature on to somebody else.'),
    }),
    sample: (ids) => ({
      ...{ fileId: ids.pdfId, archiveFolderId: ids.folderId, title: '样例' },
      singerList: [{ userId: ids.userId }],
    }),
    data: z.strictObject(one),
    timeoutMs: 180_000,
    codes: [
      ...(['notFound', 'noPermission', 'secretLevel', 'alreadyInProcess', 'fileLocked', 'sourceEncrypted'] as const),
      ...(['conversionFailed', 'conversionUnsupported', 'fileConflict', 'tooMany'] as const),
      ...(['mailNotSetUp', 'smsNotSetUp', 'invalidMobileNumber', 'timeStampFailed', 'certificateRefused'] as const),
      // The archive folder has no room for the signed file, or takes no such file.
      ...(['typeRestricted', 'uploadSizeExceeded', 'fileSizeExceeded', 'folderSizeExceeded'] as const),
      ...(['userSizeExceeded', 'colleagueSizeExceeded', 'capacityExceeded', 'capacityNotSatisfied'] as const),
    ],
  }),
  getSignReviewList: call({
    ...list,
    summary: 'Lists signing processes that the caller signs, has signed or has refused; those that wait first',
    path: '/services2/sign/getSignReviewList',
  }),
  getSignCreationList: call({
    ...list,
    summary: 'Lists signing processes that the caller launched, the latest first',
    path: '/services2/sign/getSignCreationList',
  }),
  getSignCount: call({
    ...reading,
    payload: 'query',
    guard: ownAccount,
    summary: 'Counts what waits for the signature of the caller, and what the caller launched and is not over',
    path: '/services2/sign/getSignCount',
    input: z.strictObject({}),
    data: z.strictObject({ review: z.int(), creation: z.int() }),
  }),
  getSignDetail: call({
    ...reading,
    ...of('see'),
    payload: 'none',
    summary: 'Reads one signing process',
    path: '/services2/sign/getSignDetail/{activityId}',
    input: z.strictObject(one),
    sample,
    data: Detail,
    codes: ['notFound'],
  }),
  getSignFile: call({
    ...reading,
    ...of('read'),
    kind: 'stream',
    answers: 'application/pdf',
    payload: 'query',
    summary: 'Answers a revision of the file: what is signed are exactly these bytes',
    title: { zh: '查看待签文件', en: 'File to be signed read' },
    path: '/services2/sign/getSignFile/{activityId}',
    input: z.strictObject({ ...one, revision: Count.optional().describe('The newest by default.') }),
    sample,
    data: z.never(),
    codes: ['notFound', 'secretLevel'],
    statuses: [206, 304, 416],
  }),
  lockSign: call({
    ...writing,
    ...of('sign', 'change'),
    kind: 'write',
    audit: 'technical',
    summary: 'Keeps others from signing while the caller signs; repeated while the page is open',
    title: { zh: '开始签署', en: 'Signing begun' },
    path: '/services2/sign/lockSign',
    input: z.strictObject(one),
    sample,
    data: z.strictObject({ until: Time }),
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'fileLocked', 'secretLevel'],
  }),
  unlockSign: call({
    ...writing,
    ...of('see', 'change'),
    kind: 'write',
    audit: 'technical',
    summary: 'Lets others sign again',
    title: { zh: '结束签署', en: 'Signing ended' },
    path: '/services2/sign/unlockSign',
    input: z.strictObject(one),
    sample,
    data: Nothing,
    codes: ['notFound'],
  }),
  sign: call({
    ...signingCall,
    summary: 'Signs the file with the certificate of the caller',
    title: { zh: '签署文件', en: 'File signed' },
    notes: 'Refused with -39 if somebody has signed since: what is signed must have been seen.',
    path: '/services2/sign/sign',
    input: z.strictObject({
      ...signingInput,
      signatureId: Id.optional().describe('The picture of the signature; the name alone without it.'),
      sealId: Id.optional().describe('The seal, for places of a seal.'),
      texts: z
        .array(z.strictObject({ fieldId: Id, text: text(signLimits.text) }))
        .max(100)
        .default([])
        .describe('What the caller writes into places of text.'),
    }),
  }),
  approveSign: call({
    ...signingCall,
    summary: 'Approves the file: signs it with the name of the caller, without a picture',
    title: { zh: '核对通过', en: 'File approved by signature' },
    path: '/services2/sign/approveSign',
    input: z.strictObject(signingInput),
  }),
  rejectSign: call({
    ...writing,
    ...of('sign', 'change'),
    kind: 'write',
    summary: 'Refuses to sign: the process ends, and what was signed is kept as refused',
    title: { zh: '拒签文件', en: 'Signature refused' },
    path: '/services2/sign/rejectSign',
    input: z.strictObject({ ...one, comments: text(signLimits.remark).describe('Why.') }),
    sample: (ids) => ({ ...sample(ids), comments: '金额有误' }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'badRequest', 'secretLevel'],
  }),
  handOnSign: call({
    ...writing,
    ...of('handOn', 'change'),
    kind: 'write',
    summary: 'Hands a signature on to somebody else, who signs instead',
    title: { zh: '转交签署', en: 'Signature handed on' },
    audits: ['userId'],
    path: '/services2/sign/handOnSign',
    input: z.strictObject({ ...one, userId: Id, comments: text(signLimits.remark).default('') }),
    sample: (ids) => ({ ...sample(ids), userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'secretLevel', 'duplicateOperation'],
  }),
  remindSign: call({
    ...writing,
    ...of('withdraw', 'change'),
    kind: 'write',
    summary: 'Reminds those whose turn it is',
    title: { zh: '提醒签署', en: 'Signers reminded' },
    notes: `At most ${signLimits.remindersPerDay} times in 24 hours.`,
    path: '/services2/sign/remindSign',
    input: z.strictObject(one),
    sample,
    data: z.strictObject({ count: z.int() }),
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'duplicateOperation'],
  }),
  changeExternalSigner: call({
    ...writing,
    ...of('withdraw', 'change'),
    kind: 'write',
    summary: 'Corrects the name or address of a signer without an account; links that they got before open nothing',
    title: { zh: '修改外部签署人', en: 'Signer outside changed' },
    audits: ['signerId'],
    path: '/services2/sign/changeExternalSigner',
    input: z.strictObject({
      ...one,
      signerId: Id.describe('The signer.'),
      outside: Outside.describe('Who it is, and where they are reached.'),
    }),
    sample: (ids) => ({ ...sample(ids), signerId: 987_654_321, outside: { name: '周敏', mail: 'zhou@example.com' } }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'badRequest', 'smsNotSetUp', 'invalidMobileNumber'],
  }),
  withdrawSign: call({
    ...writing,
    ...of('withdraw', 'change'),
    kind: 'write',
    summary: 'Withdraws a file from being signed',
    title: { zh: '撤回签署', en: 'Signing withdrawn' },
    path: '/services2/sign/withdrawSign',
    input: z.strictObject({ ...one, comments: text(signLimits.remark).default('') }),
    sample,
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  archiveSign: call({
    ...writing,
    kind: 'write',
    summary: 'Chooses another archive folder after the first one refused the file',
    title: { zh: '重新归档签署文件', en: 'Signed file archived again' },
    path: '/services2/sign/archiveSign',
    gate: ({ activityId, archiveFolderId }) => [
      on(signingKind, activityId, 'archive', 'change'),
      { item: { fType: 2, fId: archiveFolderId }, action: 'upload', lock: 'hold' },
    ],
    input: z.strictObject({ ...one, archiveFolderId: Id }),
    sample: (ids) => ({ ...sample(ids), archiveFolderId: ids.folderId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  checkSign: call({
    ...reading,
    payload: 'none',
    ...of('read'),
    summary: 'Checks the signatures of the newest revision',
    path: '/services2/sign/checkSign/{activityId}',
    input: z.strictObject(one),
    sample,
    data: z.strictObject({ list: z.array(Check), isChangedSince: z.boolean() }),
    codes: ['notFound'],
  }),
  checkFileSign: call({
    ...reading,
    payload: 'none',
    summary: 'Checks the signatures in a PDF of the drive, also of one that was signed elsewhere',
    path: '/services2/sign/checkFileSign/{fileId}',
    gate: ({ fileId }) => [{ item: { fType: 1, fId: fileId }, action: 'preview' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.pdfId }),
    data: z.strictObject({ list: z.array(Check), isChangedSince: z.boolean() }),
    codes: ['notFound', 'noPermission', 'conversionUnsupported'],
  }),
} as const

/** Calls of people who sign without an account are in a file of their own. */
const everyCall = { ...calls, ...signFromEmailCalls } as const

const sentences = {
  [SignState.launched]: { zh: '请你签署《{item}》', en: 'asks you to sign “{item}”' },
  [SignState.signed]: { zh: '签署了《{item}》', en: 'signed “{item}”' },
  [SignState.rejected]: { zh: '拒签了《{item}》', en: 'refused to sign “{item}”' },
  [SignState.archived]: { zh: '《{item}》已全部签完并归档', en: '“{item}” is signed by everybody and archived' },
  [SignState.withdrawn]: { zh: '《{item}》不用再签：已撤回或已过期', en: '“{item}” need not be signed any more' },
} as const

const pushes = {
  /** To the signers 1, to the launcher 2, to all 4 and 8 ([R277], [R335]). */
  fileSign: push({
    summary: 'A signature is asked of the person, or something happened to a signing process of theirs',
    type: 58,
    delivery: 'confirmed',
    notice: {
      group: 'fileSign',
      key: ({ activityId, activityState, operatorName }) =>
        activityState === SignState.signed ? `${activityId} ${operatorName}` : String(activityId),
      merge: 'later',
      firstOf: ({ activityState }) => (activityState === SignState.launched ? 'launched' : undefined),
      item: () => undefined,
      actor: ({ activityState, operatorName }) =>
        activityState === SignState.archived || activityState === SignState.withdrawn ? '' : operatorName,
      sentence: ({ activityState, activityTitle }) => ({
        ...sentences[activityState],
        values: { item: nameInText(activityTitle) },
      }),
      message: ({ comments }) => comments,
      path: ({ activityId, isLauncher }) =>
        `/doc/folder/cooperate/${isLauncher ? 'sign-creation' : 'sign-review'}?activityId=${activityId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      launchId: z.int(),
      activityId: z.int(),
      activityTitle: z.string(),
      activityState: z.enum(SignState),
      operatorName: z.string(),
      createTime: Time,
      /** Not in the spec: whether it goes to the launcher, and the words. */
      isLauncher: z.boolean(),
      comments: z.string(),
    }),
  }),
  /** Not in the spec: a signing process of the person has changed, on another page or by somebody else. */
  signChanged: push({
    summary: 'A signing process of the person has changed',
    type: 260,
    delivery: 'replayed',
    payload: z.strictObject({ activityId: z.int() }),
  }),
}

export const signing = feature({
  about: { name: 'signing', text: 'Files that several people sign' },
  switchedBy: 'signing',
  calls: everyCall,
  objects: { signing: signingKind },
  pushes,
  settings: {
    inner: {
      /** The time stamp authority (RFC 3161); empty: signatures have no time stamp. */
      sign_tsa_url: z.string().max(500).default(''),
      /** Without a time stamp nothing is signed. */
      sign_tsa_needed: z.boolean().default(false),
    },
    setting: {
      /** Files can be sent to be signed ([R157]). */
      signing: z.boolean().default(true),
      /** People without an account can be asked to sign, by mail. */
      sign_outside: z.boolean().default(true),
      /** Days that the link of such a mail is valid. */
      sign_mail_days: z.int().min(1).max(90).default(14),
    },
    administered: {
      signing: {
        label: { zh: '签署', en: 'Signing' },
        note: {
          zh: '可以把 PDF 和 Word 文件送去签署；关闭后已发起的签署仍可签完。',
          en: 'PDF files and documents of Word are sent to be signed; switched off, processes already launched can still be signed.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      sign_outside: {
        label: { zh: '请外部人员签署', en: 'Signers outside the company' },
        note: {
          zh: '可以通过邮件请没有账号的人签署，凭邮件或短信验证码打开；需要先设置外发邮件。',
          en: 'People without an account are asked to sign by mail and admitted by a code; needs a mail server.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      sign_tsa_url: {
        label: { zh: '时间戳服务地址', en: 'Time stamp service' },
        note: {
          zh: 'RFC 3161 时间戳服务的地址，签名会带上可信时间（PAdES B-T）；留空则不加时间戳。可在“签署”管理页测试。',
          en: 'The address of a time stamp service by RFC 3161, which gives signatures a trusted time (PAdES B-T); empty, there is none. It is tested on the page “Signing”.',
        },
        power: 'system',
        group: 'files',
        as: 'address',
        entered: WebAddress,
      },
      sign_tsa_needed: {
        label: { zh: '没有时间戳不能签署', en: 'Sign with a time stamp only' },
        note: {
          zh: '时间戳服务没有应答时：开启则暂时不能签署；关闭则不带时间戳签署，签署证明里会写明。',
          en: 'When the time stamp service does not answer: switched on, nothing is signed; switched off, it is signed without a time stamp, and the evidence says so.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      sign_mail_days: {
        label: { zh: '签署邮件的有效天数', en: 'Days of a signing mail' },
        note: {
          zh: '邮件里的签署链接几天内有效，提醒时会发出新的链接。',
          en: 'For how many days the link of a signing mail is valid; a reminder brings a new one.',
        },
        power: 'system',
        group: 'files',
        as: 'number',
      },
    },
  },
})
