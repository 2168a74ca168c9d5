/*
 * Signatures and seals as pictures ([R273]): what a person draws, types or scans, and the seals of the company that they
 * may use. A picture proves nothing by itself; what proves is the certificate (certificates.ts).
 */
import { signLimits } from '@cloudoc/domain'
import { z } from 'zod'
import { Person } from '../approvals/review.ts'
import { accountHolder, ownAccount, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, pageOf, Time, text } from '../fields.ts'
import { Picture } from './parts.ts'

const SignatureKind = z.enum(['drawn', 'typed', 'picture'])

/** A signature of the caller. */
const Signature = z
  .strictObject({
    signatureId: z.int(),
    kind: SignatureKind,
    name: z.string(),
    isDefault: z.boolean(),
    createTime: Time,
    /** PNG in base64. */
    picture: z.string(),
  })
  .meta({ id: 'Signature' })
export type Signature = z.output<typeof Signature>

/** A seal of the company. */
const Seal = z
  .strictObject({
    sealId: z.int(),
    name: z.string(),
    createTime: Time,
    /** PNG in base64. */
    picture: z.string(),
    /** Who may use it; empty for those who do not keep the seals. */
    users: z.array(Person),
    roleIdArray: z.array(z.int()),
  })
  .meta({ id: 'Seal' })
export type Seal = z.output<typeof Seal>

const Name = text(60)

const reading = { kind: 'read', auth: 'required', origin: 'ours', method: 'GET', payload: 'query' } as const
const writing = { kind: 'write', method: 'POST', auth: 'required', payload: 'json', origin: 'ours' } as const
const own = { ...writing, guard: accountHolder, log: 'none', audit: 'signIn' } as const
const kept = { ...writing, guard: systemAdministrator, log: 'none', audit: 'administration' } as const
const of = { signatureId: Id }
const ofSeal = { sealId: Id }
const holders = {
  userIdArray: z.array(Id).max(500).default([]).describe('People who may use it.'),
  roleIdArray: z.array(Id).max(100).default([]).describe('Roles whose holders may use it.'),
}

const calls = {
  getSignatureList: call({
    ...reading,
    guard: ownAccount,
    summary: 'Lists the signatures of the caller',
    path: '/services2/sign/getSignatureList',
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Signature) }),
  }),
  createSignature: call({
    ...own,
    summary: 'Adds a signature of the caller',
    title: { zh: '添加签名', en: 'Signature added' },
    notes: `A person has at most ${signLimits.signatures}.`,
    path: '/services2/sign/createSignature',
    input: z.strictObject({ kind: SignatureKind, name: Name, picture: Picture, isDefault: z.boolean().default(false) }),
    sample: () => ({ kind: 'drawn', name: '签名', picture: onePixel }),
    data: z.strictObject(of),
    codes: ['pictureRefused', 'tooMany'],
  }),
  updateSignature: call({
    ...own,
    summary: 'Changes the name of a signature, its picture, or which one is used first',
    title: { zh: '修改签名', en: 'Signature changed' },
    path: '/services2/sign/updateSignature',
    audits: ['signatureId'],
    input: z.strictObject({
      ...of,
      name: Name.optional(),
      picture: Picture.optional(),
      isDefault: z.boolean().optional(),
    }),
    sample: (ids) => ({ signatureId: ids.signatureId }),
    data: Nothing,
    codes: ['notFound', 'pictureRefused'],
  }),
  deleteSignature: call({
    ...own,
    summary: 'Deletes a signature of the caller; what was signed with it stays as it is',
    title: { zh: '删除签名', en: 'Signature deleted' },
    path: '/services2/sign/deleteSignature',
    audits: ['signatureId'],
    input: z.strictObject(of),
    sample: (ids) => ({ signatureId: ids.signatureId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  getSealList: call({
    ...reading,
    guard: ownAccount,
    summary: 'Lists the seals that the caller may use',
    path: '/services2/sign/getSealList',
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Seal) }),
  }),
  getAllSealList: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Lists the seals of the company with who may use them',
    path: '/services2/sign/getAllSealList',
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Seal) }),
  }),
  createSeal: call({
    ...kept,
    summary: 'Adds a seal of the company',
    title: { zh: '添加印章', en: 'Seal added' },
    path: '/services2/sign/createSeal',
    audits: ['name'],
    input: z.strictObject({ name: Name, picture: Picture, ...holders }),
    sample: (ids) => ({ name: '合同专用章', picture: onePixel, userIdArray: [ids.userId] }),
    data: z.strictObject(ofSeal),
    codes: ['pictureRefused', 'notFound'],
  }),
  updateSeal: call({
    ...kept,
    summary: 'Changes a seal, or who may use it',
    title: { zh: '修改印章', en: 'Seal changed' },
    path: '/services2/sign/updateSeal',
    audits: ['sealId', 'name'],
    input: z.strictObject({ ...ofSeal, name: Name, picture: Picture.optional(), ...holders }),
    sample: (ids) => ({ sealId: ids.sealId, name: '合同专用章' }),
    data: Nothing,
    codes: ['pictureRefused', 'notFound'],
  }),
  deleteSeal: call({
    ...kept,
    summary: 'Takes a seal out of use; the log of its uses is kept',
    title: { zh: '停用印章', en: 'Seal taken out of use' },
    path: '/services2/sign/deleteSeal',
    audits: ['sealId'],
    input: z.strictObject(ofSeal),
    sample: (ids) => ({ sealId: ids.sealId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  getSealUseList: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Lists the uses of seals, the latest first',
    path: '/services2/sign/getSealUseList',
    input: z.strictObject({ sealId: Id.optional(), ...pageOf(100, 200) }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          sealId: z.int(),
          sealName: z.string(),
          userId: z.int(),
          userName: z.string(),
          activityTitle: z.string(),
          createTime: Time,
          address: z.string(),
          /** Whether the file was signed then; an attempt is logged too. */
          isDone: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
  }),
} as const

/** The smallest PNG: one white pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

export const signatures = feature({
  about: { name: 'signatures', text: 'Signatures of people and seals of the company, as pictures' },
  switchedBy: 'signing',
  calls,
})
