/*
 * The certificates of electronic signatures: the authority of the company, made in the administration, and the
 * certificates that it issues to people when they first sign. Their keys are stored sealed and are in no answer.
 */
import { z } from 'zod'
import { ownAccount, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, rows, Time, text } from '../fields.ts'

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
    state: z.enum(['valid', 'expired', 'revoked']),
    pem: z.string(),
  })
  .meta({ id: 'SignCertificate' })
export type SignCertificate = z.output<typeof Certificate>

const reading = { kind: 'read', auth: 'required', origin: 'ours', method: 'GET', payload: 'query' } as const
const writing = { method: 'POST', auth: 'required', payload: 'json', origin: 'ours', log: 'none' } as const

const calls = {
  getSignAuthority: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Reads the authority of the company that issues certificates for signing',
    path: '/services2/sign/getSignAuthority',
    input: z.strictObject({}),
    data: z.strictObject({ authority: Certificate.nullable(), earlier: z.array(Certificate) }),
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
  getSignCertificateList: call({
    ...reading,
    guard: systemAdministrator,
    summary: 'Lists the certificates that were issued, the latest first',
    path: '/services2/sign/getSignCertificateList',
    input: z.strictObject({ from: Count.default(0), rows: rows(100, 200) }),
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
  calls,
})
