/*
 * The certificates of electronic signatures: the authority of the company, made in the administration, and the
 * certificates that it issues to people when they first sign. Their keys are stored sealed and are in no answer.
 */
import { z } from 'zod'
import { accountHolder, ownAccount, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, pageOf, Time, text } from '../fields.ts'

/** A certificate, without its key. */
const Certificate = z
  .strictObject({
    certificateId: z.int(),
    subject: z.string(),
    issuer: z.string(),
    /** In hexadecimal. */
    serialNumber: z.string(),
    /** The real algorithm of its key. */
    algorithm: z.string(),
    notBefore: Time,
    notAfter: Time,
    state: z.enum(['valid', 'ending', 'expired', 'revoked']).describe('ending: valid for less than 30 days.'),
    kind: z
      .enum(['authority', 'issued', 'person', 'company'])
      .describe('An authority, what it issued, or an imported certificate of a person or of the company.'),
    pem: z.string(),
  })
  .meta({ id: 'SignCertificate' })
export type SignCertificate = z.output<typeof Certificate>

const reading = { kind: 'read', auth: 'required', origin: 'ours', method: 'GET', payload: 'query' } as const
const writing = { method: 'POST', auth: 'required', payload: 'json', origin: 'ours', log: 'none' } as const

/** A PKCS#12 file of at most 64 KB, in base64, and the password that opens it. */
const fromFile = {
  file: z
    .string()
    .max(90_000)
    .regex(/^[A-Za-z0-9+/]*=*$/)
    .describe('The file in base64, at most 64 KB.'),
  password: text(200).describe('The password of the file.'),
}
const passwordNote = 'The password is used once and not stored; the key is stored sealed.'
const importCodes = ['certificatePassword', 'certificateExpired', 'certificateRefused'] as const

const calls = {
  getSignAuthority: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Reads the authority of the company that issues certificates for signing',
    path: '/services2/sign/getSignAuthority',
    input: z.strictObject({}),
    data: z.strictObject({
      authority: Certificate.nullable(),
      company: Certificate.nullable().describe('The imported certificate by which seals sign.'),
      earlier: z.array(Certificate),
    }),
  }),
  createSignAuthority: call({
    ...writing,
    kind: 'staged',
    guard: systemAdministrator,
    audit: 'administration',
    summary: 'Makes the authority of the company; an earlier one issues nothing any more and stays trusted',
    title: { zh: '创建签署证书机构', en: 'Authority of certificates made' },
    audits: ['name'],
    path: '/services2/sign/createSignAuthority',
    input: z.strictObject({
      name: text(60).describe('The name of the company, as readers of signed files show it.'),
      years: Count.pipe(z.int().min(1).max(30)).default(15).describe('Years that it is valid.'),
    }),
    sample: () => ({ name: '华信集团' }),
    data: z.strictObject({ certificateId: z.int() }),
    codes: ['badRequest'],
  }),
  importSignCertificate: call({
    ...writing,
    kind: 'staged',
    guard: systemAdministrator,
    audit: 'administration',
    summary: 'Imports a certificate of the company with its key from a PKCS#12 file',
    title: { zh: '导入公司签署证书', en: 'Certificate of the company imported' },
    notes: `One that may issue certificates becomes the authority; by any other one the seals of the company sign. ${passwordNote}`,
    path: '/services2/sign/importSignCertificate',
    input: z.strictObject(fromFile),
    sample: () => ({ file: 'bm90IGEgY2VydGlmaWNhdGU=', password: 'unknown' }),
    data: z.strictObject({ certificateId: z.int(), kind: z.enum(['authority', 'company']) }),
    codes: importCodes,
  }),
  importMySignCertificate: call({
    ...writing,
    kind: 'staged',
    guard: accountHolder,
    audit: 'signIn',
    summary: 'Imports the certificate that the caller signs with, and its key, from a PKCS#12 file',
    title: { zh: '导入个人签署证书', en: 'Certificate of a person imported' },
    notes: `Its subject contains the name of the caller. ${passwordNote}`,
    path: '/services2/sign/importMySignCertificate',
    input: z.strictObject(fromFile),
    sample: () => ({ file: 'bm90IGEgY2VydGlmaWNhdGU=', password: 'unknown' }),
    data: z.strictObject({ certificateId: z.int() }),
    codes: importCodes,
  }),
  deleteMySignCertificate: call({
    ...writing,
    kind: 'write',
    guard: accountHolder,
    audit: 'signIn',
    summary: 'Takes the imported certificate of the caller away, with its key; the company issues one again',
    title: { zh: '删除个人签署证书', en: 'Certificate of a person removed' },
    path: '/services2/sign/deleteMySignCertificate',
    input: z.strictObject({}),
    sample: () => ({}),
    data: Nothing,
    codes: ['notFound'],
  }),
  testTimeStamp: call({
    ...writing,
    kind: 'staged',
    guard: systemAdministrator,
    audit: 'technical',
    summary: 'Asks the time stamp service for a time stamp, and says who answered or why there is none',
    title: { zh: '测试时间戳服务', en: 'Time stamp service tested' },
    path: '/services2/sign/testTimeStamp',
    input: z.strictObject({}),
    sample: () => ({}),
    data: z.strictObject({ authority: z.string(), time: Time }),
    codes: ['timeStampFailed', 'badRequest'],
  }),
  getSignCertificateList: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Lists the certificates that were issued, the latest first',
    path: '/services2/sign/getSignCertificateList',
    input: z.strictObject(pageOf(100, 200)),
    data: z.strictObject({ list: z.array(Certificate), total: z.int() }),
  }),
  revokeSignCertificate: call({
    ...writing,
    kind: 'write',
    guard: systemAdministrator,
    audit: 'administration',
    summary: 'Revokes a certificate: its holder gets a new one when they sign the next time',
    title: { zh: '吊销签署证书', en: 'Certificate revoked' },
    path: '/services2/sign/revokeSignCertificate',
    audits: ['certificateId'],
    input: z.strictObject({ certificateId: Id }),
    sample: (ids) => ({ certificateId: ids.certificateId }),
    data: Nothing,
    codes: ['notFound', 'alreadyHandled'],
  }),
  /** Readers of signed files fetch it from the address that the certificates name. */
  getRevocationList: call({
    summary: 'Answers the list of revoked certificates (CRL) of an authority of the company',
    title: { zh: '下载吊销列表', en: 'List of revoked certificates' },
    origin: 'ours',
    auth: 'none',
    answers: 'application/pkix-crl',
    kind: 'stream',
    method: 'GET',
    path: '/services2/sign/revoked/{authorityId}',
    payload: 'none',
    open: 'it names serial numbers alone, signed by the authority, for whoever checks a signed file',
    input: z.strictObject({ authorityId: Id.describe('`certificateId` of the authority.') }),
    sample: (ids) => ({ authorityId: ids.certificateId }),
    data: z.never(),
    codes: ['notFound'],
  }),
  getMySignCertificate: call({
    ...reading,
    guard: ownAccount,
    summary: 'Reads the certificate that the caller signs with',
    path: '/services2/sign/getMySignCertificate',
    input: z.strictObject({}),
    data: z.strictObject({ certificate: Certificate.nullable() }),
  }),
} as const

export const signCertificates = feature({
  about: { name: 'signCertificates', text: 'Certificates of electronic signatures' },
  switchedBy: 'signing',
  calls,
})
