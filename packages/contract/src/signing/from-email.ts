/*
 * Signing by people without an account ([R275], [R025]). A mail brings them to a page by a token. Opening it uses nothing
 * up and shows nothing of the file; a code that goes to the address on the list admits the browser that asked for it. A
 * browser holds its pass as a cookie for the addresses of the token; a program sends it as `x-sign-pass`.
 */
import { signLimits } from '@cloudoc/domain'
import { z } from 'zod'
import { guard } from '../authority.ts'
import { call } from '../call.ts'
import { Count, Id, Nothing, Time, text } from '../fields.ts'
import { FieldOfSigner, Picture } from './parts.ts'

/** Who signs by a mail, once a code has admitted them. */
const externalSigner = guard(
  'externalSigner',
  'who signs without an account, admitted by a code',
  ({ kind }) => kind === 'signer',
)

const SignToken = text(100).regex(/^[\w-]{20,}$/)
const of = { signToken: SignToken.describe('The token in the link of the mail.') }
const sample = (ids: { signToken: string }) => ({ signToken: ids.signToken })

/** Where it is for the signer: `later` before their turn, `over` when it ended without all signatures. */
const InvitationState = z.enum(['later', 'now', 'signed', 'rejected', 'over', 'archived'])

const Invitation = z.strictObject({
  state: InvitationState,
  /** The code was typed in this browser. */
  isInside: z.boolean(),
  company: z.string(),
  activityTitle: z.string(),
  launcherName: z.string(),
  /** By which the launcher is asked; empty without one. */
  launcherMail: z.string(),
  /** The name of the signer, and what of the address is shown to everybody who has the link. */
  name: z.string(),
  codeGoesTo: z.string(),
  /** How many sign, and which of them this one is. */
  signerCount: z.int(),
  order: z.int(),
  inOrder: z.boolean(),
  deadline: Time.nullable(),
})
export type SignInvitation = z.output<typeof Invitation>

const Inside = z
  .strictObject({
    ...Invitation.shape,
    fileName: z.string(),
    comment: z.string(),
    pages: z.int(),
    revision: z.int(),
    size: z.int(),
    fields: z.array(FieldOfSigner),
    isLocked: z.boolean().describe('Somebody else is signing at this moment.'),
  })
  .meta({ id: 'SignFromEmail' })
export type SignFromEmail = z.output<typeof Inside>

const anybody = { auth: 'none', origin: 'ours' } as const
const inside = { auth: 'required', origin: 'ours', actors: ['signer'], guard: externalSigner } as const
const posted = { method: 'POST', payload: 'json', log: 'none', audit: 'file' } as const
const path = '/services2/signFromEmail/{signToken}'
const refusals = ['notFound', 'alreadyHandled', 'noPermission'] as const

export const signFromEmailCalls = {
  getSignInvitation: call({
    ...anybody,
    summary: 'Tells who has the link of a mail how the signing is',
    notes: 'Nothing of the file is told, and nothing is used up. -3: the link is unknown, or its time is over.',
    kind: 'read',
    method: 'GET',
    path,
    payload: 'none',
    open: 'who has the link of the mail learns the title and who asks; the file needs a code',
    input: z.strictObject(of),
    sample,
    data: Invitation,
    codes: ['notFound'],
  }),
  sendSignCode: call({
    ...anybody,
    ...posted,
    summary: 'Sends the code by which the signer is admitted',
    title: { zh: '发送签署验证码', en: 'Code sent to a signer' },
    notes: `Six digits, good for ten minutes and five tries, with the answered ticket alone. Once a minute and ${signLimits.codesAnHour} times an hour: -42.`,
    kind: 'staged',
    path: `${path}/code`,
    open: 'the code goes to the address on the list of signers alone; throttled',
    input: z.strictObject(of),
    sample,
    data: z.strictObject({ codeTicket: z.string(), expiresAt: Time }),
    codes: ['notFound', 'mailNotSetUp', 'smsNotSetUp', 'sendingTooOften'],
  }),
  enterSign: call({
    ...anybody,
    ...posted,
    summary: 'Admits the signer by the code',
    title: { zh: '凭验证码打开待签文件', en: 'Signer admitted by a code' },
    kind: 'staged',
    path: `${path}/open`,
    open: 'the code is asked for here, and its tries are counted',
    input: z.strictObject({
      ...of,
      codeTicket: text(100).describe('The ticket that sendSignCode answered.'),
      code: text(20).describe('The code that was sent.'),
    }),
    sample: (ids) => ({ ...sample(ids), codeTicket: 'unknown', code: '000000' }),
    data: z.strictObject({ pass: z.string(), expiresAt: Time }),
    codes: ['notFound', 'wrongVerificationCode'],
  }),
  getSignFromEmail: call({
    ...inside,
    summary: 'Reads what the admitted signer signs',
    kind: 'read',
    method: 'GET',
    path: `${path}/detail`,
    payload: 'none',
    input: z.strictObject(of),
    sample,
    data: Inside,
    codes: ['notFound'],
  }),
  getFileFromEmail: call({
    ...inside,
    summary: 'Answers the newest revision to the admitted signer: what they sign are exactly these bytes',
    title: { zh: '签署人查看文件', en: 'File read by a signer' },
    notes: 'After the end of a process that was not signed by everybody only who has signed reads it.',
    kind: 'stream',
    answers: 'application/pdf',
    method: 'GET',
    path: `${path}/file`,
    payload: 'query',
    input: z.strictObject({ ...of, revision: Count.optional().describe('The newest by default.') }),
    sample,
    data: z.never(),
    statuses: [206, 304, 416],
    codes: ['notFound', 'noPermission'],
  }),
  lockFromEmail: call({
    ...inside,
    ...posted,
    audit: 'technical',
    summary: 'Keeps others from signing while the admitted signer signs',
    title: { zh: '签署人开始签署', en: 'Signing begun by a signer' },
    kind: 'write',
    path: `${path}/lock`,
    input: z.strictObject(of),
    sample,
    data: z.strictObject({ until: Time }),
    codes: [...refusals, 'fileLocked'],
  }),
  unlockFromEmail: call({
    ...inside,
    ...posted,
    audit: 'technical',
    summary: 'Lets others sign again',
    title: { zh: '签署人结束签署', en: 'Signing ended by a signer' },
    kind: 'write',
    path: `${path}/unlock`,
    input: z.strictObject(of),
    sample,
    data: Nothing,
    codes: ['notFound'],
  }),
  signFromEmail: call({
    ...inside,
    ...posted,
    summary: 'Signs as the admitted signer',
    title: { zh: '通过邮件签署文件', en: 'File signed from a mail' },
    notes: 'Refused with -39 if somebody has signed since: what is signed must have been seen.',
    kind: 'staged',
    path: `${path}/sign`,
    input: z.strictObject({
      ...of,
      revision: Count.describe('The revision that the signer has seen.'),
      picture: Picture.optional().describe('The signature as PNG in base64; the name alone without it.'),
      texts: z
        .array(z.strictObject({ fieldId: Id, text: text(signLimits.text) }))
        .max(100)
        .default([])
        .describe('What the signer writes into places of text.'),
      comments: text(signLimits.remark).default('').describe('A remark for the record.'),
    }),
    sample: (ids) => ({ ...sample(ids), revision: 0 }),
    data: z.strictObject({ revision: z.int() }),
    timeoutMs: 180_000,
    codes: [
      ...refusals,
      ...(['fileLocked', 'fileConflict', 'badRequest', 'pictureRefused'] as const),
      ...(['certificateRefused', 'timeStampFailed'] as const),
    ],
  }),
  rejectFromEmail: call({
    ...inside,
    ...posted,
    summary: 'Refuses to sign as the admitted signer: the process ends for all',
    title: { zh: '通过邮件拒签文件', en: 'Signature refused from a mail' },
    kind: 'write',
    path: `${path}/reject`,
    input: z.strictObject({ ...of, comments: text(signLimits.remark).describe('Why.') }),
    sample: (ids) => ({ ...sample(ids), comments: '金额有误' }),
    data: Nothing,
    codes: [...refusals, 'badRequest'],
  }),
} as const
