// Under which addresses the server is reached, and the certificates that browsers get there.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Time } from '../fields.ts'

const Certificate = z
  .strictObject({
    subject: z.string(),
    issuer: z.string(),
    /** The host names and addresses that it is valid for. */
    names: z.array(z.string()),
    validFrom: Time,
    validUntil: Time,
    /** SHA-256, in hexadecimal. */
    fingerprint: z.string(),
  })
  .meta({ id: 'ServerCertificate' })
export type ServerCertificate = z.output<typeof Certificate>

/** What is wrong with the certificate of an address: browsers warn of each. */
export const certificateFaults = ['expired', 'notYetValid', 'otherName', 'untrusted', 'soon'] as const
const Fault = z.enum(certificateFaults)

const ours = { auth: 'required', origin: 'ours', guard: systemAdministrator, input: z.strictObject({}) } as const

export const addresses = feature({
  about: { name: 'addresses', text: 'Under which addresses the server is reached, and its certificates' },
  calls: {
    getServerAddresses: call({
      ...ours,
      summary: 'Tells under which addresses the server is reached, and its own certificate',
      kind: 'read',
      method: 'GET',
      path: '/services2/setting/getServerAddresses',
      payload: 'none',
      data: z.strictObject({
        publicAddress: z.string().describe('As the operator has set it (PUBLIC_URL); empty if not.'),
        usedAddress: z.string().describe('Under which this request came.'),
        certificate: Certificate.nullable().describe('Of this server; null if a proxy before it has one, or nobody.'),
        faults: z.array(Fault).describe('What is wrong with it.'),
      }),
    }),
    checkServerAddress: call({
      ...ours,
      summary: 'Connects to the public address and tells which certificate browsers get there',
      title: { zh: '检查公开地址', en: 'Public address checked' },
      kind: 'staged',
      audit: 'technical',
      method: 'POST',
      path: '/services2/setting/checkServerAddress',
      payload: 'json',
      data: z.strictObject({
        reached: z.boolean(),
        reason: z.string().describe('Why it was not reached; empty if it was.'),
        certificate: Certificate.nullable().describe('Null for an address without TLS.'),
        faults: z.array(Fault),
      }),
      codes: ['notFound'],
    }),
  },
})
