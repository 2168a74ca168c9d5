// Reads licence files: JWS in compact form (RFC 7515), signed with EdDSA (Ed25519) by whoever issues licences.
import { createPublicKey, verify } from 'node:crypto'
import { Licence } from '@cloudoc/contract'
import { type Detail, fail } from '@cloudoc/domain'

const refusals = {
  unsigned: { zh: '文件不是授权文件，或签名不对', en: 'it is no licence file, or its signature is wrong' },
  foreign: { zh: '文件是给另一套系统的', en: 'it was issued for another installation' },
  over: { zh: '文件里的授权已经到期', en: 'the licence in it is over' },
  keyMissing: { zh: '这台服务器没有设置发证公钥', en: 'this server has no key of an issuer' },
} as const satisfies Record<string, Detail>

const jsonOf = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown

function signedPart(text: string, publicKey: string): unknown {
  const [head = '', body = '', signature = '', ...more] = text.trim().split('.')
  try {
    const { alg } = jsonOf(head) as { alg?: unknown }
    const isRight =
      alg === 'EdDSA' &&
      more.length === 0 &&
      verify(null, Buffer.from(`${head}.${body}`), createPublicKey(publicKey), Buffer.from(signature, 'base64url'))
    return isRight ? jsonOf(body) : undefined
  } catch {
    // Not base64url, not JSON, or no key of this kind.
    return undefined
  }
}

/** Returns what a licence file says. Fails unless the issuer has signed it for this installation and it is not over. */
export function readLicence(
  text: string,
  { publicKey, installation, now }: { publicKey: string | undefined; installation: string; now: number },
): Licence {
  if (publicKey === undefined) return fail('licenceRefused', refusals.keyMissing)
  const read = Licence.safeParse(signedPart(text, publicKey))
  if (!read.success) return fail('licenceRefused', refusals.unsigned)
  const { data } = read
  if (data.installation !== '' && data.installation !== installation) return fail('licenceRefused', refusals.foreign)
  if (data.until !== 0 && data.until <= now) return fail('licenceRefused', refusals.over)
  return data
}
