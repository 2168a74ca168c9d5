// The certificates of authorities that are pinned for a link.
import { X509Certificate } from 'node:crypto'
import { fail } from '@cloudoc/domain'

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
/** A chain of a company is far shorter. */
const most = 10

/** Returns pasted certificates in PEM, without what stands between them; empty for none. Fails if there are no such. */
export function pinnedAuthorities(pasted: string): string {
  if (pasted.trim() === '') return ''
  const blocks = pasted.match(block) ?? []
  if (blocks.length === 0 || blocks.length > most) return refused()
  try {
    return blocks.map((pem) => new X509Certificate(pem).toString()).join('')
  } catch {
    return refused()
  }
}

/** The subjects and ends of pinned certificates. */
export const describeAuthorities = (pem: string) =>
  (pem.match(block) ?? []).map((one) => {
    const { subject, validToDate, fingerprint256 } = new X509Certificate(one)
    return { subject: subject.replaceAll('\n', ', '), until: validToDate.getTime(), fingerprint: fingerprint256 }
  })

function refused(): never {
  return fail('badRequest', {
    zh: '证书应为 PEM 格式（以 -----BEGIN CERTIFICATE----- 开头），最多 10 个',
    en: 'caCertificate: up to ten certificates in PEM, beginning with -----BEGIN CERTIFICATE-----',
  })
}
